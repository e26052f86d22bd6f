import { expect, test } from 'vitest'
import { createFolderObjects } from '../../../../server/store/objects/folder-objects.ts'
import { createMemoryObjects } from '../../../../server/store/objects/memory-objects.ts'
import type { ObjectStores } from '../../../../server/store/objects/object-store.ts'
import { WeakValues } from '../../../../server/store/objects/weak-values.ts'
import { collectGarbage } from '../../../helpers/collect-garbage.ts'
import { temporaryDirectory } from '../../../helpers/temporary-directory.ts'

const keyOf = (at: number) => ({ id: at.toString(16).padStart(24, '0') })

/** How many of the stores that were asked for are still there, once all that can go is gone. */
async function countLeft(stores: readonly WeakRef<object>[]): Promise<number> {
  await collectGarbage()
  return stores.filter((store) => store.deref() !== undefined).length
}

function askForMany(objects: ObjectStores): WeakRef<object>[] {
  return Array.from({ length: 1000 }, (_, at) => {
    const store = objects.of(keyOf(at))
    store.has('a'.repeat(40))
    return new WeakRef(store)
  })
}

test('a store without users is released, however many there were', async () => {
  const objects = createFolderObjects(temporaryDirectory())
  const stores = askForMany(objects)
  expect(await countLeft(stores)).toBeLessThan(10)
  await objects.close()
})

test('a store stays while any of its objects is being written', async () => {
  const objects = createFolderObjects(temporaryDirectory())
  const write = () => objects.of(keyOf(1)).write('blob', Buffer.from('pending'))
  const id = write()
  await collectGarbage()
  expect(objects.of(keyOf(1)).read(id).content.toString()).toBe('pending')
  await objects.close()
})

test('in memory, only a few MiB of deleted repos stay, and open stores remain usable', async () => {
  const objects = createMemoryObjects()
  const content = Buffer.alloc(1024 * 1024, '.')
  const stores = Array.from({ length: 100 }, (_, at) => {
    const store = objects.of(keyOf(at))
    store.write('blob', content)
    return new WeakRef<object>(store)
  })
  expect(await countLeft(stores)).toBe(100)
  const open = objects.of(keyOf(7))
  for (let at = 0; at < 99; at++) objects.release(keyOf(at))
  expect(await countLeft(stores)).toBeLessThan(20)
  expect([7, 98, 99].map((at) => stores[at]?.deref() !== undefined)).toEqual([true, true, true])
  expect(objects.of(keyOf(7))).toBe(open)
  await objects.close()
})

test('with a data folder, nothing read from a deleted repo stays', async () => {
  const objects = createFolderObjects(temporaryDirectory())
  const readTree = (at: number) => {
    const store = objects.of(keyOf(at))
    return new WeakRef<object>(store.readTree(store.writeTree([])))
  }
  const trees = [1, 2].map(readTree)
  await objects.synced()
  expect(await countLeft(trees)).toBe(2)
  objects.release(keyOf(1))
  await collectGarbage()
  expect(trees.map((tree) => tree.deref() !== undefined)).toEqual([false, true])
  await objects.close()
})

test('keys are removed with their values, but not with a replacement', async () => {
  const values = new WeakValues<object>()
  const again = { again: true }
  const fill = () => {
    for (let at = 0; at < 100; at++) values.set(`${at}`, {})
    values.set('7', again)
  }
  fill()
  expect(values.size).toBe(100)
  await collectGarbage()
  // The engine tells of what is gone when it has time.
  await expect.poll(() => values.size).toBe(1)
  expect(values.get('7')).toBe(again)
  expect(values.has('8')).toBe(false)
})
