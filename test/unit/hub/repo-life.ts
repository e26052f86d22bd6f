import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { deflateSync } from 'node:zlib'
import * as fc from 'fast-check'
import { Refusal } from '../../../server/core/refusal.ts'
import type { HubEvent } from '../../../server/hub/events/hub-event.ts'
import { RefFiles } from '../../../server/hub/git/packed-refs.ts'
import { commitFiles } from '../../../server/hub/commits/commits.ts'
import { changeStatus, requireDiscussion } from '../../../server/hub/discussions/discussions.ts'
import { peelTags, readBlob, readCommit } from '../../../server/hub/files/git-objects.ts'
import { listCommits } from '../../../server/hub/files/history.ts'
import {
  commitAsPullRequest,
  mergePullRequest,
  openPullRequest,
} from '../../../server/hub/discussions/pull-requests.ts'
import { applyPush } from '../../../server/hub/uploads/pushes.ts'
import {
  createBranch,
  createTag,
  deleteBranch,
  deleteTag,
  squashRef,
} from '../../../server/hub/commits/repo-refs.ts'
import { openLfsContents } from '../../../server/hub/files/file-contents.ts'
import { createLfsTransfers } from '../../../server/hub/uploads/lfs-transfers.ts'
import { createRepo, deleteRepo, duplicateRepo, moveRepo } from '../../../server/hub/repos/repos.ts'
import { findRepo } from '../../../server/hub/access/find-repo.ts'
import { commitOfRef, requireWritableRef } from '../../../server/hub/files/revisions.ts'
import { listFiles } from '../../../server/hub/files/trees.ts'
import { createFolderObjects } from '../../../server/store/objects/folder-objects.ts'
import { createMemoryObjects } from '../../../server/store/objects/memory-objects.ts'
import type { ObjectStore, ObjectStores } from '../../../server/store/objects/object-store.ts'
import type { Repo } from '../../../server/store/entities/hub-entities.ts'
import { definitions, stateFormatVersion } from '../../../server/store/state.ts'
import { openStore } from '../../../server/store/store.ts'
import { hasProgram } from '../../helpers/programs.ts'
import { createHubWorld, type HubWorld } from './hub-world.ts'
import { GitPushes } from './git-pushes.ts'
import {
  type Act,
  type Files,
  largeContents,
  type ModelFile,
  nobodysNum,
  type Operation,
  type Outcome,
  type Place,
  pointerTo,
  type Push,
  type PushedChange,
  RepoModel,
  type Step,
  type Emitted,
} from './repo-model.ts'

// Few names of each kind, so that they meet: files that others need as a folder, branches that clash with others.
const path = fc.constantFrom('a', 'a/b', 'a.b', 'd/a', 'd/b', 'd/e/a', 'd/e', 'x')
const content = fc.constantFrom('', 'one\n', 'two\n', 'three\n')
const branch = fc.constantFrom('main', 'main', 'main', 'main', 'dev', 'dev', 'dev/x', 'other')
const tag = fc.constantFrom('v1', 'v1/x', 'v2')
const oid = fc.constantFrom(...largeContents.keys())
const num = fc.constantFrom(1, 1, 2, 3)
/** Counted anew behind the last, but for one that is never there. */
const pull = fc.constantFrom(1, 2, 3, 4, 5, 6, nobodysNum)
const ref: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: branch.map((name) => `refs/heads/${name}`) },
  { weight: 3, arbitrary: num.map((each) => `refs/pr/${each}`) },
  { weight: 1, arbitrary: tag.map((name) => `refs/tags/${name}`) },
)
const place: fc.Arbitrary<Place> = fc.oneof(ref, ref, fc.nat(30))

const operations = fc.array(
  fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record({ kind: fc.constant('add' as const), path, content }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('add' as const), path, content, oldPath: path }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('lfs' as const), path, oid }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), path }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('deleteFolder' as const),
        path: fc.constantFrom('d', 'd', 'd/e', 'a'),
      }),
    },
  ) satisfies fc.Arbitrary<Operation>,
  { minLength: 1, maxLength: 3 },
)

