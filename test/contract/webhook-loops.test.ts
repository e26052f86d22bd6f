import type { IncomingMessage, ServerResponse } from 'node:http'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DeliveryItem } from '../../server/contract/control-deliveries.ts'
import { sandboxMatchers } from '../../server/client/matchers.ts'
import type { Sandbox, SandboxOptions } from '../../server/index.ts'
import { callerAt } from '../helpers/cast.ts'
import { serve, webhookAt } from '../helpers/json-receiver.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const discussions = '/api/datasets/acme/corpus/discussions'

async function call(sandbox: Sandbox, user: string, path: string, body: object) {
  const answer = await callerAt(sandbox, `hf_sandbox_${user}`).post<{ num: number }>(path, body)
  expect(answer.status).toBeLessThan(300)
  return answer.body
}

const open = async (sandbox: Sandbox) =>
  (await call(sandbox, 'carol', discussions, { title: 'A question', description: 'Help' })).num
const say = (sandbox: Sandbox, user: string, num: number, comment = 'text') =>
  call(sandbox, user, `${discussions}/${num}/comment`, { comment })

interface Payload {
  event: { scope: string }
  discussion: { num: number }
  comment?: { author: { id: string } }
}

/** A bot that is bob: it answers each comment, also its own unless it is told to ignore it. */
async function startBot(
  sandbox: Sandbox,
  {
    ignoresItself = false,
    actsAs = 'bob',
    owner = 'alice',
    answers = 12,
  }: { ignoresItself?: boolean; actsAs?: string | null; owner?: string; answers?: number } = {},
) {
  const { items } = await sandbox.control<{ items: { id: string; username: string }[] }>(
    'GET',
    'users',
  )
  const bobId = items.find(({ username }) => username === 'bob')?.id
  let left = answers
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const payload = JSON.parse(Buffer.concat(chunks).toString()) as Payload
    const isOwn = ignoresItself && payload.comment?.author.id === bobId
    if (payload.event.scope === 'discussion.comment' && !isOwn && left-- > 0) {
      await say(sandbox, 'bob', payload.discussion.num, 'answer')
    }
    response.end()
  }
  const origin = await serve((request, response) => void answer(request, response))
  const more = { owner, domains: ['discussion'], ...(actsAs !== null && { actsAs }) }
  return sandbox.control<{ id: string }>('POST', 'webhooks', webhookAt(`${origin}/`, more))
}

/** Deliveries of comments to a webhook, the oldest first. */
async function comments(sandbox: Sandbox, webhookId: string): Promise<DeliveryItem[]> {
  const { items } = await sandbox.control<{ items: DeliveryItem[] }>(
    'GET',
    `deliveries?webhookId=${webhookId}&scope=discussion.comment&limit=100`,
  )
  return items.toReversed()
}

