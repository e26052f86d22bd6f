import { beforeEach, describe, expect, test } from 'vitest'
import type { RefusalCode } from '../../../server/core/refusal.ts'
import {
  addComment,
  changeStatus,
  changeTitle,
  deleteDiscussion,
  editComment,
  hideComment,
  listComments,
  openDiscussion,
  requireComment,
  requireDiscussion,
} from '../../../server/hub/discussions/discussions.ts'
import { openPullRequest } from '../../../server/hub/discussions/pull-requests.ts'
import type { Discussion, Repo } from '../../../server/store/entities/hub-entities.ts'
import { createHubWorld, type HubWorld, start } from './hub-world.ts'

let world: HubWorld
let repo: Repo
let actorId: string
let discussion: Discussion

beforeEach(async () => {
  world = await createHubWorld()
  actorId = world.users.dave.id
  repo = world.repo('acme/corpus')
  discussion = openDiscussion(world.deps, {
    repo,
    title: 'Question',
    description: 'Why?',
    actorId,
  }).discussion
})

const now = () => world.state.discussions.get(discussion.id)!
const refusal = (code: RefusalCode) => expect.objectContaining({ code })

/** Events after the discussion was opened. */
const told = () => world.events.slice(1).map(({ scope, action }) => `${scope}.${action}`)

describe('a discussion', () => {
  test('a discussion opens with a comment and the next number', () => {
    expect(discussion).toMatchObject({ num: 1, status: 'open', isPullRequest: false })
    expect(world.now(repo).lastDiscussionNumber).toBe(1)
    const [event] = world.events
    expect(event).toMatchObject({
      scope: 'discussion',
      action: 'create',
      actorId,
      discussion: { id: discussion.id, num: 1, title: 'Question', authorId: actorId },
      comment: { content: 'Why?', hidden: false },
    })
    expect(event?.discussion).not.toHaveProperty('base')
    expect(event?.repo).not.toHaveProperty('headSha')
  })

  test('numbers continue when the given repo is outdated', () => {
    const second = openDiscussion(world.deps, { repo, title: 'Again', actorId })
    expect(second.discussion.num).toBe(2)
  })

  test.each(['', 'ab', 'x'.repeat(201)])('a title of another length is refused', (title) => {
    expect(() => openDiscussion(world.deps, { repo, title, actorId })).toThrow(refusal('invalid'))
    expect(() => changeTitle(world.deps, { discussion, actorId, title })).toThrow(
      refusal('invalid'),
    )
    expect(world.state.discussions.size).toBe(1)
    expect(world.now(repo).lastDiscussionNumber).toBe(1)
  })

  test('a discussion is found by its number', () => {
    expect(requireDiscussion(world.deps, repo, 1)).toEqual(discussion)
    expect(() => requireDiscussion(world.deps, repo, 2)).toThrow(refusal('not_found'))
  })

  test('a new title is recorded, the same one is not', () => {
    changeTitle(world.deps, { discussion, actorId, title: 'Question' })
    changeTitle(world.deps, { discussion, actorId, title: 'Better question' })
    expect(now().title).toBe('Better question')
    expect(world.state.discussionEvents.last()).toMatchObject({
      type: 'title-change',
      from: 'Question',
      to: 'Better question',
    })
    expect(told()).toEqual(['discussion.update'])
    expect(world.events.at(-1)).not.toHaveProperty('comment')
  })

  test('a discussion closes and opens again', () => {
    changeStatus(world.deps, { discussion, actorId, status: 'closed', comment: 'Done' })
    expect(now().status).toBe('closed')
    changeStatus(world.deps, { discussion: now(), actorId, status: 'open' })
    expect(told()).toEqual(['discussion.comment.create', 'discussion.update', 'discussion.update'])
    const timeline = world.state.discussionEvents.group('discussion', discussion.id)
    expect(timeline.map(({ type, status }) => status ?? type)).toEqual([
      'comment',
      'comment',
      'closed',
      'open',
    ])
  })

  test.each(['open', 'merged', 'draft', 'published'])('a discussion cannot become %s', (status) => {
    expect(() => changeStatus(world.deps, { discussion, actorId, status })).toThrow(
      refusal('invalid'),
    )
    expect(told()).toEqual([])
  })

  test('a draft becomes open', () => {
    const draft = openPullRequest(world.deps, { repo, title: 'Plan', actorId }).discussion
    const opened = changeStatus(world.deps, { discussion: draft, actorId, status: 'open' })
    expect(opened).toMatchObject({ status: 'open', isPullRequest: true })
  })

  test('a deleted discussion leaves only its number', () => {
    deleteDiscussion(world.deps, { discussion, actorId })
    expect([world.state.discussions.size, world.state.discussionEvents.size]).toEqual([0, 0])
    expect(told()).toEqual(['discussion.delete'])
    expect(openDiscussion(world.deps, { repo, title: 'Next', actorId }).discussion.num).toBe(2)
  })
})