const edit = fc.array(
  fc.tuple(
    path,
    fc.option(
      fc.oneof(
        fc
          .tuple(fc.constantFrom('100644', '100755'), fc.oneof(content, oid.map(pointerTo)))
          .map(([mode, each]): ModelFile => ({ mode, content: each })),
        fc.constant<ModelFile>({ mode: '120000', content: 'x' }),
      ),
    ),
  ),
  { minLength: 1, maxLength: 3 },
)

const change: fc.Arbitrary<PushedChange> = fc.record({
  ref,
  what: fc.constantFrom('commits', 'commits', 'merge', 'tag object', 'as it is', 'delete'),
  from: place,
  edits: fc.array(edit, { minLength: 1, maxLength: 2 }),
  isLate: fc.nat(6).map((nth) => nth === 1),
})

const is = <T extends string>(name: T) => fc.constant(name)

const usual: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('commit', 'propose'),
      ref: fc.oneof({ weight: 2, arbitrary: is('refs/heads/main') }, { weight: 1, arbitrary: ref }),
      parent: fc.oneof(is(null as never), is(null as never), place),
      operations,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: is('push'),
      changes: fc.array(change, { minLength: 1, maxLength: 3 }),
      atomic: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: is('make branch'),
      name: branch,
      from: place,
      how: fc.constantFrom('plain', 'plain', 'empty', 'overwrite'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: is('make tag'), name: tag, from: place }) },
  { weight: 1, arbitrary: fc.record({ do: is('delete branch'), name: branch }) },
  { weight: 1, arbitrary: fc.record({ do: is('delete tag'), name: tag }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: is('move'),
      name: fc.constantFrom('acme/corpus', 'acme/Corpus', 'alice/corpus', 'acme/taken'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: is('upload'), oid }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('open pull request', 'squash'), ref }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: is('set status'),
      num: pull,
      status: fc.constantFrom('open', 'open', 'closed'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: is('merge'), num: pull }) },
)

/** After these there are no branches and no pull requests: they are rare, so that there are some. */
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 40, arbitrary: usual },
  { weight: 1, arbitrary: fc.record({ do: is('delete and make again') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: is('duplicate'),
      name: fc.constantFrom('acme/copy', 'alice/Copy', 'alice/corpus', 'acme/corpus', 'acme/taken'),
    }),
  },
)

/** Actions on a repo, in any order. */
export const repoSteps = fc.array(step, { minLength: 1, maxLength: 25, size: 'max' })

/** How pushes come: as what git has unpacked, or as packs of git by HTTP. */
export type PushWay = 'unpacked' | 'by HTTP'

/**
 * Does the same to a repo in memory, to one in a folder and to the model, and looks after each step whether all three agree;
 * in the end also at what a later run finds in the folder, and at what git makes of the same commits.
 * @throws {Error} what does not agree
 */
export async function liveThrough(
  steps: readonly Step[],
  way: PushWay = 'unpacked',
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'hub-sandbox-life-'))
  const lives = [
    await begin(createMemoryObjects()),
    await begin(createFolderObjects(join(directory, 'repos')), directory),
  ] as const
  const pushes = way === 'unpacked' ? undefined : new GitPushes(join(directory, 'pusher.git'))
  const end = async () => {
    await pushes?.close()
    for (const { world } of lives) await world.store.close()
    for (const { objects } of lives) await objects.close()
  }
  try {
    const model = modelOf(lives[0], way)
    const push: Pushing = (life, act) =>
      pushes?.push(life.world, life.now(), act, model.made) ?? pushUnpacked(life, act)
    for (const step of steps) {
      for (const { world } of lives) world.clock.advance(10_000)
      const act = model.mean(step, lives[0].world.clock.now() / 1000)
      const wanted = { refused: undefined, done: undefined, ...model.take(act) }
      for (const life of lives) {
        assert.deepEqual([act, await take(life, act, push)], [act, wanted])
        assert.deepEqual([act, life.now().refs], [act, Object.fromEntries(model.refs)])
      }
    }
    for (const { world, objects, now, left, gone } of lives) {
      await expectSame(world.state, objects, now(), model)
      expectLeft(world.state, objects, left)
      expectGone(world.state, gone)
    }
    await end()
    await expectOnDisk(directory, lives[1], model)
  } finally {
    await end()
    rmSync(directory, { recursive: true, force: true })
  }
}

