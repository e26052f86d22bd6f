import { beforeEach, describe, expect, test, vi } from 'vitest'
import { commitFiles, type FileOperation } from '../../../server/hub/commits/commits.ts'
import {
  changeStatus,
  deleteDiscussion,
  openDiscussion,
} from '../../../server/hub/discussions/discussions.ts'
import {
  commitAsPullRequest,
  listConflicts,
  mergePullRequest,
  openPullRequest,
} from '../../../server/hub/discussions/pull-requests.ts'
import { readCommit } from '../../../server/hub/files/git-objects.ts'
import { mainRef } from '../../../server/hub/files/revisions.ts'
import { listFiles } from '../../../server/hub/files/trees.ts'
import type { Repo } from '../../../server/store/entities/hub-entities.ts'
import { createHubWorld, type HubWorld } from './hub-world.ts'

let world: HubWorld
let repo: Repo
const add = (path: string, content: string): FileOperation => ({ kind: 'add', path, content })

beforeEach(async () => {
  world = await createHubWorld()
  repo = world.repo('acme/corpus', { files: [add('a.txt', 'a'), add('b/c.txt', 'c')] })
})

function push(operations: FileOperation[], revision = 'main') {
  return commitFiles(world.deps, { repo: world.now(repo), revision, operations, title: 'Push' })
}

function propose(operations: FileOperation[]) {
  return commitAsPullRequest(world.deps, {
    repo: world.now(repo),
    revision: 'main',
    operations,
    title: 'Proposal',
    actorId: world.users.dave.id,
  })
}

function merge(proposal: { discussion: { id: string } }) {
  return mergePullRequest(world.deps, {
    discussion: world.state.discussions.get(proposal.discussion.id)!,
    actorId: world.users.bob.id,
  })
}

function filesOnMain(): string[] {
  const objects = world.objects(repo)
  const head = readCommit(objects, world.now(repo).refs[mainRef]!)
  return [...listFiles(objects, head.treeId).keys()]
}

describe('opening a pull request', () => {
  test('a draft has a ref, and events for ref and discussion', () => {
    const main = repo.refs[mainRef]
    const { discussion } = openPullRequest(world.deps, {
      repo,
      title: 'A plan',
      description: 'Soon',
      actorId: world.users.dave.id,
    })
    expect(discussion).toMatchObject({ num: 1, status: 'draft', base: mainRef })
    expect(world.now(repo).refs['refs/pr/1']).toBe(main)
    expect(world.events).toMatchObject([
      {
        scope: 'repo.content',
        action: 'update',
        updatedRefs: [{ ref: 'refs/pr/1', oldSha: null, newSha: main }],
      },
      {
        scope: 'discussion',
        action: 'create',
        discussion: { num: 1, status: 'draft', isPullRequest: true, base: mainRef },
        comment: { content: 'Soon', hidden: false },
      },
    ])
    expect(world.events[1]?.repo).not.toHaveProperty('headSha')
  })

  test('a pull request of a commit is open, with the commit in its timeline', () => {
    const { discussion, commit } = propose([add('d.txt', 'd')])
    expect(discussion.status).toBe('open')
    expect(world.now(repo).refs['refs/pr/1']).toBe(commit.id)
    expect(commit.parentIds).toEqual([repo.refs[mainRef]])
    const timeline = world.state.discussionEvents.group('discussion', discussion.id)
    expect(timeline.map(({ type, oid }) => [type, oid])).toEqual([
      ['comment', undefined],
      ['commit', commit.id],
    ])
  })

  test.each([
    ['x', 'Commit x'],
    ['x'.repeat(201), 'x'.repeat(200)],
    // Half a character would come to the receivers of webhooks, some of which can read no text with one.
    [`${'x'.repeat(199)}😀`, 'x'.repeat(199)],
  ])('the summary %j becomes a title', (title, shown) => {
    const { discussion } = commitAsPullRequest(world.deps, {
      repo,
      revision: 'main',
      operations: [add('d', 'd')],
      title,
      actorId: world.users.dave.id,
    })
    expect(discussion.title).toBe(shown)
  })

  test.each(['v1', 'missing', 'refs/pr/7'])('%s is not a branch', (revision) => {
    expect(() =>
      commitAsPullRequest(world.deps, {
        repo: { ...repo, refs: { ...repo.refs, 'refs/tags/v1': repo.refs[mainRef]! } },
        revision,
        operations: [add('x', 'x')],
        title: 'X',
        actorId: world.users.dave.id,
      }),
    ).toThrow(
      expect.objectContaining({
        code: 'not_found',
        hubError: 'RevisionNotFound',
      }),
    )
  })

  test('pull requests and discussions share their numbers', () => {
    openDiscussion(world.deps, { repo, title: 'Question', actorId: world.users.dave.id })
    expect(propose([add('d', 'd')]).discussion.num).toBe(2)
  })

  test('an open pull request takes further commits on its ref', () => {
    const { discussion, commit } = propose([add('d', 'd')])
    push([add('e', 'e')], 'refs/pr/1')
    expect(world.events.at(-1)?.updatedRefs).toMatchObject([
      { ref: 'refs/pr/1', oldSha: commit.id },
    ])
    expect(world.state.discussionEvents.groupSize('discussion', discussion.id)).toBe(3)
    changeStatus(world.deps, { discussion, status: 'closed', actorId: world.users.dave.id })
    expect(() => push([add('f', 'f')], 'refs/pr/1')).toThrow('Pull request #1 is closed')
  })

  test('a deleted pull request takes its ref with it', () => {
    const { discussion, commit } = propose([add('d', 'd')])
    world.events.length = 0
    deleteDiscussion(world.deps, { discussion, actorId: world.users.alice.id })
    expect(world.now(repo).refs).not.toHaveProperty('refs/pr/1')
    expect(world.events).toMatchObject([
      { scope: 'discussion', action: 'delete', discussion: { num: 1 } },
      { scope: 'repo.content', updatedRefs: [{ oldSha: commit.id, newSha: null }] },
    ])
    expect(world.state.discussionEvents.size).toBe(0)
    expect(propose([add('d', 'd')]).discussion.num).toBe(2)
  })
})

