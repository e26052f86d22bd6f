import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { UserList } from '../../server/contract/control-accounts.ts'
import type { DeliveryItem } from '../../server/contract/control-deliveries.ts'
import { sandboxMatchers } from '../../server/client/matchers.ts'
import type { SandboxOptions } from '../../server/index.ts'
import { castAt } from '../helpers/cast.ts'
import { serve, webhookAt } from '../helpers/json-receiver.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const discussions = '/api/datasets/acme/corpus/discussions'
const loop = ['succeeded', 'succeeded', 'succeeded', 'held']

interface Payload {
  event: { scope: string }
  discussion: { num: number }
  comment?: { author: { id: string } }
}

/** A sandbox whose users comment. */
async function start(options: SandboxOptions = {}) {
  const sandbox = await startTestSandbox(options)
  const as = castAt(sandbox)
  async function post(user: string, path: string, body: object): Promise<number> {
    const answer = await as(user).post<{ num: number }>(`${discussions}${path}`, body)
    expect(answer.status).toBeLessThan(300)
    return answer.body.num
  }
  const open = () => post('carol', '', { title: 'A question', description: 'Help' })
  const say = (user: string, num: number, comment = 'text') =>
    post(user, `/${num}/comment`, { comment })
  return { sandbox, open, say }
}

interface Bot {
  ignoresItself?: boolean
  actsAs?: string | null
  owner?: string
  answers?: number
}

/** A bot that is bob: it answers each comment, also its own unless it is told to ignore it. */
async function startBot(
  { ignoresItself = false, actsAs = 'bob', owner = 'alice', answers = 12 }: Bot = {},
  options: SandboxOptions = {},
) {
  const { sandbox, open, say } = await start(options)
  const { items } = await sandbox.control<UserList>('GET', 'users')
  const bobId = items.find(({ username }) => username === 'bob')?.id
  let left = answers
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const payload = (await json(request)) as Payload
    const isOwn = ignoresItself && payload.comment?.author.id === bobId
    if (payload.event.scope === 'discussion.comment' && !isOwn && left-- > 0) {
      await say('bob', payload.discussion.num, 'answer')
    }
    response.end()
  }
  const origin = await serve((request, response) => void answer(request, response))
  const more = { owner, domains: ['discussion'], ...(actsAs !== null && { actsAs }) }
  const request = webhookAt(`${origin}/`, more)
  const { id } = await sandbox.control<{ id: string }>('POST', 'webhooks', request)
  /** Deliveries of comments, the oldest first. */
  const comments = () => sandbox.deliveries({ webhookId: id, scope: 'discussion.comment' })
  const states = async () => (await comments()).map(({ state }) => state)
  /** Lets carol comment so often, each time until the bot has answered. */
  async function converse(times = 1): Promise<number> {
    const num = await open()
    for (let count = 0; count < times; count++) {
      await say('carol', num)
      await sandbox.idle()
    }
    return num
  }
  return { sandbox, id, open, say, comments, states, converse }
}

describe('a bot that is declared', () => {
  test('is held at the fourth round of its own, and goes on when it is released', async () => {
    const { sandbox, id, comments, states, converse } = await startBot()
    await converse()
    const rounds = await comments()
    expect(rounds.map(({ state }) => state)).toEqual(loop)
    expect(rounds.map(({ causedBy }) => causedBy)).toEqual([
      undefined,
      ...rounds.slice(0, 3).map((cause) => ({ deliveryId: cause.id, by: 'acts-as' })),
    ])
    const held = rounds[3]!
    expect((await sandboxMatchers.toHaveLooped(sandbox, id)).pass).toBe(true)
    expect(held).toMatchObject({ heldBecause: 'loop', attempts: [] })
    expect(held.explanation).toContain('This webhook is triggering itself')

    const story = await sandbox.control<{ chain: { id: string }[] }>(
      'GET',
      `deliveries/${held.id}/story`,
    )
    expect(story.chain.map((one) => one.id)).toEqual(rounds.slice(0, 3).map((one) => one.id))

    expect(await sandbox.releaseDelivery(held.id)).toMatchObject({ id: held.id })
    await sandbox.idle()
    expect((await states()).slice(3)).toEqual(['succeeded', 'held'])

    const last = (await comments()).at(-1)!
    const dropped = await sandbox.control<DeliveryItem>('POST', `deliveries/${last.id}/cancel`)
    expect(dropped).toMatchObject({ state: 'cancelled' })
    expect(dropped.heldBecause).toBeUndefined()
    await expect(sandbox.releaseDelivery(last.id)).rejects.toThrow(
      'The delivery is not held by a loop (cancelled)',
    )
  })

  test('begins a new chain with an event of somebody else', async () => {
    const { sandbox, say, states, converse } = await startBot({ answers: 2 })
    const num = await converse()
    await say('carol', num)
    await say('bob', num)
    await sandbox.idle()
    expect(new Set(await states())).toEqual(new Set(['succeeded']))
  })

  test('is never held if it ignores its own events', async () => {
    const { sandbox, states, converse } = await startBot({ ignoresItself: true })
    await converse(8)
    const { pass, message } = await sandboxMatchers.toHaveLooped(sandbox)
    expect(pass).toBe(false)
    expect(message()).toContain('expected a webhook to have triggered itself')
    expect(await states()).toEqual(Array.from({ length: 16 }, () => 'succeeded'))
  })

  test('stays held when its webhook is paused and resumed', async () => {
    const { sandbox, id, comments, states, converse } = await startBot()
    await converse()
    const [, , , held] = await comments()
    await sandbox.control('PATCH', `webhooks/${id}`, { held: true })
    await expect(sandbox.control('POST', `deliveries/${held!.id}/release`)).rejects.toThrow(
      'Deliveries of this webhook are paused',
    )
    await sandbox.control('PATCH', `webhooks/${id}`, { held: false })
    await sandbox.idle()
    expect(await states()).toEqual(loop)
  })

  test.each<[string, SandboxOptions, boolean]>([
    ['off', { loopDetection: 'off' }, false],
    ['the profile of the hub', { deliveryProfile: 'hub' }, false],
    ['the profile of the hub and on', { deliveryProfile: 'hub', loopDetection: 'on' }, true],
    ['another profile', { deliveryProfile: 'ci' }, true],
  ])('is held as the setting says: %s', async (_, options, isHeld) => {
    const { states, converse } = await startBot({ answers: 5 }, options)
    await converse()
    expect((await states()).includes('held')).toBe(isHeld)
  })

  test('is refused for an unknown user', async () => {
    await expect(startBot({ actsAs: 'nobody' })).rejects.toThrow(/nobody/)
  })
})