interface Life {
  readonly world: HubWorld
  readonly objects: ObjectStores
  readonly lfs: ReturnType<typeof createLfsTransfers>
  /** The repo as it is then. */
  readonly now: () => Repo
  /** From here on, this one is it. */
  readonly follow: (repo: Repo) => void
  /** Those that it was before it was duplicated, as they were then. */
  readonly left: Left[]
  /** Ids of those that were deleted. */
  readonly gone: string[]
}

interface Left {
  readonly repo: Repo
  readonly files: Files
}

type Pushing = (life: Life, act: Push) => Promise<boolean[]>

const hasGit = hasProgram('git')
const startNames = { name: 'acme/corpus', taken: 'acme/taken' }

async function begin(objects: ObjectStores, directory?: string): Promise<Life> {
  const world = await createHubWorld(objects, directory)
  world.repo(startNames.taken)
  const files = ['d/a', 'd/b', 'x'].map(
    (each) => ({ kind: 'add', path: each, content: '' }) as const,
  )
  let repo = world.repo(startNames.name, { files })
  world.events.length = 0
  return {
    world,
    objects,
    lfs: createLfsTransfers(world.deps),
    now: () => world.now(repo),
    follow: (other) => void (repo = other),
    left: [],
    gone: [],
  }
}

function modelOf({ world, objects, now }: Life, way: PushWay): RepoModel {
  const first = readCommit(objects.of(now()), now().refs['refs/heads/main'] ?? '')
  return new RepoModel({
    ...startNames,
    user: `alice <${world.users.alice.id}+alice@users.noreply.localhost>`,
    files: filesOf(objects.of(now()), first.treeId),
    seconds: first.date / 1000,
    looksAtPushes: way === 'by HTTP',
  })
}

async function take(life: Life, act: Act, push: Pushing): Promise<Outcome> {
  const { events } = life.world
  events.length = 0
  let outcome: Pick<Outcome, 'refused' | 'done'> = {}
  try {
    if (act.do === 'push') outcome = { done: await push(life, act) }
    else if (act.do === 'upload') await upload(life, act.oid)
    else callDomain(life, act)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    outcome = { refused: error.code }
  }
  return { refused: undefined, done: undefined, ...outcome, emitted: events.map(emittedBy) }
}

function emittedBy(event: HubEvent): Emitted {
  const { scope, action, updatedRefs, discussion, movedTo } = event
  return {
    scope,
    action,
    ...(updatedRefs !== undefined && { updatedRefs }),
    ...(discussion !== undefined && { num: discussion.num, status: discussion.status }),
    ...(movedTo !== undefined && { movedTo: movedTo.name }),
  } as Emitted
}

async function upload({ lfs, now }: Life, oid: string): Promise<void> {
  const bytes = largeContents.get(oid)
  if (bytes === undefined) throw new Error(`there is no content ${oid}`)
  const content = { oid, size: bytes.length }
  const permission = { purpose: 'upload', repoId: now().id, content } as const
  await lfs.take(permission, Readable.from([bytes]))
}

