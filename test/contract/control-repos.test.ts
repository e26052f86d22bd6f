import { expect, test } from 'vitest'
import { RepoDetail, RepoList } from '../../server/contract/control-repos.ts'
import { expectConflict, expectInvalid, expectNotFound, controlWorld } from '../helpers/control.ts'

const world = controlWorld()
const { call, read, make } = world

/** Scope and action of the hub's events that a request causes. */
async function eventsOf(act: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = []
  const stop = world.sandbox.deps.bus.on('hub.event', ({ data }) => {
    seen.push(`${data.scope}.${data.action}`)
  })
  await act()
  stop()
  return seen
}

test('lists repos, by type and part of the name', async () => {
  const all = await read(RepoList, 'repos')
  expect(all.items.map(({ type, name }) => `${type} ${name}`)).toEqual([
    'dataset acme/corpus',
    'model acme/tagger',
    'dataset acme/tagger',
  ])
  const some = await read(RepoList, 'repos?type=dataset&search=TAG')
  expect(some.items).toMatchObject([{ type: 'dataset', name: 'acme/tagger' }])
})

test('a repo is created as its owner, with events', async () => {
  const events = await eventsOf(async () => {
    const made = await make(RepoDetail, 'repos', {
      type: 'space',
      name: 'acme/demo',
      private: true,
      files: { 'index.html': '<h1>Hi</h1>' },
    })
    expect(made).toMatchObject({
      private: true,
      sdk: 'static',
      branches: ['main'],
      headSha: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
    expect(made.files).toContainEqual(expect.objectContaining({ path: 'index.html', size: 11 }))
  })
  expect(events).toEqual(['repo.create'])
})

test('files, visibility, gating and name are changed with events', async () => {
  const path = 'repos/acme/corpus'
  const change = (body: object) => eventsOf(() => call('PATCH', path, body))
  expect(await change({ files: { 'a.txt': 'a', 'README.md': 'new' } })).toEqual([
    'repo.content.update',
  ])
  expect(await change({ private: true })).toEqual(['repo.config.update'])
  expect(await change({ gated: 'manual' })).toEqual(['repo.config.update'])
  expect(await change({ gated: 'manual' })).toEqual([])
  expect(await change({ name: 'alice/corpus' })).toEqual(['repo.move'])
  const body = await read(RepoDetail, path)
  expect(body).toMatchObject({ name: 'alice/corpus', private: true, gated: 'manual' })
  expect(body.files.map((file) => file.path)).toContain('a.txt')
})

test('access requests are accepted and rejected', async () => {
  const access = [{ user: 'bob', status: 'accepted' }]
  const changed = await call<RepoDetail>('PATCH', 'repos/acme/corpus', { access })
  expect(changed.body.accessRequests).toMatchObject([
    { user: { username: 'bob' }, status: 'accepted' },
  ])
  expectInvalid(
    await call('PATCH', 'repos/acme/corpus', { access: [{ user: 'nobody', status: 'accepted' }] }),
    ['access[0].user'],
  )
})

test('a repo is found by its id and deleted with an event', async () => {
  const body = await read(RepoDetail, 'repos/acme/corpus')
  const events = await eventsOf(() => call('DELETE', `repos/${body.id}`))
  expect(events).toEqual(['repo.delete'])
  expectNotFound(await call('GET', 'repos/acme/corpus'), ['repo'])
})

test('an ambiguous name is refused with the candidates', async () => {
  const answer = await call<{ message: string }>('GET', 'repos/acme/tagger')
  expectConflict(answer, ['repo'])
  expect(answer.body.message).toContain('models/acme/tagger, datasets/acme/tagger')
  const found = await call('GET', 'repos/models/acme/tagger')
  expect(found.body).toMatchObject({ type: 'model' })
})

test('refusals of the hub are returned', async () => {
  const make = (body: object) => call('POST', 'repos', body)
  expectConflict(await make({ type: 'model', name: 'acme/tagger' }))
  expectNotFound(await make({ type: 'model', name: 'nowhere/x' }))
  expectInvalid(await make({ type: 'model', name: 'acme/--x' }))
  expectInvalid(await make({ type: 'paper', name: 'x' }), ['type', 'name'])
  expectInvalid(await make({ type: 'space', name: 'acme/x', sdk: 'unheard' }))
})
