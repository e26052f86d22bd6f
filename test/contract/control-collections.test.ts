import { expect, test } from 'vitest'
import {
  CollectionDetail,
  CollectionItem,
  CollectionList,
} from '../../server/contract/control-collections.ts'
import { controlWorld, expectInvalid, expectNotFound, expectShape } from '../helpers/control.ts'

const world = controlWorld()
const { call, read, send } = world

const make = (body: object) => call<CollectionDetail>('POST', 'collections', body)

test('a collection is created, filled, annotated, reordered and deleted', async () => {
  const made = await make({ owner: 'acme', title: 'Best models', description: 'For tagging' })
  expect(made.status).toBe(201)
  expectShape(CollectionDetail, made.body)
  expect(made.body).toMatchObject({ owner: 'acme', size: 0, items: [], mayChange: true })
  const { id } = made.body
  const add = (body: object) => call<CollectionDetail>('POST', `collections/${id}/items`, body)
  const first = await add({ type: 'model', target: 'acme/tagger', note: 'the old one' })
  expect(first.status).toBe(201)
  const second = await add({ type: 'paper', target: '2307.09288' })
  expect(second.body.items.map(({ target }) => target)).toEqual(['acme/tagger', '2307.09288'])
  expect(second.body.items[0]).toMatchObject({ note: 'the old one', position: 0, private: false })

  const item = `collections/${id}/items/${second.body.items[1]?.id}`
  const moved = await send(CollectionDetail, 'PATCH', item, { position: 0, note: 'read this' })
  expect(moved.items.map(({ target, note }) => [target, note])).toEqual([
    ['2307.09288', 'read this'],
    ['acme/tagger', 'the old one'],
  ])
  const removed = await call<CollectionDetail>('DELETE', item)
  expect(removed.body.items.map(({ target }) => target)).toEqual(['acme/tagger'])

  const changed = await call<CollectionDetail>('PATCH', `collections/${id}`, {
    title: 'Better models',
    theme: 'pink',
    private: true,
  })
  expect(changed.body).toMatchObject({ title: 'Better models', theme: 'pink', private: true })
  const list = await read(CollectionList, 'collections')
  expectShape(CollectionItem, list.items[0])
  expect(list.items.map((one) => [one.title, one.size])).toEqual([['Better models', 1]])
  expect((await call('DELETE', `collections/${id}`)).status).toBe(200)
  expect((await read(CollectionList, 'collections')).items).toEqual([])
  expectNotFound(await call('GET', `collections/${id}`))
})

test('a user sees and changes what the hub lets them', async () => {
  const { body } = await make({ owner: 'acme', title: 'Inside', private: true })
  await make({ owner: 'alice', title: 'Own' })
  const titles = async (query: string) =>
    (await read(CollectionList, `collections${query}`)).items.map(({ title }) => title)
  expect(await titles('')).toEqual(['Own', 'Inside'])
  expect(await titles('?owner=ACME')).toEqual(['Inside'])
  expect(await titles('?as=bob')).toEqual(['Own', 'Inside'])
  expect(await titles('?as=carol')).toEqual(['Own'])

  const path = `collections/${body.id}`
  const hidden = await call<{ message: string }>('GET', `${path}?as=carol`)
  expectNotFound(hidden)
  expect(hidden.body.message).toBe('carol does not see this collection: it is private.')
  await call('PATCH', path, { private: false })
  const seen = await read(CollectionDetail, `${path}?as=carol`)
  expect(seen.mayChange).toBe(false)
  const refused = await call<{ message: string }>('PATCH', path, { title: 'Mine', user: 'carol' })
  expect(refused.status).toBe(403)
  expect(refused.body.message).toContain('carol')
  expect((await call('DELETE', `${path}?user=carol`)).status).toBe(403)
})

test('of two that are made at the same time the later comes first', async () => {
  await call('POST', 'clock', { frozen: true })
  const titles = ['one', 'two', 'three', 'four', 'five']
  for (const title of titles) await make({ owner: 'acme', title })
  const { items } = await read(CollectionList, 'collections')
  expect(items.map(({ title }) => title)).toEqual(titles.toReversed())
})

test('an item that a user may not see is counted, and not named', async () => {
  await call('PATCH', 'repos/models/acme/tagger', { private: true })
  const { body } = await make({ owner: 'acme', title: 'Open' })
  await call('POST', `collections/${body.id}/items`, { type: 'model', target: 'acme/tagger' })
  const of = async (query: string) => await read(CollectionDetail, `collections/${body.id}${query}`)
  expect(await of('')).toMatchObject({ size: 1, hidden: 0, items: [{ target: 'acme/tagger' }] })
  const seen = await of('?as=carol')
  expect(seen).toMatchObject({ size: 1, hidden: 1, items: [] })
  expect(JSON.stringify(seen)).not.toContain('tagger')
})

test('mistakes are named at their fields', async () => {
  expectInvalid(await make({ owner: 'nowhere', title: 'x' }), ['owner'])
  expectInvalid(await make({ owner: 'acme', title: 'x', user: 'nobody' }), ['user'])
  expectInvalid(await call('GET', 'collections?as=nobody'), ['as'])
  await make({ owner: 'acme', title: 'Twice' })
  expect((await make({ owner: 'acme', title: 'twice' })).status).toBe(409)
})

test('each change is a fact, so that a watching page knows of it', async () => {
  const facts: string[] = []
  world.sandbox.deps.bus.on('collection.changed', ({ data }) => facts.push(data.collectionId))
  const { body } = await make({ owner: 'acme', title: 'Watched' })
  await call('PATCH', `collections/${body.id}`, { title: 'Renamed' })
  await call('DELETE', `collections/${body.id}`)
  expect(facts).toEqual([body.id, body.id, body.id])
})