function callDomain(life: Life, act: Exclude<Act, Push | { do: 'upload' }>): object {
  const { world, objects, now } = life
  const { deps, users } = world
  const whose = { repo: now(), actorId: users.alice.id }
  const discussion = (num: number) => requireDiscussion(deps, whose.repo, num)
  switch (act.do) {
    case 'commit':
    case 'propose': {
      const { ref: revision, parent, operations } = act
      const which = { revision, ...(parent !== null && { parentCommit: parent }) }
      const input = { ...whose, ...which, operations, title: 'A change' }
      return act.do === 'commit' ? commitFiles(deps, input) : commitAsPullRequest(deps, input)
    }
    case 'open pull request':
      return openPullRequest(deps, { ...whose, title: 'A wish', base: act.ref })
    case 'make branch': {
      const { name, from, how } = act
      const kind = { emptyBranch: how === 'empty', overwrite: how === 'overwrite' }
      return createBranch(deps, { ...whose, ...kind, name, startingPoint: from })
    }
    case 'make tag':
      return createTag(deps, { ...whose, name: act.name, revision: act.from })
    case 'delete branch':
      return deleteBranch(deps, { ...whose, name: act.name })
    case 'delete tag':
      return deleteTag(deps, { ...whose, name: act.name })
    case 'squash':
      return squashRef(deps, {
        ...whose,
        ref: requireWritableRef(whose.repo, act.ref),
        message: 'All at once',
      })
    case 'set status':
      return changeStatus(deps, { ...whose, discussion: discussion(act.num), status: act.status })
    case 'merge':
      return mergePullRequest(deps, { ...whose, discussion: discussion(act.num) })
    case 'duplicate': {
      const copy = duplicateRepo(deps, { ...whose, toName: act.name })
      const store = objects.of(whose.repo)
      const { treeId } = readCommit(store, whose.repo.refs['refs/heads/main'] ?? '')
      life.left.push({ repo: whose.repo, files: filesOf(store, treeId) })
      life.follow(copy)
      return copy
    }
    case 'delete and make again': {
      deleteRepo(deps, whose)
      life.gone.push(whose.repo.id)
      const made = createRepo(deps, { type: 'model', name: whose.repo.name })
      life.follow(made)
      return made
    }
    default:
      return moveRepo(deps, { ...whose, toName: act.name })
  }
}

/** Writes loose objects as git unpacks them, into a folder that is then adopted. */
async function pushUnpacked(
  { world, objects, now }: Life,
  { objects: brought, ...input }: Push,
): Promise<boolean[]> {
  const folder = objects.temporary()
  for (const { id, bytes } of brought) {
    const file = join(folder, id.slice(0, 2), id.slice(2))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, deflateSync(bytes))
  }
  if (brought.length > 0) await objects.of(now()).takeLoose(folder)
  rmSync(folder, { recursive: true, force: true })
  const who = { kind: 'session', user: world.users.alice } as const
  const results = applyPush(world.deps, who, { ...input, repo: now() })
  return results.map(({ problem }) => problem === undefined)
}

type State = HubWorld['state']

/** Compares all that can be read of a repo with the model. */
async function expectSame(
  state: State,
  objects: ObjectStores,
  repo: Repo,
  model: RepoModel,
): Promise<void> {
  const store = objects.of(repo)
  assert.deepEqual([repo.name, repo.refs], [model.name, Object.fromEntries(model.refs)])
  for (const ref of model.refs.keys()) {
    const head = model.commitOf(ref)
    if (head === undefined) throw new Error(`the model has no commit of ${ref}`)
    const commits = [...listCommits(store, commitOfRef(store, repo, ref))]
    assert.deepEqual(commits[0]?.id, head.id)
    assert.deepEqual(new Set(commits.map(({ id }) => id)), model.ancestors([head.id]))
    for (const { id, treeId } of commits) {
      assert.deepEqual([id, filesOf(store, treeId)], [id, model.commits.get(id)?.files])
    }
  }
  for (const pull of model.pulls) {
    const found = requireDiscussion({ state }, repo, pull.num)
    const timeline = state.discussionEvents.group('discussion', found.id)
    const commits = timeline.flatMap(({ oid }) => oid ?? [])
    assert.deepEqual(
      [pull.num, found.status, commits.toSorted()],
      [pull.num, pull.status, [...pull.commits].toSorted()],
    )
  }
  const contents = state.lfsFiles.group('repo', repo.id)
  assert.deepEqual(new Set(contents.map((each) => each.oid)), model.uploaded)
  for (const content of contents) {
    const bytes = await buffer(openLfsContents(objects.lfs, content).read(undefined))
    assert.deepEqual(bytes, largeContents.get(content.oid))
  }
  for (const name of model.names) {
    const found = findRepo({ state }, 'model', name)
    const moved = name.toLowerCase() !== model.name.toLowerCase()
    assert.deepEqual([name, found?.repo.id, found?.moved], [name, repo.id, moved])
  }
}