describe('a comment', () => {
  test('a comment emits an event with its discussion', () => {
    const comment = addComment(world.deps, { discussion, actorId, content: 'And how?' })
    expect(listComments(world.deps, discussion)).toHaveLength(2)
    expect(world.events.at(-1)).toMatchObject({
      scope: 'discussion.comment',
      action: 'create',
      discussion: { num: 1 },
      comment: { id: comment.id, authorId: actorId, content: 'And how?', hidden: false },
    })
  })

  test.each(['', 'x'.repeat(65_537)])('a comment has 1 to 65,536 characters', (content) => {
    expect(() => addComment(world.deps, { discussion, actorId, content })).toThrow(
      refusal('invalid'),
    )
  })

  test('a comment of 65,536 characters is accepted', () => {
    const content = 'x'.repeat(65_536)
    expect(addComment(world.deps, { discussion, actorId, content }).content).toBe(content)
  })

  test('a discussion takes 1,000 entries and refuses every other change', () => {
    const comment = addComment(world.deps, { discussion, actorId, content: 'x' })
    for (let count = 2; count < 1000; count++) {
      world.state.discussionEvents.put({ ...comment, id: `comment ${count}` })
    }
    const before = world.events.length
    const full = expect.objectContaining({
      code: 'invalid',
      message: expect.stringContaining(' is full: it has 1000 entries'),
    })
    const input = { discussion, actorId }
    expect(() => addComment(world.deps, { ...input, content: 'x' })).toThrow(full)
    expect(() => changeTitle(world.deps, { ...input, title: 'Other' })).toThrow(full)
    expect(() => changeStatus(world.deps, { ...input, status: 'closed' })).toThrow(full)
    expect([now(), world.events.length]).toEqual([discussion, before])
  })

  test('a discussion takes 8 Mi characters with the earlier versions of its comments', () => {
    const content = 'x'.repeat(65_536)
    const { id: commentId } = addComment(world.deps, { discussion, actorId, content })
    for (let count = 2; count < 127; count++) {
      addComment(world.deps, { discussion, actorId, content })
    }
    editComment(world.deps, { discussion, actorId, commentId, content })
    const full = /is full: its comments have 8323076 characters/
    expect(() => editComment(world.deps, { discussion, actorId, commentId, content })).toThrow(full)
    expect(() => addComment(world.deps, { discussion, actorId, content })).toThrow(full)
    expect(addComment(world.deps, { discussion, actorId, content: 'y' })).toBeDefined()
  })

  test('an edited comment keeps its earlier text', () => {
    const { id: commentId } = addComment(world.deps, { discussion, actorId, content: 'one' })
    world.clock.advance(1000)
    editComment(world.deps, { discussion, actorId, commentId, content: 'two' })
    world.clock.advance(1000)
    const comment = editComment(world.deps, { discussion, actorId, commentId, content: 'three' })
    expect(comment).toMatchObject({
      content: 'three',
      editedAt: start + 2000,
      history: [
        { content: 'one', at: start },
        { content: 'two', at: start + 1000 },
      ],
    })
    expect(world.events.at(-1)).toMatchObject({
      scope: 'discussion.comment',
      action: 'update',
      comment: { content: 'three' },
    })
  })

  test('the oldest of many versions are dropped', () => {
    const { id: commentId } = addComment(world.deps, { discussion, actorId, content: 'first' })
    for (let version = 1; version <= 60; version++) {
      editComment(world.deps, { discussion, actorId, commentId, content: `version ${version}` })
    }
    const { history } = requireComment(world.deps, discussion, commentId)
    expect(history?.map(({ content }) => content)).toHaveLength(50)
    expect(history?.at(-1)?.content).toBe('version 59')
  })

  test('a hidden comment stays hidden, and events leave out its content', () => {
    const { id: commentId } = addComment(world.deps, { discussion, actorId, content: 'oops' })
    hideComment(world.deps, { discussion, actorId, commentId })
    hideComment(world.deps, { discussion, actorId, commentId })
    expect(told()).toEqual(['discussion.comment.create', 'discussion.comment.update'])
    expect(world.events.at(-1)?.comment).toEqual({ id: commentId, authorId: actorId, hidden: true })
    expect(() =>
      editComment(world.deps, { discussion, actorId, commentId, content: 'again' }),
    ).toThrow(refusal('conflict'))
  })

  test('a comment is found in its own discussion only', () => {
    const other = openDiscussion(world.deps, { repo, title: 'Other', actorId })
    expect(() => requireComment(world.deps, discussion, other.comment.id)).toThrow(
      refusal('not_found'),
    )
    changeStatus(world.deps, { discussion, actorId, status: 'closed' })
    const { id } = world.state.discussionEvents.last()!
    expect(() => hideComment(world.deps, { discussion, actorId, commentId: id })).toThrow(
      refusal('not_found'),
    )
  })
})
