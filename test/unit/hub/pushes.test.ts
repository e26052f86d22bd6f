import { beforeEach, describe, expect, test } from 'vitest'
import { commitFiles } from '../../../server/hub/commits/commits.ts'
import { permitPush } from '../../../server/hub/commits/commit-access.ts'
import { writeBlob, writeCommit, readCommit } from '../../../server/hub/files/git-objects.ts'
import { type Principal } from '../../../server/hub/access/principal.ts'
import { openPullRequest } from '../../../server/hub/discussions/pull-requests.ts'
import { applyPush, judgePush, type RefCommand } from '../../../server/hub/uploads/pushes.ts'
import { createBranch } from '../../../server/hub/commits/repo-refs.ts'
import { mainRef } from '../../../server/hub/files/revisions.ts'
import type { Repo } from '../../../server/store/entities/hub-entities.ts'
import { createHubWorld, type HubWorld, start } from './hub-world.ts'

let world: HubWorld
let repo: Repo
let head: string
let child: string
beforeEach(async () => {
  world = await createHubWorld()
  repo = world.repo('acme/corpus', { files: [{ kind: 'add', path: 'a', content: 'a' }] })
  head = repo.refs[mainRef]!
  child = childOf(head)
  world.events.length = 0
})

/** A commit that is there, and that no ref leads to. */
function childOf(parentId: string): string {
  const objects = world.objects(repo)
  return writeCommit(objects, {
    treeId: readCommit(objects, parentId).treeId,
    parentIds: [parentId],
    title: `After ${parentId.slice(0, 7)}`,
    message: '',
    authorName: 'Zoë',
    date: start,
  }).id
}

const as = (name: 'alice' | 'bob' | 'carol' | 'dave') =>
  ({ kind: 'session', user: world.users[name] }) as const
const moving = (ref: string, oldId: string | null, newId: string | null): RefCommand => ({
  ref,
  oldId,
  newId,
})
const push = (commands: RefCommand[], { who = as('bob'), atomic = false } = {}) =>
  applyPush(world.deps, who, {
    repo: world.now(repo),
    commands,
    atomic,
  })
const problems = (results: { problem?: string }[]) => results.map(({ problem }) => problem)