/** Checks that the source of a duplicate is unchanged. */
function expectLeft(state: State, objects: ObjectStores, left: readonly Left[]): void {
  for (const { repo, files } of left) {
    assert.deepEqual(state.repos.get(repo.id), repo)
    const store = objects.of(repo)
    const { treeId } = readCommit(store, repo.refs['refs/heads/main'] ?? '')
    assert.deepEqual(filesOf(store, treeId), files)
  }
}

/** Nothing is left of what was deleted. */
function expectGone(state: State, ids: readonly string[]): void {
  for (const id of ids) {
    assert.equal(state.repos.get(id), undefined)
    assert.deepEqual(state.lfsFiles.group('repo', id), [])
    assert.deepEqual(state.discussions.group('repo', id), [])
    const redirects = [...state.repoRedirects.values()].filter(({ repoId }) => repoId === id)
    assert.deepEqual(redirects, [])
  }
}

function filesOf(store: ObjectStore, treeId: string): Files {
  return new Map(
    [...listFiles(store, treeId)].map(([name, { oid, mode }]) => [
      name,
      { mode, content: readBlob(store, oid).toString() },
    ]),
  )
}

/** The same for those who come later, by our own hand or with git. */
async function expectOnDisk(
  directory: string,
  { now, left, gone }: Life,
  model: RepoModel,
): Promise<void> {
  const objects = createFolderObjects(join(directory, 'repos'))
  const store = await openStore(definitions, { formatVersion: stateFormatVersion, directory })
  const repo = store.collections.repos.get(now().id)
  if (repo === undefined) throw new Error('the repo is not on the disk')
  await expectSame(store.collections, objects, repo, model)
  expectLeft(store.collections, objects, left)
  expectGone(store.collections, gone)
  await store.close()
  if (hasGit) {
    const folder = await objects.folderFor(repo)
    new RefFiles(() => objects.temporary()).bring(folder, repo.refs, (each) =>
      peelTags(objects.of(repo), each),
    )
    const git = (args: string[], input = '') =>
      execFileSync('git', ['-C', folder, ...args], { input, encoding: 'utf8', stdio: 'pipe' })
    git(['fsck', '--full', '--strict', '--no-dangling'])
    const refs = git(['for-each-ref', '--format=%(refname) %(objectname)']).trimEnd().split('\n')
    assert.deepEqual(refs, [...model.refs].map((pair) => pair.join(' ')).toSorted())
    const ids = git(['fast-import', '--quiet', '--force'], importOf(model))
    assert.deepEqual(ids.trimEnd().split('\n'), [...model.commits.keys()])
  }
  await objects.close()
}

/** All commits of the model, for git to make them again and to tell their ids. @see git-fast-import(1) */
function importOf({ commits }: RepoModel): string {
  const marks = new Map([...commits.keys()].map((id, index) => [id, `:${index + 1}`]))
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}`
  const made = [...commits.values()].map(({ id, by, seconds, message, parents, files }) => {
    const [from, ...others] = parents.map((parent) => marks.get(parent))
    return [
      // What follows begins without a parent.
      'reset refs/heads/imported\n',
      'commit refs/heads/imported',
      `mark ${marks.get(id)}`,
      `author ${by} ${seconds} +0000`,
      `committer ${by} ${seconds} +0000`,
      data(message),
      ...(from === undefined ? [] : [`from ${from}`]),
      ...others.map((other) => `merge ${other}`),
      'deleteall',
      ...[...files].map(([name, file]) => `M ${file.mode} inline ${name}\n${data(file.content)}`),
      '',
      `get-mark ${marks.get(id)}`,
      '',
    ].join('\n')
  })
  return `feature done\n${made.join('')}done\n`
}
