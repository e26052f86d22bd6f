import { expect, test } from 'vitest'
import { createFolderObjects } from '../../../server/objects/folder-objects.ts'
import type { ObjectStores } from '../../../server/objects/object-store.ts'
import { WeakValues } from '../../../server/objects/weak-values.ts'
import { collectGarbage } from '../../helpers/collect-garbage.ts'
import { noRepoUse } from '../../helpers/no-repo-use.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

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

test('of a repo that nobody looks at, no store stays, however many there were', async () => {
  const objects = createFolderObjects(temporaryDirectory())
  await objects.removeUnused(noRepoUse)
  const stores = askForMany(objects)
  expect(await countLeft(stores)).toBeLessThan(10)
  await objects.close()
})

test('stores stay until unused objects were looked for, since they know what was asked for', async () => {
  const objects = createFolderObjects(temporaryDirectory())
  const stores = askForMany(objects)
  expect(await countLeft(stores)).toBe(1000)
  await objects.removeUnused(noRepoUse)
  expect(await countLeft(stores)).toBeLessThan(10)
  await objects.close()
})

test('a store stays as long as something of it is on its way to the disk', async () => {
  const objects = createFolderObjects(temporaryDirectory())
  await objects.removeUnused(noRepoUse)
  const write = () => objects.of(keyOf(1)).write('blob', Buffer.from('pending'))
  const id = write()
  await collectGarbage()
  expect(objects.of(keyOf(1)).read(id).content.toString()).toBe('pending')
  await objects.close()
})

test('keys go with their values, and not with what took their place', async () => {
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
