import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { resolveOptions } from '../../server/app/config/resolve.ts'
import type { DeliveryList } from '../../server/contract/control-deliveries.ts'
import type { FactList } from '../../server/contract/control-facts.ts'
import { type FlowDetail, FlowStepDetail } from '../../server/contract/control-flows.ts'
import type { ActiveOverrides } from '../../server/contract/control-overrides.ts'
import {
  type FlowList,
  RequestDetail,
  RequestList,
} from '../../server/contract/control-requests.ts'
import type { JobItem } from '../../server/contract/control-jobs.ts'
import type { SandboxOptions } from '../../server/contract/options-types.ts'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { type RunningSandbox, runSandbox } from '../../server/app/run-sandbox.ts'
import {
  type ControlWorld,
  controlFixtures,
  controlWorld,
  publicClient,
  controlWebhooks,
} from '../helpers/control.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { playFlows } from '../helpers/played-flows.ts'
import { callerOf } from '../helpers/cast.ts'

const world = controlWorld()
const { call, hub, read } = world
const played = playFlows(world)
vi.setConfig({ testTimeout: 60_000 })

const { receiver, idle, ...webhooks } = controlWebhooks(world)

const opened: RunningSandbox[] = []
afterEach(async () => {
  for (const sandbox of opened.splice(0)) await sandbox.close()
})

type Call = ControlWorld['call']

/** A new sandbox with this file, and what asks it. */
async function open(
  fixtures: unknown,
  more: SandboxOptions = {},
): Promise<{ sandbox: RunningSandbox; ask: Call }> {
  const sandbox = await runSandbox(
    await resolveOptions({ fixtures: fixtures as FixturesFile, ...more }),
  )
  opened.push(sandbox)
  const { host } = new URL(sandbox.url)
  const { send } = callerOf({ server: sandbox.app }, { host }, '/_sandbox/api/')
  return { sandbox, ask: send as Call }
}

async function exportLog(): Promise<FixturesFile> {
  const { status: code, body } = await call<FixturesFile>('GET', 'export?log=1')
  expect(code).toBe(200)
  return body
}

async function makeWebhook(more: object = {}): Promise<string> {
  const url = receiver.url.replace('//', '//ann:opensesame@')
  return (await webhooks.makeWebhook({ url, secret: 'sandbox_hook_secret', ...more })).id
}

const push = () => webhooks.trigger()

/** Both sandboxes are asked at an address of their own, and sign with a key of their own. */
function withoutPort<T>(value: T): T {
  const text = JSON.stringify(value)
    .replaceAll(/(localhost|MACHINE):\d+/g, '$1')
    .replaceAll('retired key, still published', 'current key')
  return JSON.parse(text) as T
}

/** The parts of a drawing that do not grow while one looks. */
function drawn({ steps, ...flow }: FlowDetail) {
  return {
    ...flow,
    steps: steps.map(({ tookMs, sinceMs, ...step }) =>
      step.kind === 'waiting' ? step : { ...step, tookMs, sinceMs: Math.round(sinceMs) },
    ),
  }
}

async function flowsOf(ask: Call): Promise<FlowDetail[]> {
  const { items } = (await ask<FlowList>('GET', 'flows')).body
  const details = items.map(async ({ id }) => (await ask<FlowDetail>('GET', `flows/${id}`)).body)
  return Promise.all(details)
}

/** Every kind of sign-in, granted, refused and open. */
async function playAll(): Promise<void> {
  const tokens = await played.signIn()
  await played.userinfo(tokens.access_token)
  await played.refresh(tokens.refresh_token)
  await played.exchangeCode('never-given-out', 'wrong-verifier-of-forty-three-characters-0123')
  const device = await played.startDevice()
  await device.poll()
  await call('POST', 'clock', { advance: '10s' })
  await played.answerDevice(device.userCode)
  await device.poll()
  await played.startDevice()
  await played.exchangeToken('bob@example.com')
  await played.exchangeToken('bob@example.com', {}, 'not-the-secret')
  await played.answer(await played.toConsent({ state: 'denied' }), 'deny', { state: 'denied' })
}