describe('a bot that is declared', () => {
  test('is held at the fourth round of its own, and goes on when it is released', async () => {
    const sandbox = await startTestSandbox()
    const { id } = await startBot(sandbox)
    const num = await open(sandbox)
    await say(sandbox, 'carol', num)
    await sandbox.idle()
    const rounds = await comments(sandbox, id)
    expect(rounds.map(({ state }) => state)).toEqual([
      'succeeded',
      'succeeded',
      'succeeded',
      'held',
    ])
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
    const after = await comments(sandbox, id)
    expect(after.map(({ state }) => state).slice(3)).toEqual(['succeeded', 'held'])

    const last = after.at(-1)!
    const dropped = await sandbox.control<DeliveryItem>('POST', `deliveries/${last.id}/cancel`)
    expect(dropped).toMatchObject({ state: 'cancelled' })
    expect(dropped.heldBecause).toBeUndefined()
    await expect(sandbox.releaseDelivery(last.id)).rejects.toThrow(
      'The delivery is not held by a loop (cancelled)',
    )
  })

  test('begins a new chain with an event of somebody else', async () => {
    const sandbox = await startTestSandbox()
    const { id } = await startBot(sandbox, { answers: 2 })
    const num = await open(sandbox)
    await say(sandbox, 'carol', num)
    await sandbox.idle()
    await say(sandbox, 'carol', num)
    await say(sandbox, 'bob', num)
    await sandbox.idle()
    const states = (await comments(sandbox, id)).map(({ state }) => state)
    expect(states).toEqual(states.map(() => 'succeeded'))
  })

  test('is never held if it ignores its own events', async () => {
    const sandbox = await startTestSandbox()
    const { id } = await startBot(sandbox, { ignoresItself: true })
    const num = await open(sandbox)
    for (let count = 0; count < 8; count++) {
      await say(sandbox, 'carol', num)
      await sandbox.idle()
    }
    const { pass, message } = await sandboxMatchers.toHaveLooped(sandbox)
    expect(pass).toBe(false)
    expect(message()).toContain('expected a webhook to have triggered itself')
    const deliveries = await comments(sandbox, id)
    expect(deliveries).toHaveLength(16)
    expect(new Set(deliveries.map(({ state }) => state))).toEqual(new Set(['succeeded']))
  })

  test('stays held when its webhook is paused and resumed', async () => {
    const sandbox = await startTestSandbox()
    const { id } = await startBot(sandbox)
    await say(sandbox, 'carol', await open(sandbox))
    await sandbox.idle()
    const [, , , held] = await comments(sandbox, id)
    await sandbox.control('PATCH', `webhooks/${id}`, { held: true })
    await expect(sandbox.control('POST', `deliveries/${held!.id}/release`)).rejects.toThrow(
      'Deliveries of this webhook are paused',
    )
    await sandbox.control('PATCH', `webhooks/${id}`, { held: false })
    await sandbox.idle()
    expect((await comments(sandbox, id)).map(({ state }) => state)).toEqual([
      'succeeded',
      'succeeded',
      'succeeded',
      'held',
    ])
  })

  test.each<[string, SandboxOptions, boolean]>([
    ['off', { loopDetection: 'off' }, false],
    ['the profile of the hub', { deliveryProfile: 'hub' }, false],
    ['the profile of the hub and on', { deliveryProfile: 'hub', loopDetection: 'on' }, true],
    ['another profile', { deliveryProfile: 'ci' }, true],
  ])('is held as the setting says: %s', async (_, options, isHeld) => {
    const sandbox = await startTestSandbox(options)
    const { id } = await startBot(sandbox, { answers: 5 })
    await say(sandbox, 'carol', await open(sandbox))
    await sandbox.idle()
    const states = (await comments(sandbox, id)).map(({ state }) => state)
    expect(states.includes('held')).toBe(isHeld)
  })

  test('is refused for an unknown user', async () => {
    const sandbox = await startTestSandbox()
    await expect(startBot(sandbox, { actsAs: 'nobody' })).rejects.toThrow(/nobody/)
  })
})

describe('toHaveLooped', () => {
  const toHaveLooped = (...args: Parameters<typeof sandboxMatchers.toHaveLooped>) =>
    sandboxMatchers.toHaveLooped(...args)
  const profiles = [{}, { deliveryProfile: 'hub' }, { loopDetection: 'off' }] as const

  test.each(profiles)('sees the loop of a bot that is the owner, with %j', async (options) => {
    const sandbox = await startTestSandbox(options)
    const { id } = await startBot(sandbox, { actsAs: null, owner: 'bob', answers: 6 })
    await say(sandbox, 'carol', await open(sandbox))
    await sandbox.idle()
    expect((await comments(sandbox, id)).map(({ state }) => state)).not.toContain('held')
    const { pass, message } = await toHaveLooped(sandbox, id)
    expect(pass).toBe(true)
    expect(message()).toContain('set actsAs of the webhook')
  })

  test.each(profiles)('sees the loop of a declared bot, with %j', async (options) => {
    const sandbox = await startTestSandbox(options)
    const { id } = await startBot(sandbox, { answers: 6 })
    await say(sandbox, 'carol', await open(sandbox))
    expect((await toHaveLooped(sandbox, id)).pass).toBe(true)
    expect((await toHaveLooped(sandbox)).pass).toBe(true)
  })

  test('passes with not for a bot that is the owner and ignores itself', async () => {
    const sandbox = await startTestSandbox()
    await startBot(sandbox, { ignoresItself: true, actsAs: null, owner: 'bob' })
    const num = await open(sandbox)
    for (let count = 0; count < 6; count++) {
      await say(sandbox, 'carol', num)
      await sandbox.idle()
    }
    expect((await toHaveLooped(sandbox)).pass).toBe(false)
  })

  test('says that it cannot tell whether a bot loops as somebody unknown', async () => {
    const sandbox = await startTestSandbox()
    const { id } = await startBot(sandbox, { actsAs: null, answers: 6 })
    await expect(toHaveLooped(sandbox)).rejects.toThrow('nothing to judge: a webhook was sent no')
    await say(sandbox, 'carol', await open(sandbox))
    await sandbox.idle()
    await expect(toHaveLooped(sandbox, id)).rejects.toThrow(
      `nothing to judge: webhook ${id} does not say as which user`,
    )
    await expect(toHaveLooped(sandbox, '0'.repeat(24))).rejects.toThrow('there is no webhook 000')
  })
})

