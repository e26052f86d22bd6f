import { beforeEach, describe, expect, test } from 'vitest'
import type {
  DiscussionResponse,
  DiscussionEventResponse,
  DiscussionsResponse,
} from '../../server/contract/hub-discussions.ts'
import { reactionNames } from '../../server/contract/words/hub-words.ts'
import { deleteUser } from '../../server/hub/accounts/users.ts'
import {
  addComment,
  hideComment,
  openDiscussion,
} from '../../server/hub/discussions/discussions.ts'
import { isEmoji } from '../../server/hub/discussions/reactions.ts'
import { testApp } from '../helpers/app.ts'
import type { Caller } from '../helpers/cast.ts'

const world = testApp()
const { as } = world
const bob = as('bob')
let commentId: string
let path: string
beforeEach(() => {
  const repo = world.makeRepo('alice/tiny')
  const { comment } = openDiscussion(world.deps, {
    repo,
    title: 'A question',
    actorId: world.users.bob.id,
  })
  commentId = comment.id
  path = `/api/models/alice/tiny/discussions/1/comment/${commentId}/reaction`
  world.events.length = 0
})

const react = (user: Caller, reaction: unknown, url = path) =>
  user.post<{ updatedComment: DiscussionEventResponse }>(url, { reaction })
const unreact = (user: Caller, reaction: string) => user.delete(path, { reaction })
const reactions = async () =>
  (await as().get<DiscussionResponse>('/api/models/alice/tiny/discussions/1')).body.events[0]?.data
    .reactions
const discussion = () => world.state.discussions.find('number', `${repoId()}/1`)!
const repoId = () => world.state.repos.find('name', 'model/alice/tiny')?.id ?? ''

describe('a reaction to a comment', () => {
  test('counts once for each user, and is taken back once', async () => {
    const answer = await react(as('alice'), 'thumbsup')
    expect(answer.body.updatedComment).toMatchObject({
      id: commentId,
      data: { edited: false, reactions: [{ reaction: 'thumbsup', users: ['alice'], count: 1 }] },
    })
    await react(as('alice'), 'thumbsup')
    await react(bob, 'fire')
    await react(bob, 'thumbsup')
    expect(await reactions()).toEqual([
      { reaction: 'thumbsup', users: ['alice', 'bob'], count: 2 },
      { reaction: 'fire', users: ['bob'], count: 1 },
    ])
    expect((await unreact(bob, 'fire')).status).toBe(200)
    expect((await unreact(bob, 'fire')).status).toBe(200)
    expect(await reactions()).toEqual([{ reaction: 'thumbsup', users: ['alice', 'bob'], count: 2 }])
    expect(world.hubEvents()).toEqual([])
  })

  test('is summed up in the list, which it can sort', async () => {
    const actorId = world.users.bob.id
    const repo = world.state.repos.get(repoId())!
    const other = openDiscussion(world.deps, { repo, title: 'Another one', actorId })
    addComment(world.deps, { discussion: other.discussion, actorId, content: 'Text' })
    await react(as('alice'), 'thumbsup')
    await react(bob, 'thumbsup')
    await react(bob, 'fire')
    const list = async (query: string) =>
      (await as().get<DiscussionsResponse>(`/api/models/alice/tiny/discussions${query}`)).body
        .discussions
    expect((await list('')).map(({ num }) => num)).toEqual([2, 1])
    const [first, second] = await list('?sort=reactions')
    expect(first).toMatchObject({
      num: 1,
      topReactions: [
        { reaction: 'thumbsup', count: 2 },
        { reaction: 'fire', count: 1 },
      ],
      numReactionUsers: 2,
    })
    expect(second).toMatchObject({ topReactions: [], numReactionUsers: 0 })
  })

  test('ends with its user', async () => {
    await react(as('carol'), 'thumbsup')
    deleteUser(world.deps, world.users.carol)
    expect(await reactions()).toEqual([])
  })

  test.each([
    ['no emoji', () => react(bob, 'good'), 400],
    ['two emojis', () => react(bob, '👍👍'), 400],
    ['an emoji that is no reaction', () => react(bob, '🎉'), 400],
    ['a number', () => react(bob, 7), 400],
    ['a body that is a list', () => bob.post(path, []), 400],
    ['no body', () => bob.post(path), 400],
    ['nobody', () => react(as(), 'thumbsup'), 401],
    ['another comment', () => react(bob, 'thumbsup', path.replace(commentId, '0'.repeat(24))), 404],
    [
      'a comment of another discussion',
      () => react(bob, 'thumbsup', path.replace('/1/', '/2/')),
      404,
    ],
  ])('is refused: %s', async (_, call, status) => {
    expect((await call()).status).toBe(status)
    expect(await reactions()).toEqual([])
  })

  test('is refused on a hidden comment', async () => {
    hideComment(world.deps, { discussion: discussion(), actorId: world.users.alice.id, commentId })
    expect((await react(bob, 'thumbsup')).status).toBe(409)
  })

  test('is one of the twelve of the hub, or its emoji', async () => {
    const emojis = ['🔥', '🚀', '👀', '❤️', '🤗', '😎', '➕', '🧠', '👍', '🤝', '😔', '🤯']
    for (const emoji of emojis) expect((await react(bob, emoji)).status).toBe(200)
    for (const name of reactionNames) expect((await react(as('carol'), name)).status).toBe(200)
    const given = (await reactions())?.map(({ reaction, users }) => [reaction, users])
    expect(given).toEqual(reactionNames.map((name) => [name, ['bob', 'carol']]))
    const refused = await react(bob, '🎉')
    expect(refused.body).toEqual({
      error: expect.stringMatching(/^Unknown reaction 🎉: use one of fire, rocket, /),
    })
  })
})

test.each(['👍', '❤️', '👍🏽', '👩‍💻', '🏳️‍🌈', '🇫🇷', '➕', '1️⃣'])('%s is one emoji', (text) => {
  expect(isEmoji(text)).toBe(true)
})

test.each(['', 'a', '1', '#', '👍👎', '👍 ', '\u200d', '❤️'.repeat(30)])('%j is not', (text) => {
  expect(isEmoji(text)).toBe(false)
})
