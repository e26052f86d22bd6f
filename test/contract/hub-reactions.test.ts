import { beforeEach, describe, expect, test } from 'vitest'
import type {
  DiscussionResponse,
  DiscussionEventResponse,
  DiscussionsResponse,
} from '../../server/contract/hub-discussions.ts'
import { deleteUser } from '../../server/hub/accounts/users.ts'
import {
  addComment,
  hideComment,
  openDiscussion,
} from '../../server/hub/discussions/discussions.ts'
import { isEmoji } from '../../server/hub/discussions/reactions.ts'
import { createRepo } from '../../server/hub/repos/repos.ts'
import { buildTestApp, type TestApp } from '../helpers/app.ts'
import { bearerOf } from '../helpers/user-token.ts'

let world: TestApp
let headers: Record<'alice' | 'bob' | 'carol', Record<string, string>>
let commentId: string
let path: string
beforeEach(async () => {
  world = await buildTestApp()
  const { alice, bob, carol } = world.users
  headers = {
    alice: bearerOf(world, alice),
    bob: bearerOf(world, bob),
    carol: bearerOf(world, carol),
  }
  const repo = createRepo(world.deps, { type: 'model', name: 'alice/tiny', actorId: alice.id })
  const { comment } = openDiscussion(world.deps, { repo, title: 'A question', actorId: bob.id })
  commentId = comment.id
  path = `/api/models/alice/tiny/discussions/1/comment/${commentId}/reaction`
  world.events.length = 0
})

const send = (
  method: 'POST' | 'DELETE',
  reaction: unknown,
  from: Record<string, string>,
  url = path,
) => world.server.inject({ method, url, headers: from, payload: { reaction } })
const reactions = async () => {
  const answer = await world.server.inject('/api/models/alice/tiny/discussions/1')
  return answer.json<DiscussionResponse>().events[0]?.data.reactions
}
const discussion = () => world.state.discussions.find('number', `${repoId()}/1`)!
const repoId = () => world.state.repos.find('name', 'model/alice/tiny')?.id ?? ''

describe('a reaction to a comment', () => {
  test('counts once for each user, and is taken back once', async () => {
    const answer = await send('POST', '👍', headers.alice)
    expect(answer.json<{ updatedComment: DiscussionEventResponse }>().updatedComment).toMatchObject(
      {
        id: commentId,
        data: { edited: false, reactions: [{ reaction: '👍', users: ['alice'], count: 1 }] },
      },
    )
    await send('POST', '👍', headers.alice)
    await send('POST', '🔥', headers.bob)
    await send('POST', '👍', headers.bob)
    expect(await reactions()).toEqual([
      { reaction: '👍', users: ['alice', 'bob'], count: 2 },
      { reaction: '🔥', users: ['bob'], count: 1 },
    ])
    expect((await send('DELETE', '🔥', headers.bob)).statusCode).toBe(200)
    expect((await send('DELETE', '🔥', headers.bob)).statusCode).toBe(200)
    expect(await reactions()).toEqual([{ reaction: '👍', users: ['alice', 'bob'], count: 2 }])
    expect(world.events.filter(({ type }) => type === 'hub.event')).toEqual([])
  })

  test('is summed up in the list, which it can sort', async () => {
    const { bob } = world.users
    const repo = world.state.repos.get(repoId())!
    const other = openDiscussion(world.deps, { repo, title: 'Another one', actorId: bob.id })
    addComment(world.deps, { discussion: other.discussion, actorId: bob.id, content: 'Text' })
    await send('POST', '👍', headers.alice)
    await send('POST', '👍', headers.bob)
    await send('POST', '🔥', headers.bob)
    const list = async (query: string) =>
      (
        await world.server.inject(`/api/models/alice/tiny/discussions${query}`)
      ).json<DiscussionsResponse>().discussions
    expect((await list('')).map(({ num }) => num)).toEqual([2, 1])
    const [first, second] = await list('?sort=reactions')
    expect(first).toMatchObject({
      num: 1,
      topReactions: [
        { reaction: '👍', count: 2 },
        { reaction: '🔥', count: 1 },
      ],
      numReactionUsers: 2,
    })
    expect(second).toMatchObject({ topReactions: [], numReactionUsers: 0 })
  })

  test('ends with its user', async () => {
    await send('POST', '👍', headers.carol)
    deleteUser(world.deps, world.users.carol)
    expect(await reactions()).toEqual([])
  })

  test.each([
    ['no emoji', () => send('POST', 'good', headers.bob), 400],
    ['two emojis', () => send('POST', '👍👍', headers.bob), 400],
    ['a number', () => send('POST', 7, headers.bob), 400],
    ['a body that is a list', () => post([]), 400],
    ['no body', () => post(undefined), 400],
    ['nobody', () => send('POST', '👍', {}), 401],
    [
      'another comment',
      () => send('POST', '👍', headers.bob, path.replace(commentId, '0'.repeat(24))),
      404,
    ],
    [
      'a comment of another discussion',
      () => send('POST', '👍', headers.bob, path.replace('/1/', '/2/')),
      404,
    ],
  ])('is refused: %s', async (_, call, status) => {
    expect((await call()).statusCode).toBe(status)
    expect(await reactions()).toEqual([])
  })

  const post = (payload: object | undefined) =>
    world.server.inject({
      method: 'POST',
      url: path,
      headers: headers.bob,
      ...(payload && { payload }),
    })

  test('is refused on a hidden comment', async () => {
    hideComment(world.deps, { discussion: discussion(), actorId: world.users.alice.id, commentId })
    expect((await send('POST', '👍', headers.bob)).statusCode).toBe(409)
  })

  test('is one of at most twenty', async () => {
    for (let code = 0x1f600; code < 0x1f614; code++) {
      expect((await send('POST', String.fromCodePoint(code), headers.bob)).statusCode).toBe(200)
    }
    expect((await send('POST', '👍', headers.bob)).statusCode).toBe(400)
    expect((await send('POST', String.fromCodePoint(0x1f600), headers.alice)).statusCode).toBe(200)
  })
})

test.each(['👍', '❤️', '👍🏽', '👩‍💻', '🏳️‍🌈', '🇫🇷', '➕', '1️⃣'])('%s is one emoji', (text) => {
  expect(isEmoji(text)).toBe(true)
})

test.each(['', 'a', '1', '#', '👍👎', '👍 ', '\u200d', '❤️'.repeat(30)])('%j is not', (text) => {
  expect(isEmoji(text)).toBe(false)
})
