import { beforeEach, describe, expect, test } from 'vitest'
import { eventCatalog, findRecipe } from '../../../../server/lab/triggers/event-catalog.ts'
import { commitFiles } from '../../../../server/hub/commits/commits.ts'
import { openDiscussion } from '../../../../server/hub/discussions/discussions.ts'
import { readCommit } from '../../../../server/hub/files/git-objects.ts'
import type { HubEvent } from '../../../../server/hub/events/hub-event.ts'
import {
  performEvent,
  previewEvent,
  synthesizeEvent,
} from '../../../../server/lab/triggers/perform-event.ts'
import { commitAsPullRequest } from '../../../../server/hub/discussions/pull-requests.ts'
import { updateRepoSettings } from '../../../../server/hub/repos/repos.ts'
import { createHubWorld, type HubWorld } from '../../hub/hub-world.ts'

let world: HubWorld

beforeEach(async () => {
  world = await createHubWorld()
})

const names = (events: HubEvent[]) => events.map(({ scope, action }) => `${scope}.${action}`)

/** Everything the state holds, to see whether something changed. */
function dump(): string {
  return JSON.stringify(
    Object.entries(world.state).map(([name, collection]) => [name, [...collection.values()]]),
  )
}

const rows: [event: string, kind: string | undefined, asked: string[], prepared: string[]][] = [
  ['repo.delete', undefined, ['repo.delete'], []],
  ['repo.move', undefined, ['repo.move'], []],
  ['repo.update', undefined, ['repo.update'], []],
  ['repo.content', 'push', ['repo.content.update'], []],
  ['repo.content', 'branch-create', ['repo.content.update'], []],
  ['repo.content', 'branch-delete', ['repo.content.update'], ['repo.content.update']],
  ['repo.content', 'tag-create', ['repo.content.update'], []],
  ['repo.content', 'tag-delete', ['repo.content.update'], ['repo.content.update']],
  ['repo.config', 'private', ['repo.config.update'], []],
  ['repo.config', 'public', ['repo.config.update'], ['repo.config.update']],
  ['repo.config', 'other', ['repo.config.update'], []],
  ['discussion.create', 'discussion', ['discussion.create'], []],
  ['discussion.create', 'pull-request', ['repo.content.update', 'discussion.create'], []],
  ['discussion.update', 'retitle', ['discussion.update'], ['discussion.create']],
  ['discussion.update', 'close', ['discussion.update'], ['discussion.create']],
  [
    'discussion.update',
    'reopen',
    ['discussion.update'],
    ['discussion.create', 'discussion.update'],
  ],
  [
    'discussion.update',
    'merge',
    ['discussion.update', 'repo.content.update'],
    ['repo.content.update', 'discussion.create'],
  ],
  ['discussion.delete', undefined, ['discussion.delete'], ['discussion.create']],
  ['discussion.comment.create', undefined, ['discussion.comment.create'], ['discussion.create']],
  [
    'discussion.comment.update',
    'edit',
    ['discussion.comment.update'],
    ['discussion.create', 'discussion.comment.create'],
  ],
  [
    'discussion.comment.update',
    'hide',
    ['discussion.comment.update'],
    ['discussion.create', 'discussion.comment.create'],
  ],
]

function request(event: string, kind: string | undefined) {
  return { event, ...(kind === undefined ? {} : { kind }), repo: 'acme/corpus' }
}