describe('a log', () => {
  test('shows the same sign-ins, step by step, in a new sandbox', async () => {
    await playAll()
    const before = await flowsOf(call)
    expect(before.length).toBeGreaterThanOrEqual(6)
    const { ask, sandbox } = await open(await exportLog())
    const after = await flowsOf(ask)
    expect(withoutPort(after.map(drawn))).toEqual(withoutPort(before.map(drawn)))

    // Ids are counted in every sandbox: those of new requests must be other ones.
    const known = new Set(before.map(({ id }) => id))
    for (let count = 0; count < 40; count += 1) {
      const form = { grant_type: 'refresh_token', client_id: 'x', refresh_token: `${count}` }
      const payload = new URLSearchParams(form).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      await sandbox.app.inject({ method: 'POST', url: '/oauth/token', payload, headers })
    }
    const all = await flowsOf(ask)
    expect(all).toHaveLength(before.length + 40)
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(withoutPort(all.filter(({ id }) => known.has(id)).map(drawn))).toEqual(
      withoutPort(before.map(drawn)),
    )

    const signIn = before.find(({ kind, outcome }) => {
      return kind === 'authorization-code' && outcome === 'completed'
    })
    for (const { id } of signIn?.steps ?? []) {
      const path = `flows/${signIn?.id}/steps/${id}`
      const there = (await ask<FlowStepDetail>('GET', path)).body
      const here = await read(FlowStepDetail, path)
      expect(withoutPort({ ...there, step: here.step })).toEqual(withoutPort(here))
    }
  })

  test('shows the same requests, deliveries, attempts and facts', async () => {
    await makeWebhook()
    const failing = await makeWebhook({ domains: ['discussion'] })
    await push()
    await idle()
    receiver.status = 500
    await push()
    await idle()
    await hub('GET', '/api/whoami-v2', { token: 'hf_sandbox_alice' })
    await hub('POST', '/api/datasets/acme/corpus/discussions', {
      json: { title: 'Hello', description: 'there' },
      token: 'hf_sandbox_alice',
    })
    await idle()
    const ids = (await read(RequestList, 'requests')).items.map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(1)
    const { ask } = await open(await exportLog())
    for (const id of ids) {
      const path = `requests/${encodeURIComponent(id)}`
      const shown = (await ask<RequestDetail>('GET', path)).body
      expect(withoutPort(shown)).toEqual(withoutPort(await read(RequestDetail, path)))
    }
    const deliveries = async (from: Call) =>
      (await from<DeliveryList>('GET', 'deliveries?limit=100')).body.items
    const wanted = await deliveries(call)
    expect(new Set(wanted.map(({ state }) => state))).toEqual(new Set(['succeeded', 'waiting']))
    expect(await deliveries(ask)).toEqual(wanted)
    const skipped = async (from: Call) =>
      (await from<DeliveryList>('GET', 'deliveries?state=skipped')).body.items
    expect(await skipped(ask)).toEqual(await skipped(call))
    expect((await skipped(call)).map(({ webhookId }) => webhookId)).toContain(failing)
    const facts = async (from: Call) =>
      (await from<FactList>('GET', 'facts?kind=deliveries&limit=1000')).body.items.map(
        ({ seq: _seq, ...fact }) => fact,
      )
    expect(await facts(ask)).toEqual(expect.arrayContaining(await facts(call)))
  })
})