describe('merging', () => {
  test('a merge fast-forwards an unchanged base', () => {
    const proposal = propose([add('d', 'd')])
    world.events.length = 0
    const { discussion, commit } = merge(proposal)
    expect(commit.id).toBe(proposal.commit.id)
    expect(discussion).toMatchObject({ status: 'merged', mergeCommitId: commit.id })
    expect(world.events).toMatchObject([
      {
        scope: 'discussion',
        action: 'update',
        discussion: { status: 'merged', mergeCommitId: commit.id },
      },
      {
        scope: 'repo.content',
        repo: { headSha: commit.id },
        updatedRefs: [{ ref: mainRef, oldSha: repo.refs[mainRef], newSha: commit.id }],
      },
    ])
  })

  test('a merge creates a merge commit when the base has moved', () => {
    const proposal = propose([add('d.txt', 'd'), { kind: 'delete', path: 'a.txt' }])
    const { commit: pushed } = push([add('b/e.txt', 'e')])
    const { commit } = merge(proposal)
    expect(commit).toMatchObject({
      parentIds: [pushed.id, proposal.commit.id],
      title: 'Proposal (#1)',
      authorName: 'bob',
    })
    expect(filesOnMain()).toEqual(['.gitattributes', 'b/c.txt', 'b/e.txt', 'd.txt'])
  })

  test('the same change on both sides merges', () => {
    const proposal = propose([add('a.txt', 'same'), add('d.txt', 'd')])
    push([add('a.txt', 'same')])
    expect(listConflicts(world.deps, proposal.discussion)).toEqual([])
    merge(proposal)
    expect(filesOnMain()).toContain('d.txt')
  })

  test.each<[string, FileOperation[], FileOperation[], string[]]>([
    ['two contents', [add('a.txt', '1')], [add('a.txt', '2')], ['a.txt']],
    ['change and removal', [add('a.txt', '1')], [{ kind: 'delete', path: 'a.txt' }], ['a.txt']],
    ['file and folder', [add('new', '1')], [add('new/x', '2')], ['new']],
    ['folder and file', [add('new/x', '1')], [add('new', '2')], ['new/x']],
  ])('a conflict is refused: %s', (_, theirs, ours, conflicts) => {
    const proposal = propose(theirs)
    push(ours)
    const written = vi.spyOn(world.objects(repo), 'write')
    expect(listConflicts(world.deps, proposal.discussion)).toEqual(conflicts)
    expect(written).not.toHaveBeenCalled()
    expect(() => merge(proposal)).toThrow(
      expect.objectContaining({
        code: 'conflict',
        facts: { filesWithConflicts: conflicts },
      }),
    )
    expect(world.state.discussions.get(proposal.discussion.id)?.status).toBe('open')
  })

  test('a file may become a folder when only the pull request changes it', () => {
    const proposal = propose([{ kind: 'delete', path: 'a.txt' }, add('a.txt/inner', 'x')])
    push([add('z', 'z')])
    merge(proposal)
    expect(filesOnMain()).toEqual(['.gitattributes', 'a.txt/inner', 'b/c.txt', 'z'])
  })

  test('a draft and an empty pull request are not merged', () => {
    const proposal = openPullRequest(world.deps, {
      repo,
      title: 'A plan',
      actorId: world.users.dave.id,
    })
    expect(() => merge(proposal)).toThrow('must be opened')
    changeStatus(world.deps, {
      discussion: proposal.discussion,
      status: 'open',
      actorId: world.users.dave.id,
    })
    expect(() => merge(proposal)).toThrow('no changes to merge')
  })

  test('a pull request is merged once and stays merged', () => {
    const proposal = propose([add('d', 'd')])
    const { discussion } = merge(proposal)
    expect(() => merge(proposal)).toThrow('This pull request is merged')
    expect(() =>
      changeStatus(world.deps, { discussion, status: 'open', actorId: world.users.bob.id }),
    ).toThrow(expect.objectContaining({ code: 'conflict' }))
  })

  test('the event of the comment comes first', () => {
    const { discussion } = propose([add('d', 'd')])
    world.events.length = 0
    mergePullRequest(world.deps, { discussion, actorId: world.users.bob.id, comment: 'Thanks' })
    expect(world.events.map(({ scope, action }) => `${scope}.${action}`)).toEqual([
      'discussion.comment.create',
      'discussion.update',
      'repo.content.update',
    ])
  })
})
