import { webhookAt, openServer } from '../../helpers/json-receiver.ts'
import { expect, test } from 'vitest'
import { createWebhooks, memoryStore } from '../../../server/receiver/index.ts'
import { type Sandbox } from '../../../server/index.ts'
import { stormMistakes } from '../../helpers/receiver-mistakes.ts'
import { callerAt } from '../../helpers/cast.ts'
import { sharedSandbox } from '../../helpers/sandbox.ts'

const sandbox = sharedSandbox({}, { keepsState: true })

type Report = Awaited<ReturnType<Sandbox['audit']['receiver']>>

const outcomes = ({ verdicts }: Report) =>
  Object.fromEntries(verdicts.map(({ module, outcome }) => [module, outcome]))
const failed = ({ verdicts }: Report) =>
  verdicts.filter(({ outcome }) => outcome === 'failed').map(({ module }) => module)
const observed = ({ verdicts }: Report, module: string) =>
  verdicts.find((verdict) => verdict.module === module)?.observed ?? ''
const seedIn = (text: string) => /with the seed (\S+)\.$/.exec(text)?.[1]
const storm = { orders: 2, events: 30 }
const log = { info() {}, warn() {}, error() {} }

test('a receiver that handles each delivery once passes the storm', async () => {
  let count = 0
  const webhooks = createWebhooks({ secret: 's3', dedupe: memoryStore(), autoStart: false, log })
  webhooks.endpoint('events', () => void count++)
  const report = await sandbox.audit.receiver({
    receive: webhooks.fetch,
    secret: 's3',
    effects: () => count,
    storm,
  })
  expect(report.plan).toBe('storm')
  expect(outcomes(report)).toEqual({
    'storm/accepted': 'passed',
    'storm/once': 'passed',
    'storm/order': 'not-applicable',
  })
}, 60_000)

test('a bot that comments twice is found by the storm, and replayed by its seed', async () => {
  const { bot, webhookId, close } = await startBot()
  const options = { webhookId, event: 'discussion.comment.create' }
  const report = await sandbox.audit.receiver({ ...options, storm })
  expect(failed(report)).toEqual(stormMistakes['comments twice'])
  expect(outcomes(report)).toMatchObject({ 'storm/accepted': 'passed' })
  const text = observed(report, 'storm/once')
  expect(text).toMatch(/handled events twice: the effects are \d+ instead of 30/)
  // One delivery and its duplicate, or its retry after a cut connection, show it.
  expect(text).toMatch(
    /Of its \d+ steps, 2 suffice: event (\d+)( \(\w+\))?, event \1( \(\w+\))?\. /,
  )
  const seed = seedIn(text)
  expect(seed).toBeDefined()

  const again = await sandbox.audit.receiver({
    ...options,
    storm: { events: 30, ...(seed !== undefined && { seed }) },
  })
  expect(outcomes(again)).toMatchObject({ 'storm/once': 'failed' })
  expect(observed(again, 'storm/once')).toContain('the effects are 2 instead of 1. ')
  expect(seedIn(observed(again, 'storm/once'))).toBe(seed)
  expect(bot.comments).toBeGreaterThan(30)
  await close()
}, 60_000)

test('a receiver that keeps the last push it got is found out of order', async () => {
  let head = ''
  const receive = async (request: Request) => {
    const { updatedRefs } = (await request.json()) as { updatedRefs: { newSha: string }[] }
    head = updatedRefs[0]?.newSha ?? ''
    return new Response()
  }
  const report = await sandbox.audit.receiver({ receive, effects: () => `head: ${head}`, storm })
  expect(failed(report)).toEqual(stormMistakes['keeps the last push'])
  expect(outcomes(report)).toEqual({
    'storm/accepted': 'passed',
    'storm/once': 'not-applicable',
    'storm/order': 'failed',
  })
  expect(seedIn(observed(report, 'storm/order'))).toBeDefined()
}, 60_000)

test('a receiver that refuses duplicates is found', async () => {
  const seen = new Set<string | null>()
  const receive = async (request: Request) => {
    const id = request.headers.get('webhook-id')
    const status = seen.has(id) ? 409 : 200
    seen.add(id)
    return new Response(null, { status })
  }
  const report = await sandbox.audit.receiver({ receive, storm })
  expect(failed(report)).toEqual(stormMistakes['refuses duplicates'])
  expect(outcomes(report)).toMatchObject({
    'storm/accepted': 'failed',
    'storm/once': 'inconclusive',
  })
}, 60_000)

