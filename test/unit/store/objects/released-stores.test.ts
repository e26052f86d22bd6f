import { expect, test } from 'vitest'
import { ReleasedStores } from '../../../../server/store/objects/released-stores.ts'
import { collectGarbage } from '../../../helpers/collect-garbage.ts'

interface Store {
  readonly memory: number
}

/** Returns those that survive the garbage collection. */
async function left(stores: ReleasedStores<Store>, ...ids: string[]): Promise<string[]> {
  await collectGarbage()
  return ids.filter((id) => stores.get(id) !== undefined)
}

test('the last released stores stay, others while they have users', async () => {
  const stores = new ReleasedStores<Store>(100)
  const held = { memory: 60 }
  const fill = () => {
    stores.add('held', held)
    for (const id of ['a', 'b', 'c']) stores.add(id, { memory: 40 })
  }
  fill()
  expect(await left(stores, 'held', 'a', 'b', 'c')).toEqual(['held', 'b', 'c'])
  expect(stores.get('held')).toBe(held)
})

test('the last store stays however large it is, until there is another', async () => {
  const stores = new ReleasedStores<Store>(100)
  const release = (id: string) => stores.add(id, { memory: 1000 })
  release('a')
  expect(await left(stores, 'a')).toEqual(['a'])
  release('b')
  expect(await left(stores, 'a', 'b')).toEqual(['b'])
})

test('a store released again is counted once', async () => {
  const stores = new ReleasedStores<Store>(100)
  const release = (id: string) => stores.add(id, { memory: 40 })
  for (const id of ['a', 'b', 'a', 'a', 'b']) release(id)
  expect(await left(stores, 'a', 'b')).toEqual(['a', 'b'])
  release('c')
  expect(await left(stores, 'a', 'b', 'c')).toEqual(['b', 'c'])
})