describe('toHaveLooped', () => {
  const toHaveLooped = (...args: Parameters<typeof sandboxMatchers.toHaveLooped>) =>
    sandboxMatchers.toHaveLooped(...args)
  const profiles = [{}, { deliveryProfile: 'hub' }, { loopDetection: 'off' }] as const

  test.each(profiles)('sees the loop of a bot that is the owner, with %j', async (options) => {
    const bot = { actsAs: null, owner: 'bob', answers: 6 }
    const { sandbox, id, states, converse } = await startBot(bot, options)
    await converse()
    expect(await states()).not.toContain('held')
    const { pass, message } = await toHaveLooped(sandbox, id)
    expect(pass).toBe(true)
    expect(message()).toContain('set actsAs of the webhook')
  })

  test.each(profiles)('sees the loop of a declared bot, with %j', async (options) => {
    const { sandbox, id, open, say } = await startBot({ answers: 6 }, options)
    await say('carol', await open())
    expect((await toHaveLooped(sandbox, id)).pass).toBe(true)
    expect((await toHaveLooped(sandbox)).pass).toBe(true)
  })

  test('passes with not for a bot that is the owner and ignores itself', async () => {
    const bot = { ignoresItself: true, actsAs: null, owner: 'bob' }
    const { sandbox, converse } = await startBot(bot)
    await converse(6)
    expect((await toHaveLooped(sandbox)).pass).toBe(false)
  })

  test('says that it cannot tell whether a bot loops as somebody unknown', async () => {
    const { sandbox, id, converse } = await startBot({ actsAs: null, answers: 6 })
    await expect(toHaveLooped(sandbox)).rejects.toThrow('nothing to judge: a webhook was sent no')
    await converse()
    await expect(toHaveLooped(sandbox, id)).rejects.toThrow(
      `nothing to judge: webhook ${id} does not say as which user`,
    )
    await expect(toHaveLooped(sandbox, '0'.repeat(24))).rejects.toThrow('there is no webhook 000')
  })
})

describe('nothing is held by a guess', () => {
  test('an undeclared bot goes on', async () => {
    const { states, converse } = await startBot({ actsAs: null, answers: 8 })
    await converse()
    expect(await states()).toEqual(Array.from({ length: 9 }, () => 'succeeded'))
  })

  test('a script of forty changes is delivered whole', async () => {
    const bot = { ignoresItself: true, actsAs: null }
    const { sandbox, open, say, states } = await startBot(bot)
    const num = await open()
    for (let count = 0; count < 40; count++) await say('bob', num, `step ${count}`)
    await sandbox.idle()
    expect(await states()).toEqual(Array.from({ length: 40 }, () => 'succeeded'))
  })
})

test('a job that loops is held at its fourth round, by its own token', async () => {
  const script = join(temporaryDirectory(), 'job.mjs')
  writeFileSync(
    script,
    `const { discussion } = JSON.parse(process.env.WEBHOOK_PAYLOAD)
const response = await fetch(\`\${process.env.HF_ENDPOINT}${discussions}/\${discussion.num}/comment\`, {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.HF_TOKEN}\`, 'content-type': 'application/json' },
  body: JSON.stringify({ comment: 'done' }),
})
console.log(response.status, process.env.HF_TOKEN)
`,
  )
  const { sandbox, open, say } = await start({
    runJobs: [`*=${process.execPath} ${script}`],
    runJobsEnv: ['HF_TOKEN'],
  })
  const { id } = await sandbox.control<{ id: string }>('POST', 'webhooks', {
    owner: 'alice',
    job: { dockerImage: 'node', command: ['node'], secrets: { HF_TOKEN: 'hf_sandbox_alice' } },
    watched: [{ type: 'org', name: 'acme' }],
    domains: ['discussion'],
  })
  const num = await open()
  await sandbox.idle({ timeoutMs: 30_000 })
  const rounds = await sandbox.deliveries({ webhookId: id })
  expect(rounds.map(({ state }) => state)).toEqual(loop)
  expect(rounds[3]).toMatchObject({
    heldBecause: 'loop',
    causedBy: { deliveryId: rounds[2]?.id, by: 'job-token' },
  })
  // Alice herself is no loop, whatever her jobs do.
  await say('alice', num)
  const newest = (await sandbox.deliveries({ webhookId: id })).at(-1)
  expect(newest?.causedBy).toBeUndefined()
  await sandbox.idle({ timeoutMs: 30_000 })
  // The tokens of the jobs ended with them.
  const tokens = await sandbox.control<{ items: { token: string }[] }>('GET', 'tokens?limit=1000')
  expect(tokens.items.filter(({ token }) => /^hf_sandbox_\w{24}$/.test(token))).toEqual([])
}, 60_000)