describe('the catalog', () => {
  test('has every event with its kinds, the default first', () => {
    expect(eventCatalog.map(({ event, kinds }) => [event, kinds.map(({ kind }) => kind)])).toEqual([
      ['repo.create', []],
      ['repo.delete', []],
      ['repo.move', []],
      ['repo.update', []],
      [
        'repo.content',
        ['push', 'branch-create', 'branch-delete', 'tag-create', 'tag-delete', 'files'],
      ],
      ['repo.config', ['private', 'public', 'other']],
      ['discussion.create', ['discussion', 'pull-request']],
      ['discussion.update', ['retitle', 'close', 'reopen', 'merge']],
      ['discussion.delete', []],
      ['discussion.comment.create', []],
      ['discussion.comment.update', ['edit', 'hide']],
    ])
  })

  test('knows the fields of each payload', () => {
    const fields = eventCatalog.find(({ event }) => event === 'discussion.comment.create')?.fields
    expect(fields).toContainEqual(
      expect.objectContaining({ path: 'comment.content', type: 'string' }),
    )
    expect(fields).toContainEqual(
      expect.objectContaining({ path: 'repo.private', type: 'boolean' }),
    )
    expect(fields?.map(({ path }) => path)).not.toContain('updatedRefs')
  })

  test('takes a scope, or scope and action, and a kind of either', () => {
    expect(findRecipe('repo').event).toBe('repo.create')
    expect(findRecipe('repo.content.update').kind).toBe('push')
    expect(findRecipe('discussion', 'merge').event).toBe('discussion.update')
    expect(() => findRecipe('repo.push')).toThrow('There is no event repo.push')
    expect(() => findRecipe('repo.content', 'shove')).toThrow('Known kinds: push, branch-create')
    expect(() => findRecipe('repo.delete', 'x')).toThrow('repo.delete has no kinds')
  })

  test('tells which event or kind was likely meant', () => {
    expect(() => findRecipe('repo.contnet')).toThrow('(did you mean "repo.content"?)')
    expect(() => findRecipe('repo.content', 'psuh')).toThrow('(did you mean "push"?)')
  })
})

describe('doing it', () => {
  test.each([
    ['acme/copus', 'acme/corpus'],
    ['models/acme/copus', 'models/acme/corpus'],
  ])('for %s tells that %s was likely meant', (repo, meant) => {
    world.repo('acme/corpus')
    expect(() => performEvent(world.deps, { event: 'repo.content', repo })).toThrow(
      `There is no repo ${repo} (did you mean "${meant}"?).`,
    )
  })

  test.each(rows)('%s %s', (event, kind, asked, prepared) => {
    world.repo('acme/corpus')
    const performed = performEvent(world.deps, request(event, kind))
    expect(names(performed.requested)).toEqual(asked)
    expect(names(performed.prepared)).toEqual(prepared)
    expect(world.events).toEqual([...performed.prepared, ...performed.requested])
    const ofAlice = { cause: 'trigger', actorId: world.users.alice.id }
    for (const done of world.events) expect(done).toMatchObject(ofAlice)
  })

  test('renames a repo of the longest name, again and again', () => {
    const { id, name: first } = world.repo(`acme/${'a'.repeat(89)}.${'b'.repeat(6)}`)
    let name = first
    for (const ending of ['a-moved', 'a-moved-2', 'a-moved']) {
      performEvent(world.deps, { event: 'repo.move', repo: name })
      name = world.state.repos.get(id)?.name ?? ''
      expect(name).toMatch(new RegExp(`${ending}$`))
    }
  })

  test.each(rows)('%s %s, again and again', (event, kind, asked) => {
    world.repo('acme/corpus')
    const times = event === 'repo.delete' ? 1 : 4
    for (let time = 0; time < times; time++) {
      const performed = performEvent(world.deps, request(event, kind))
      expect(names(performed.requested)).toEqual(asked)
    }
  })

  test('creates what is not there', () => {
    const { requested } = performEvent(world.deps, {
      event: 'repo.create',
      repo: 'spaces/bob/demo',
    })
    expect(requested).toMatchObject([
      { scope: 'repo', action: 'create', repo: { type: 'space', name: 'bob/demo' } },
    ])
    expect(world.state.repos.get(requested[0]!.repo.id)).toMatchObject({ sdk: 'static' })
    expect(() =>
      performEvent(world.deps, { event: 'repo.create', repo: 'spaces/bob/demo' }),
    ).toThrow(expect.objectContaining({ code: 'conflict' }))
  })

  test('really changes a file', () => {
    const repo = world.repo('acme/corpus')
    const [push] = performEvent(world.deps, request('repo.content', 'push')).requested
    const ref = push?.updatedRefs?.[0]
    expect(ref).toMatchObject({ ref: 'refs/heads/main', oldSha: repo.refs['refs/heads/main'] })
    const tree = (sha: string) => readCommit(world.objects(repo), sha).treeId
    expect(tree(ref!.newSha!)).not.toBe(tree(ref!.oldSha!))
  })

  test('uses the discussion that is there', () => {
    const repo = world.repo('acme/corpus')
    const { discussion } = openDiscussion(world.deps, {
      repo,
      title: 'Old',
      actorId: world.users.dave.id,
    })
    expect(() => performEvent(world.deps, request('discussion.update', 'retitle'))).not.toThrow()
    expect(world.state.discussions.get(discussion.id)?.title).toBe('Old (renamed)')
    expect(world.state.discussions.size).toBe(1)
  })

  test('merges no pull request that conflicts', () => {
    const repo = world.repo('acme/corpus')
    const operations = [{ kind: 'add', path: 'x', content: 'theirs' }] as const
    const change = { repo, revision: 'main', title: 'Change x', actorId: world.users.dave.id }
    const { discussion } = commitAsPullRequest(world.deps, { ...change, operations })
    commitFiles(world.deps, {
      ...change,
      repo: world.now(repo),
      operations: [{ kind: 'add', path: 'x', content: 'ours' }],
    })
    const { prepared, requested } = performEvent(world.deps, request('discussion.update', 'merge'))
    expect(prepared).toHaveLength(2)
    expect(requested[0]?.discussion?.id).not.toBe(discussion.id)
  })

  test('a requested event is announced before it is emitted', () => {
    world.repo('acme/corpus')
    const announced: string[] = []
    const heard: number[] = []
    world.deps.bus.on('hub.event', () => heard.push(announced.length))
    performEvent(world.deps, request('discussion.comment.update', 'hide'), ({ scope }) =>
      announced.push(scope),
    )
    expect(announced).toEqual(['discussion.comment'])
    expect(heard).toEqual([0, 0, 1])
  })

  test('refuses unknown and ambiguous names, with the candidates', () => {
    world.repo('acme/corpus')
    world.repo('acme/corpus', { type: 'dataset' })
    expect(() => performEvent(world.deps, { event: 'repo.update', repo: 'acme/none' })).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    )
    expect(() => performEvent(world.deps, { event: 'repo.update', repo: 'acme/corpus' })).toThrow(
      'acme/corpus is ambiguous: models/acme/corpus, datasets/acme/corpus.',
    )
    const { requested } = performEvent(world.deps, {
      event: 'repo.update',
      repo: 'datasets/acme/corpus',
    })
    expect(requested[0]?.repo.type).toBe('dataset')
  })

  test('flips a visibility that is so already', () => {
    const repo = world.repo('acme/corpus')
    updateRepoSettings(world.deps, { repo, settings: { visibility: 'private' } })
    const { prepared, requested } = performEvent(world.deps, request('repo.config', 'private'))
    expect([...prepared, ...requested].map(({ updatedConfig }) => updatedConfig)).toEqual([
      { private: false },
      { private: true },
    ])
  })
})

