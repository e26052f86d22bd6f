import { beforeEach, describe, expect, test } from 'vitest'
import { readCommit } from '../../server/hub/files/git-objects.ts'
import { listCommits } from '../../server/hub/files/history.ts'
import { findLfsFile, noteLfsFile } from '../../server/hub/files/lfs-objects.ts'
import { mergePullRequest } from '../../server/hub/discussions/pull-requests.ts'
import { createTag } from '../../server/hub/commits/repo-refs.ts'
import { updateRepoSettings } from '../../server/hub/repos/repos.ts'
import { encodeTag } from '../../server/store/objects/commit-codec.ts'
import { listFiles } from '../../server/hub/files/trees.ts'
import type { Discussion, DiscussionEvent, Repo } from '../../server/store/entities/hub-entities.ts'
import { testApp } from '../helpers/app.ts'
import { type Caller, createCast, nextPage, outcomeOf } from '../helpers/cast.ts'

const [one, two, lost] = ['1', '2', '3'].map((digit) => digit.repeat(64)) as [
  string,
  string,
  string,
]

const world = testApp()
const as = createCast(world, '/api/models/acme/model/lfs-files')
let repo: Repo
const alice = as('alice')
beforeEach(() => {
  repo = world.makeRepo('acme/model')
  for (const oid of [one, two, lost]) noteLfsFile(world.deps, repo, { oid, size: 7 })
})

const now = () => world.latest(repo)
const head = (ref?: string) => world.head(repo, ref)
const operations = (files: Record<string, string>) =>
  Object.entries(files).map(([path, content]) =>
    content.length === 64
      ? { kind: 'lfs' as const, path, oid: content }
      : { kind: 'add' as const, path, content },
  )
const commit = (title: string, files: Record<string, string>) =>
  world.commit(repo, operations(files), { title })
const propose = (title: string, files: Record<string, string>) =>
  world.propose(repo, operations(files), { title })
const filesOf = (ref: string) => {
  const objects = world.deps.objects.of(repo)
  const { treeId } = readCommit(objects, head(ref))
  return [...listFiles(objects, treeId).keys()].filter((path) => path !== '.gitattributes')
}

test('large files are listed with one of their paths', async () => {
  commit('variables and secrets', { 'dir/a.bin': one })
  propose('pull', { 'b.bin': two })
  const answer = await alice.get('')
  expect(answer.status).toBe(200)
  const about = { size: 7, pushedAt: expect.stringMatching(/Z$/) }
  expect(answer.body).toEqual([
    { fileOid: one, oid: one, filename: 'dir/a.bin', ref: 'refs/heads/main', ...about },
    { fileOid: two, oid: two, filename: 'b.bin', ref: 'refs/pr/1', ...about },
    { fileOid: lost, oid: lost, filename: lost, ...about },
  ])
  expect(answer.headers['link']).toBeUndefined()
})

test('a long list has pages', async () => {
  for (let number = 0; number < 998; number++) {
    noteLfsFile(world.deps, repo, { oid: String(number).padStart(64, '0'), size: 1 })
  }
  const first = await alice.get<object[]>('')
  expect(first.body).toHaveLength(1000)
  const rest = await alice.get(nextPage(first) ?? '')
  expect(rest.body).toMatchObject([{ oid: String(997).padStart(64, '0') }])
  expect((await alice.get('?limit=2')).body).toHaveLength(2)
})