describe('nothing is held by a guess', () => {
  test('an undeclared bot goes on', async () => {
    const sandbox = await startTestSandbox()
    const { id } = await startBot(sandbox, { actsAs: null, answers: 8 })
    await say(sandbox, 'carol', await open(sandbox))
    await sandbox.idle()
    const deliveries = await comments(sandbox, id)
    expect(deliveries).toHaveLength(9)
    expect(new Set(deliveries.map(({ state }) => state))).toEqual(new Set(['succeeded']))
  })

  test('a script of forty changes is delivered whole', async () => {
    const sandbox = await startTestSandbox()
    const { id } = await startBot(sandbox, { ignoresItself: true, actsAs: null })
    const num = await open(sandbox)
    for (let count = 0; count < 40; count++) await say(sandbox, 'bob', num, `step ${count}`)
    await sandbox.idle()
    const deliveries = await comments(sandbox, id)
    expect(deliveries).toHaveLength(40)
    expect(new Set(deliveries.map(({ state }) => state))).toEqual(new Set(['succeeded']))
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
  const sandbox = await startTestSandbox({
    runJobs: [`*=${process.execPath} ${script}`],
    runJobsEnv: ['HF_TOKEN'],
  })
  const { id } = await sandbox.control<{ id: string }>('POST', 'webhooks', {
    owner: 'alice',
    job: { dockerImage: 'node', command: ['node'], secrets: { HF_TOKEN: 'hf_sandbox_alice' } },
    watched: [{ type: 'org', name: 'acme' }],
    domains: ['discussion'],
  })
  const num = await open(sandbox)
  await sandbox.idle({ timeoutMs: 30_000 })
  const { items } = await sandbox.control<{ items: DeliveryItem[] }>(
    'GET',
    `deliveries?webhookId=${id}`,
  )
  const rounds = items.toReversed()
  expect(rounds.map(({ state }) => state)).toEqual(['succeeded', 'succeeded', 'succeeded', 'held'])
  expect(rounds[3]).toMatchObject({
    heldBecause: 'loop',
    causedBy: { deliveryId: rounds[2]?.id, by: 'job-token' },
  })
  // Alice herself is no loop, whatever her jobs do.
  await say(sandbox, 'alice', num)
  const newest = await sandbox.control<{ items: DeliveryItem[] }>(
    'GET',
    `deliveries?webhookId=${id}&limit=1`,
  )
  expect(newest.items[0]?.causedBy).toBeUndefined()
  await sandbox.idle({ timeoutMs: 30_000 })
  // The tokens of the jobs ended with them.
  const tokens = await sandbox.control<{ items: { token: string }[] }>('GET', 'tokens?limit=1000')
  expect(tokens.items.filter(({ token }) => /^hf_sandbox_\w{24}$/.test(token))).toEqual([])
}, 60_000)