describe('a sandbox that shows a recorded run', () => {
  test('a recorded run sends nothing; its state without the log does', async () => {
    receiver.status = 500
    await makeWebhook()
    await push()
    await idle()
    const held = await makeWebhook()
    await call('PATCH', `webhooks/${held}`, { held: true })
    await push()
    await idle()
    const file = await exportLog()
    receiver.status = 200
    receiver.received.length = 0
    const { ask, sandbox } = await open(file)
    expect(sandbox.notices.join()).toMatch(
      /recorded run.*viewing only: nothing is delivered.*snapshot export/is,
    )
    expect((await ask<ActiveOverrides>('GET', 'overrides')).body.recordedRun).toMatchObject({
      madeBy: expect.stringMatching(/^\d/),
    })
    const states = async () =>
      (await ask<DeliveryList>('GET', 'deliveries')).body.items.map(({ state }) => state).toSorted()
    expect(await states()).toEqual(['held', 'waiting', 'waiting'])

    await ask('POST', 'clock', { advance: '30d' })
    await ask('GET', 'idle?timeout=30s')
    await ask('POST', 'events', { event: 'repo.content', repo: 'datasets/acme/corpus' })
    await ask('GET', 'idle?timeout=30s')
    const [latest] = (await ask<DeliveryList>('GET', 'deliveries')).body.items
    expect(latest?.explanation).toContain('recorded run')
    const replay = await ask('POST', `deliveries/${latest?.id}/replay`, {})
    expect(replay).toMatchObject({ status: 409, body: { error: 'conflict' } })
    expect(receiver.received).toEqual([])
    expect(new Set(await states())).toEqual(new Set(['held']))

    const clock = await ask<{ frozen: boolean }>('GET', 'clock')
    expect(clock.body.frozen).toBe(true)

    const { ask: askNext } = await open((await ask('GET', 'export')).body)
    const { body } = await askNext<ActiveOverrides>('GET', 'overrides')
    expect(body).not.toHaveProperty('recordedRun')
    await askNext('POST', 'events', { event: 'repo.content', repo: 'datasets/acme/corpus' })
    await askNext('GET', 'idle?timeout=30s')
    expect(receiver.received).toHaveLength(2)
  })
})

describe('a recorded run', () => {
  test('a recorded run executes no jobs, even those that a flag allows', async () => {
    const flags = { runJobs: ['*=node --version'] }
    const { ask } = await open(await exportLog(), flags)
    const job = { user: 'alice', dockerImage: 'python', command: ['run'] }
    const made = (await ask<JobItem>('POST', 'jobs', job)).body
    expect(made).toMatchObject({
      executed: false,
      message: expect.stringContaining('recorded run'),
    })
    const { ask: askNext } = await open((await ask('GET', 'export')).body, flags)
    const later = (await askNext<JobItem>('POST', 'jobs', job)).body
    expect(later).toMatchObject({ executed: true })
  })

  test('a recorded run stays paused through restarts', async () => {
    await makeWebhook()
    receiver.status = 500
    await push()
    await idle()
    await played.signIn()
    const file = await exportLog()
    receiver.received.length = 0
    const data = temporaryDirectory()
    const restart = async () => {
      for (const sandbox of opened.splice(0)) await sandbox.close()
      return open(file, { data, ephemeral: false })
    }
    await restart()
    const { ask } = await restart()
    expect((await flowsOf(ask)).length).toBe((await flowsOf(call)).length)
    await ask('POST', 'clock', { advance: '30d' })
    await ask('GET', 'idle?timeout=30s')
    expect(receiver.received).toEqual([])
    expect((await ask<ActiveOverrides>('GET', 'overrides')).body.recordedRun).toBeDefined()
  })

  test('a recorded run continues the seed, so no id repeats', async () => {
    const first = await open({ ...controlFixtures, config: { seed: 7 } })
    const play = async (ask: Call) => {
      const request = { user: 'alice', clientId: publicClient, scope: 'profile' }
      return (await ask<{ access_token: string }>('POST', 'tokens', request)).body.access_token
    }
    await play(first.ask)
    const file = (await first.ask<FixturesFile>('GET', 'export?log=1')).body
    const second = await open({ ...file, config: { ...file.config, seed: 7 } })
    const token = await play(second.ask)
    expect(JSON.stringify(file).includes(token)).toBe(false)
    // The two differ in the issuer, which has another port.
    expect(token.split('.')[2]).toBe((await play(first.ask)).split('.')[2])
  })
})