describe('a push', () => {
  test('a push moves all its refs in one event, in order', () => {
    const tag = moving('refs/tags/v1', null, child)
    expect(problems(push([tag, moving(mainRef, head, child)]))).toEqual([undefined, undefined])
    expect(world.now(repo).refs).toMatchObject({ [mainRef]: child, 'refs/tags/v1': child })
    expect(world.events).toMatchObject([
      {
        scope: 'repo.content',
        actorId: world.users.bob.id,
        updatedRefs: [
          { ref: 'refs/tags/v1', oldSha: null, newSha: child },
          { ref: mainRef, oldSha: head, newSha: child },
        ],
      },
    ])
  })

  test('a push that moves nothing emits no event', () => {
    expect(problems(push([moving(mainRef, head, head)]))).toEqual([undefined])
    expect(world.events).toEqual([])
  })

  test.each([
    ['refs/heads/new', null, 'refs/heads/new/x'],
    ['refs/heads/new/x', null, 'refs/heads/new'],
  ])('a ref is refused beside one that would be its folder: %s', (ref, oldId, there) => {
    createBranch(world.deps, { repo, name: there.slice('refs/heads/'.length) })
    expect(problems(push([moving(ref, oldId, child)]))).toEqual([`conflicts with ${there}`])
  })

  test('a ref stays in the way when its deletion is refused', () => {
    createBranch(world.deps, { repo, name: 'old' })
    const results = push([
      moving('refs/heads/old', child, null),
      moving('refs/heads/old/x', null, child),
    ])
    expect(problems(results)).toEqual(['fetch first', 'conflicts with refs/heads/old'])
  })

  test('a push may delete a ref in the way, but not create two that clash', () => {
    createBranch(world.deps, { repo, name: 'old' })
    const results = push([
      moving('refs/heads/old/x', null, child),
      moving('refs/heads/old', head, null),
      moving('refs/heads/new', null, child),
      moving('refs/heads/new/x', null, child),
    ])
    expect(problems(results)).toEqual([
      undefined,
      undefined,
      undefined,
      'conflicts with refs/heads/new',
    ])
    expect(Object.keys(world.now(repo).refs)).toEqual([
      mainRef,
      'refs/heads/old/x',
      'refs/heads/new',
    ])
  })

  test('a ref that moved, exists or is gone is refused', () => {
    const before = world.now(repo)
    const results = push([
      moving(mainRef, child, head),
      moving('refs/heads/new', head, child),
      moving('refs/heads/none', head, null),
    ])
    expect(problems(results)).toEqual(['fetch first', 'fetch first', 'fetch first'])
    expect(problems(push([moving(mainRef, null, child)]))).toEqual(['fetch first'])
    expect(world.now(repo)).toBe(before)
    expect(world.events).toEqual([])
  })

  test('a push names a ref only once', () => {
    const twice = [moving(mainRef, head, child), moving(mainRef, head, null)]
    const problem = 'multiple updates for ref not allowed'
    expect(problems(push(twice))).toEqual([problem, problem])
  })

  test('branches point to commits, tags also through tags', () => {
    const { id: blob } = writeBlob(world.objects(repo), Buffer.from('x'))
    expect(
      problems(push([moving('refs/heads/x', null, blob), moving('refs/tags/x', null, blob)])),
    ).toEqual(Array.from({ length: 2 }, () => 'it leads to a blob, not to a commit'))
  })

  test('an atomic push does all or nothing', () => {
    const commands = [moving('refs/heads/x', null, child), moving('refs/notes/x', null, child)]
    const [first, second] = push(commands, { atomic: true })
    expect([first?.problem, second?.problem]).toEqual([
      'atomic push failure',
      'only branches, tags and pull requests can be pushed',
    ])
    expect(world.events).toEqual([])
    expect(push(commands)[0]?.problem).toBeUndefined()
    expect(world.events).toHaveLength(1)
  })

  test('a push follows the rules of a commit, with the reason of a refusal', () => {
    const input = { repo, commands: [moving(mainRef, head, child)], atomic: false }
    expect(judgePush(world.deps, as('carol'), input)).toEqual([
      {
        ref: mainRef,
        problem: 'Committing, branching and tagging needs the write right',
        detail: 'carol has the read right there',
      },
    ])
  })

  test('a push is open to writers and authors of open pull requests', () => {
    const permitted = (who: Principal) => () => permitPush(world.deps, who, world.now(repo))
    expect(permitted(as('bob'))).not.toThrow()
    expect(permitted(as('dave'))).toThrow('needs the write right')
    expect(permitted({ kind: 'anonymous' })).toThrow('Invalid username or password')
    const { discussion } = openPullRequest(world.deps, {
      repo,
      title: 'Mine',
      actorId: world.users.dave.id,
    })
    expect(permitted(as('dave'))).not.toThrow()
    expect(permitted(as('carol'))).toThrow('needs the write right')
    world.state.discussions.put({ ...discussion, status: 'merged' })
    expect(permitted(as('dave'))).toThrow('needs the write right')
  })

  test('a push to a pull request adds each commit to its timeline', () => {
    const { discussion } = openPullRequest(world.deps, {
      repo,
      title: 'Mine',
      actorId: world.users.dave.id,
    })
    const ref = `refs/pr/${discussion.num}`
    const next = childOf(child)
    commitFiles(world.deps, {
      repo: world.now(repo),
      revision: 'main',
      title: 'Of main',
      operations: [{ kind: 'add', path: 'b', content: 'b' }],
    })
    expect(problems(push([moving(ref, head, next)], { who: as('dave') }))).toEqual([undefined])
    const oids = () =>
      [...world.state.discussionEvents.values()].flatMap(({ type, oid }) =>
        type === 'commit' ? [oid] : [],
      )
    expect(oids()).toEqual([child, next])
    // What is on the base already is none of its commits.
    const main = world.now(repo).refs[mainRef]!
    const merged = childOf(main)
    push([moving(ref, next, merged)], { who: as('dave') })
    expect(oids()).toEqual([child, next, merged])
  })
})