describe('deleting large files', () => {
  const remove = (sha: string[], rewriteHistory?: boolean, user = alice) =>
    user.post('/batch', { deletions: { sha, rewriteHistory } })

  test('deleting large files without a rewrite leaves their pointers as small files', async () => {
    const id = commit('variables and secrets', { 'a.bin': one, 'b.bin': two })
    expect((await remove([one, 'unknown'], false)).body).toEqual({})
    expect(head()).toBe(id)
    expect(findLfsFile(world.deps, repo, one)).toBeUndefined()
    const tree = await world.as().get<{ lfs?: object }[]>('/api/models/acme/model/tree/main')
    const [, a, b] = tree.body
    expect(a).not.toHaveProperty('lfs')
    expect(b).toHaveProperty('lfs')
  })

  test('history is rewritten unless the request says otherwise', async () => {
    const id = commit('two files', { 'a.bin': one, 'b.bin': two })
    expect((await remove([one])).status).toBe(200)
    expect(head()).not.toBe(id)
    expect(filesOf('refs/heads/main')).toEqual(['b.bin'])
  })

  test('large files can be removed from the history of all refs, with one event', async () => {
    const first = commit('first', { 'x/a.bin': one, 'b.bin': two, 'c.txt': 'c' })
    createTag(world.deps, { repo: now(), actorId: world.users.alice.id, name: 'light' })
    const by = { name: 'A', email: 'a@x.example', seconds: 1, timeZone: '+0000' }
    const tag = encodeTag({
      objectId: first,
      objectType: 'commit',
      name: 'heavy',
      tagger: by,
      headers: [],
      message: 'tagged\n',
    })
    const tagId = world.deps.objects.of(repo).write('tag', tag)
    world.state.repos.put({ ...now(), refs: { ...now().refs, 'refs/tags/heavy': tagId } })
    const before = now().refs
    commit('second', { 'd.txt': 'd' })
    const second = readCommit(world.deps.objects.of(repo), head())
    world.events.length = 0

    expect((await remove([one], true)).status).toBe(200)
    expect(filesOf('refs/heads/main')).toEqual(['b.bin', 'c.txt', 'd.txt'])
    expect(filesOf('refs/tags/light')).toEqual(['b.bin', 'c.txt'])
    const after = readCommit(world.deps.objects.of(repo), head())
    expect(after).toMatchObject({ title: 'second', date: second.date, authorName: 'alice' })
    expect(after.parentIds).toEqual([head('refs/tags/light')])
    expect(head('refs/tags/heavy')).not.toBe(before['refs/tags/heavy'])
    const object = world.deps.objects.of(repo).read(head('refs/tags/heavy'))
    expect(object.content.toString()).toContain(`object ${head('refs/tags/light')}\n`)
    expect(world.hubEvents()).toMatchObject([{ scope: 'repo.content', action: 'update' }])
    const [event] = world.hubEvents()
    expect(event?.updatedRefs?.map(({ ref }) => ref).toSorted()).toEqual([
      'refs/heads/main',
      'refs/tags/heavy',
      'refs/tags/light',
    ])
  })

  test('discussions name the rewritten commits', async () => {
    const untouched = propose('Of a file that stays', { 'b.bin': two })
    const merged = propose('Merged', { 'a.bin': one })
    const open = propose('Open', { 'c/a.bin': one })
    commit('meanwhile', { 'd.txt': 'd' })
    mergePullRequest(world.deps, { discussion: merged, actorId: world.users.alice.id })
    const timeline = ({ id }: Discussion) => world.state.discussionEvents.group('discussion', id)
    const before = timeline(merged)

    expect((await remove([one], true)).status).toBe(200)
    const objects = world.deps.objects.of(repo)
    const ids = (ref: string) => new Set([...listCommits(objects, head(ref))].map(({ id }) => id))
    const main = ids('refs/heads/main')
    const oidsOf = (discussion: Discussion) => timeline(discussion).flatMap(({ oid }) => oid ?? [])
    expect(world.state.discussions.get(merged.id)?.mergeCommitId).toBe(head())
    expect(oidsOf(merged)).toHaveLength(1)
    expect(oidsOf(merged).every((oid) => main.has(oid))).toBe(true)
    expect(oidsOf(open)).toEqual([head(`refs/pr/${open.num}`)])
    expect(oidsOf(untouched)).toEqual([head(`refs/pr/${untouched.num}`)])
    // All else of it is as it was, and where it was.
    const rest = ({ oid: _oid, ...event }: DiscussionEvent) => event
    expect(timeline(merged).map(rest)).toEqual(before.map(rest))
  })

  test('write access is required', async () => {
    const carol = as('carol')
    expect((await remove([one], true, carol)).status).toBe(403)
    expect((await remove([one], true, as())).status).toBe(401)
    expect((await remove(Array.from({ length: 1001 }, () => one))).status).toBe(400)
    expect(findLfsFile(world.deps, repo, one)).toBeDefined()
  })
})

describe('copying large files', () => {
  let target: Repo
  beforeEach(() => {
    target = world.makeRepo('carol/copy', { type: 'dataset' })
  })
  const copy = (user: Caller) =>
    user.post('/duplicate', {
      target: { type: 'dataset', name: 'carol/copy' },
      files: [
        { sha256: one, filename: 'a', xetHash: null },
        { sha256: 'f'.repeat(64), filename: 'b' },
      ],
    })

  test('another repo may refer to copied files, and missing ones are named', async () => {
    const answer = await copy(as('carol'))
    expect(answer.body).toEqual({
      success: false,
      processed: 2,
      succeeded: 1,
      failed: [{ xetHash: '', sha256: 'f'.repeat(64), error: 'The object is not in this repo' }],
    })
    expect(findLfsFile(world.deps, target, one)).toMatchObject({ size: 7 })
  })

  test('a copy needs access to the gated source and write access to the target', async () => {
    updateRepoSettings(world.deps, { repo, settings: { gated: 'manual' } })
    const gated = await copy(as('carol'))
    expect(outcomeOf(gated)).toBe('403 GatedRepo')
    const settings = { visibility: 'private' as const }
    updateRepoSettings(world.deps, { repo: target, settings })
    expect((await copy(alice)).status).toBe(404)
    expect((await copy(as())).status).toBe(401)
    expect(findLfsFile(world.deps, target, one)).toBeUndefined()
  })
})