describe('a damaged or hostile log', () => {
  type Log = Record<string, unknown> & {
    requests: Record<string, unknown>[]
    facts: Record<string, unknown>[]
    records: Record<string, Record<string, unknown>[]>
  }

  /** @returns the mistakes by their paths; none when it can be loaded */
  async function mistakesIn(change: (log: Log) => void): Promise<string[]> {
    const file = structuredClone(good) as FixturesFile & { log: Log }
    change(file.log)
    const answer = await call<{ issues?: { path: string }[] }>('POST', 'snapshots', {
      name: 'log',
      fixtures: file,
    })
    if (answer.status === 201) await call('DELETE', 'snapshots/log')
    expect([201, 400]).toContain(answer.status)
    return (answer.body.issues ?? []).map(({ path }) => path)
  }

  let good: FixturesFile
  beforeEach(async () => {
    await makeWebhook()
    await played.signIn()
    await push()
    await idle()
    good = await exportLog()
  })

  const first = (records: Record<string, unknown>[] | undefined) => records?.[0] ?? {}

  test.each<[string, string[], (log: Log) => void]>([
    ['nothing wrong', [], () => undefined],
    ['another format', ['log.format'], (log) => (log['format'] = 1)],
    ['no time', ['log.requests[0].at'], ({ requests }) => (first(requests)['at'] = 'soon')],
    ['no date', ['log.requests[0].at'], ({ requests }) => (first(requests)['at'] = '2026-99-99')],
    ['a request that is none', ['log.requests[0]'], ({ requests }) => (requests[0] = 5 as never)],
    ['an unknown key', ['log.surprise'], (log) => (log['surprise'] = 1)],
    ['an unknown collection', ['log.records.meta'], ({ records }) => (records['meta'] = [])],
    [
      'a record without id',
      ['log.records.tokens[0]'],
      ({ records }) => delete first(records['tokens'])['id'],
    ],
    [
      'a state that is none',
      ['log.records.deliveries[0]'],
      ({ records }) => (first(records['deliveries'])['state'] = 'lost'),
    ],
    [
      'a body that is no JSON',
      ['log.records.deliveryBodies[0]'],
      ({ records }) => (first(records['deliveryBodies'])['body'] = '{'),
    ],
    [
      'an id twice',
      ['log.records.tokens[1].id', 'log.records.tokens[1].token'],
      ({ records }) => (records['tokens'] = [first(records['tokens']), first(records['tokens'])]),
    ],
    [
      'a user who is not there',
      ['log.records.codes[0].userId'],
      ({ records }) => (first(records['codes'])['userId'] = '0'.repeat(24)),
    ],
    [
      'a delivery that is not there',
      ['log.records.attempts[0].deliveryId'],
      ({ records }) => (first(records['attempts'])['deliveryId'] = '0'.repeat(24)),
    ],
    [
      'a private key',
      ['log.records.signingKeys[0]'],
      ({ records }) =>
        (first(records['signingKeys'])['privateJwk'] = {
          kty: 'RSA',
          n: 'AQAB',
          e: 'AQAB',
          d: 'x',
        }),
    ],
    [
      'a key that is none',
      ['log.records.signingKeys[0]'],
      ({ records }) => (first(records['signingKeys'])['privateJwk'] = { kty: 'EC' }),
    ],
    ['an unknown fact', ['log.facts[0]'], ({ facts }) => (first(facts)['type'] = 'no.such')],
    [
      'a fact without what it tells',
      ['log.facts[0]'],
      ({ facts }) => (first(facts)['data'] = { scopes: 7 }),
    ],
    [
      'two at once',
      ['log.records.tokens[0]', 'log.facts[0]'],
      ({ records, facts }) => {
        delete first(records['tokens'])['kind']
        first(facts)['type'] = 'no.such'
      },
    ],
    [
      'no end of mistakes',
      [...Array.from({ length: 100 }, (_, index) => `log.facts[${index}]`), 'log'],
      (log) => {
        log.facts = Array.from({ length: 5000 }, () => ({
          time: '2026-01-01',
          type: 'x',
          data: {},
        }))
      },
    ],
  ])('%s', async (_what, paths, change) => {
    expect(await mistakesIn(change)).toEqual(paths)
  })

  test('an imported snapshot shows a recorded run, too, and stays paused in a fork', async () => {
    const { ask, sandbox } = await open({})
    const made = await ask('POST', 'snapshots', { name: 'run', fixtures: good })
    expect(made.status).toBe(201)
    await ask('POST', 'snapshots/run/restore')
    expect((await flowsOf(ask)).length).toBe((await flowsOf(call)).length)
    expect((await ask<ActiveOverrides>('GET', 'overrides')).body.recordedRun).toBeDefined()
    expect(sandbox.deps.captureState().recordedRun).toBeDefined()
    await ask('POST', 'reset')
    expect((await ask<ActiveOverrides>('GET', 'overrides')).body.recordedRun).toBeUndefined()
  })
})