test('effects that differ for the same events are inconclusive', async () => {
  let count = 0
  const receive = async () => {
    count++
    return new Response()
  }
  const text = await sandbox.audit.receiver({ receive, effects: () => `lines: ${count}`, storm })
  expect(outcomes(text)).toMatchObject({ 'storm/order': 'inconclusive' })
  const none = await sandbox.audit.receiver({ receive, effects: () => 0, storm })
  expect(outcomes(none)).toMatchObject({ 'storm/once': 'inconclusive' })
}, 60_000)

/** A receiver whose work lasts; what it remembers lasts only if it is on its disk. */
function startKeeper(keeps: 'in memory' | 'on disk' | 'works later') {
  const kept = { done: 0, known: new Set<string>() }
  let isDown = false
  let known = kept.known
  let planned: NodeJS.Timeout[] = []
  const work = () => void (kept.done += 1)
  return {
    receive: async (request: Request) => {
      const id = request.headers.get('webhook-id') ?? ''
      if (isDown) return new Response(null, { status: 503 })
      if (known.has(id)) return new Response()
      known.add(id)
      if (keeps === 'works later') planned.push(setTimeout(work, 60))
      else work()
      return new Response()
    },
    effects: () => kept.done,
    restart: async () => {
      isDown = true
      for (const timer of planned) clearTimeout(timer)
      planned = []
      await new Promise((resolve) => setTimeout(resolve, 100))
      if (keeps === 'in memory') known = new Set()
      isDown = false
    },
  }
}

test('a storm restarts receivers, and finds what they forget by it', async () => {
  const kinds = ['on disk', 'in memory', 'works later'] as const
  const runs = await sandbox.storm({
    seed: 'one',
    events: 30,
    receivers: kinds.map((keeps) => startKeeper(keeps)),
  })
  const lost =
    /lost events: the effects are \d+ instead of 30\. .+ suffice: event .+restart.+ with the seed one:[\d.]*r1/
  expect(runs.map((run) => [outcomes(run), observed(run, 'storm/once')])).toEqual([
    [
      expect.objectContaining({ 'storm/accepted': 'passed', 'storm/once': 'passed' }),
      expect.any(String),
    ],
    [
      expect.objectContaining({ 'storm/accepted': 'passed', 'storm/once': 'failed' }),
      expect.stringMatching(
        /twice: .+ suffice: event .+restart, event .+ with the seed one:[\d.]+r1/,
      ),
    ],
    [
      expect.objectContaining({ 'storm/accepted': 'passed', 'storm/once': 'failed' }),
      expect.stringMatching(lost),
    ],
  ])
}, 60_000)

test('without restarts, memory is enough', async () => {
  const { receive, effects } = startKeeper('in memory')
  const [run] = await sandbox.storm({ seed: 7, events: 30, receivers: [{ receive, effects }] })
  expect(run && outcomes(run)).toMatchObject({ 'storm/once': 'passed' })
}, 60_000)

test('a storm names what it does not understand', async () => {
  await expect(sandbox.storm({ receivers: [] })).rejects.toThrow('storm() requires a receiver')
  const receivers = [{ url: 'http://127.0.0.1:9/' }]
  await expect(sandbox.storm({ receivers, events: 1 })).rejects.toThrow('events')
  await expect(
    sandbox.storm({ receivers, event: 5 } as unknown as Parameters<Sandbox['storm']>[0]),
  ).rejects.toThrow('event')
  const broken = { receive: async () => new Response(), restart: 'http://127.0.0.1:9/' }
  await expect(sandbox.audit.receiver(broken)).rejects.toThrow('restart with storm only')
  await expect(sandbox.storm({ receivers: [broken], events: 5 })).rejects.toThrow(
    'The receiver could not be restarted: ',
  )
}, 60_000)

/** A bot that comments on the discussion of each delivery, without remembering deliveries. */
async function startBot() {
  const bot = { comments: 0 }
  const token = await sandbox.tokens.mint({ user: 'alice', role: 'write' })
  const { origin, close } = await openServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += String(part)))
    request.on('end', () => {
      response.end()
      const { discussion } = JSON.parse(text) as { discussion: { url: { api: string } } }
      bot.comments++
      const alice = callerAt({ url: discussion.url.api }, token.access_token)
      void alice.post('/comment', { comment: 'Thanks for the comment!' })
    })
    request.on('error', () => undefined)
  })
  const { id } = await sandbox.control<{ id: string }>(
    'POST',
    'webhooks',
    webhookAt(origin, { domains: ['repo'] }),
  )
  return { bot, webhookId: id, close }
}