describe('only looking or sending', () => {
  test.each(rows)('%s %s changes nothing and tells nobody', (event, kind, asked, prepared) => {
    world.repo('acme/corpus')
    const before = dump()
    const previewed = previewEvent(world.deps, request(event, kind))
    expect([names(previewed.requested), names(previewed.prepared)]).toEqual([asked, prepared])
    const sent = synthesizeEvent(world.deps, request(event, kind))
    expect(names(sent)).toEqual(asked)
    expect(sent.every(({ cause }) => cause === 'synthetic')).toBe(true)
    expect(dump()).toBe(before)
    expect(world.events).toEqual([])
  })

  test('shows the same payload that doing it would have', () => {
    world.repo('acme/corpus')
    performEvent(world.deps, request('discussion.create', 'pull-request'))
    const [previewed] = previewEvent(world.deps, request('discussion.update', 'merge')).requested
    const [done] = performEvent(world.deps, request('discussion.update', 'merge')).requested
    expect({ ...previewed, id: done?.id }).toEqual(done)
  })

  test('can send what concerns a repo that is not there, in a namespace that is', () => {
    const [event] = synthesizeEvent(world.deps, {
      event: 'discussion.create',
      repo: 'datasets/acme/imagined',
    })
    expect(event).toMatchObject({
      repo: { type: 'dataset', name: 'acme/imagined', ownerId: world.organizations.acme.id },
      discussion: { num: 1 },
    })
    expect(() =>
      synthesizeEvent(world.deps, { event: 'repo.update', repo: 'nobody/imagined' }),
    ).toThrow('Namespace not found: nobody')
    expect(world.state.repos.size).toBe(0)
  })

  test('can send the creation of a repo that exists', () => {
    world.repo('acme/corpus')
    const [event] = synthesizeEvent(world.deps, { event: 'repo.create', repo: 'acme/corpus' })
    expect(event).toMatchObject({ scope: 'repo', action: 'create', repo: { name: 'acme/corpus' } })
  })
})
