import { webhookAt, serve } from '../helpers/json-receiver.ts'
import { createServer, type RequestListener, type ServerOptions } from 'node:http'
import { beforeEach, describe, expect, test } from 'vitest'
import { ExperimentItem, ExperimentList } from '../../server/contract/control-experiments.ts'
import { type CiDrill, ciDrills } from '../../server/contract/words/ci-words.ts'
import { controlWorld, expectShape } from '../helpers/control.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

const world = controlWorld()
const { call, read } = world

let answers: number[] = []
beforeEach(() => {
  answers = []
})

const list = async () => (await read(ExperimentList, 'experiments')).items
const verdictOf = async (id: string) => (await list()).find((one) => one.id === id)?.verdict
const run = (id: string, body: object = {}) =>
  call<ExperimentItem>('POST', `experiments/${id}/run`, body)

async function deliver(times: number): Promise<string> {
  const url = await serve((request, response) => {
    request.resume().on('end', () => response.writeHead(answers.shift() ?? 200).end())
  })
  const { body } = await call<{ id: string }>('POST', 'webhooks', webhookAt(url))
  for (let count = 0; count < times; count++) {
    await call('POST', 'events', { event: 'repo.content', repo: 'datasets/acme/corpus' })
  }
  await call('GET', 'idle')
  return body.id
}

test('experiments are listed, and armed by their rule until they are stopped', async () => {
  const body = await read(ExperimentList, 'experiments')
  expect(body.items.map(({ id }) => id)).toContain('nonce')
  const started = await run('nonce', { clientId: 'c1' })
  expectShape(ExperimentItem, started.body)
  expect(started.body.verdict?.state).toBe('armed')
  const faults = await call<{ items: object[] }>('GET', 'faults')
  expect(faults.body.items).toMatchObject([{ match: { clientId: 'c1' }, times: 1 }])
  await call('DELETE', 'experiments/nonce/run')
  expect((await call<{ items: object[] }>('GET', 'faults')).body.items).toEqual([])
  expect(await verdictOf('nonce')).toBeUndefined()
})

test('an unknown experiment is refused with the known ones', async () => {
  const { status, body } = await call<{ message: string }>('POST', 'experiments/nonse/run', {})
  expect(status).toBe(404)
  expect(body.message).toMatch(/Unknown experiment nonse\. Use one of nonce, .*duplicate/)
  expect((await call('DELETE', 'experiments/nonse/run')).status).toBe(404)
})

test('the demo app passes when its token is revoked', async () => {
  const { body } = await run('revoked', { play: true })
  expect(body.verdict?.state).toBe('watching')
  await expect
    .poll(() => verdictOf('revoked'), { timeout: 10_000 })
    .toMatchObject({
      state: 'passed',
      text: 'Your app stopped using the token.',
    })
}, 15_000)

test('experiments that run at once do not take each other’s responses', async () => {
  await call('POST', 'reset')
  // Waits for an app of the user, which none of the demos is.
  await run('key')
  const ids = ['nonce', 'audience', 'signature', 'unavailable', 'state', 'revoked']
  await Promise.all(ids.map((id) => run(id, { play: true })))
  const flows = new Set<string | undefined>()
  for (const id of ids) {
    await expect
      .poll(() => verdictOf(id), { timeout: 10_000 })
      .toMatchObject({ state: 'passed', flowId: expect.any(String) })
    flows.add((await verdictOf(id))?.flowId)
  }
  expect(flows.size).toBe(ids.length)
  expect(await verdictOf('key')).toMatchObject({ state: 'armed' })
  await call('POST', 'reset')
}, 30_000)

test('an app that one experiment names does not meet another one for any app', async () => {
  await call('POST', 'reset')
  const [named] = world.sandbox.deps.fixtures().apps
  await run('audience')
  await run('nonce', { clientId: named?.clientId })
  await world.hub('POST', '/oauth/token', {
    form: { grant_type: 'authorization_code', client_id: named?.clientId ?? '', code: 'unknown' },
  })
  expect((await verdictOf('audience'))?.state).toBe('armed')
  expect((await verdictOf('nonce'))?.state).not.toBe('armed')
  await call('POST', 'reset')
})

test('a receiver passes when it takes what it already has, and fails when it does not', async () => {
  const webhookId = await deliver(1)
  const passed = await run('duplicate', { webhookId })
  expect(passed.body.verdict).toMatchObject({
    state: 'passed',
    text: 'Your receiver responded with success to all 2.',
  })
  answers = [200, 409]
  expect((await run('duplicate')).body.verdict).toMatchObject({
    state: 'failed',
    text: expect.stringMatching(/^Your receiver failed 1 of 2: .*409/),
  })
  expect((await run('burst')).body.verdict?.text).toContain('all 20')
  const early = await run('out-of-order')
  expect(early.status).toBe(409)
  await call('POST', 'events', { event: 'repo.content', repo: 'datasets/acme/corpus' })
  await call('GET', 'idle')
  expect((await run('out-of-order')).body.verdict?.state).toBe('passed')
  await call('POST', 'reset')
  expect(await verdictOf('burst')).toBeUndefined()
})

test('a receiver without deliveries cannot be judged', async () => {
  expect(await run('duplicate')).toMatchObject({
    status: 409,
    body: { message: 'Nothing was delivered to this webhook yet: trigger an event first.' },
  })
  expect((await run('duplicate', { webhookId: 'unknown' })).status).toBe(404)
})

test.each([
  ['iss-missing', {}, 409, 'The sandbox does not send iss: start it with --send-iss.'],
  ['resource', { play: true }, 409, /^No demo app plays resource/],
  ['resource', { clientId: 'c1' }, 400, /^resource changes a request that names no app/],
])('%s is not run with %j', async (id, body, status, message) => {
  const answer = await run(id, body)
  expect(answer).toMatchObject({ status, body: { message: expect.stringMatching(message) } })
  expect((await call<{ items: object[] }>('GET', 'faults')).body.items).toEqual([])
})

test.each(['iss', 'state'])(
  'the demo app passes in the experiment %s',
  async (id) => {
    expect((await run(id, { play: true })).body.verdict?.state).toBe('watching')
    await expect
      .poll(() => verdictOf(id), { timeout: 10_000 })
      .toMatchObject({ state: 'passed', text: 'Your app refused it: no token request followed.' })
  },
  15_000,
)

test.each(ciDrills)('a CI job meets the mistake of ci-%s once', async (drill) => {
  await call('POST', 'trusted-publishers', {
    resource: 'acme/tagger',
    provider: 'gitlab',
    claims: { project_path: 'acme/publish', ref: 'main' },
  })
  const { body: minted } = await call<{ token: string }>('POST', 'ci/tokens', {
    provider: 'gitlab',
  })
  expect((await run(`ci-${drill}`)).body.verdict?.state).toBe('armed')
  const exchange = () =>
    world.hub('POST', '/oauth/token', {
      form: {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        subject_token: minted.token,
        resource: 'acme/tagger',
      },
    })
  const refused = await exchange()
  expect(refused).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant', error_description: expect.stringMatching(refusals[drill]) },
  })
  expect((await exchange()).status).toBe(200)
  expect(await verdictOf(`ci-${drill}`)).toMatchObject({
    state: 'passed',
    text: 'Your app retried and got its tokens.',
  })
})

const refusals: Record<CiDrill, RegExp> = {
  'wrong-audience': /its audience differs/,
  expired: /it expired at/,
  'wrong-ref': /the claim ref differs/,
  'unknown-key': /publishes no key/,
  replay: /it was exchanged before/,
}

describe('a body that is slow or stops', () => {
  /** Responds normally to the first request, then as a test wants. */
  async function judge(id: string, behave: RequestListener, limits: ServerOptions = {}) {
    // Attempts end after 2 seconds with this profile.
    const sandbox = await startTestSandbox({ deliveryProfile: 'ci' })
    let count = 0
    const server = createServer(
      { connectionsCheckingInterval: 100, ...limits },
      (request, response) => {
        if (count++ > 0) behave(request, response)
        else request.resume().on('end', () => response.end())
      },
    )
    await sandbox.control('POST', 'webhooks', webhookAt(await serve(server)))
    await sandbox.trigger({ event: 'repo.content', repo: 'datasets/acme/corpus' })
    await sandbox.idle()
    const { verdict } = await sandbox.control<ExperimentItem>('POST', `experiments/${id}/run`, {})
    const [delivery] = (await sandbox.control<{ items: { state: string }[] }>('GET', 'deliveries'))
      .items
    // The delivery arrived before, and no experiment changes that.
    expect(delivery?.state).toBe('succeeded')
    return verdict
  }

  const readWhole: RequestListener = (request, response) => {
    request.resume().on('end', () => response.end())
  }

  test('passes a receiver that waits for a slow body', async () => {
    expect(await judge('slow-body', readWhole)).toMatchObject({
      state: 'passed',
      text: expect.stringMatching(/^Your receiver waited \d\.\d s for the body and took it\.$/),
    })
  })

  test('fails a receiver that takes the first piece for the whole body', async () => {
    const verdict = await judge('slow-body', (request, response) => {
      request.once('data', (piece: Buffer) => {
        try {
          JSON.parse(String(piece))
        } catch {
          response.writeHead(400).end()
        }
      })
    })
    expect(verdict).toMatchObject({
      state: 'failed',
      text: 'Your receiver failed: responded with 400.',
    })
  })

  test('fails a receiver that responds before it has a slow body', async () => {
    expect(await judge('slow-body', (_request, response) => response.end())).toMatchObject({
      state: 'failed',
      text: 'Your receiver responded with success before it had the body.',
    })
  })

  test.each([
    ['a timeout of its server', readWhole, { headersTimeout: 700, requestTimeout: 700 }],
    [
      'a timer of its own',
      ((request) => setTimeout(() => request.destroy(), 700)) satisfies RequestListener,
      undefined,
    ],
  ])('passes a receiver that gives up by %s', async (_what, behave, limits) => {
    expect(await judge('timeout', behave, limits)).toMatchObject({
      state: 'passed',
      text: expect.stringMatching(
        /^Your receiver gave up after \d\.\d s: it (responded with 408|closed the connection)\.$/,
      ),
    })
  })

  test('fails a receiver that waits for ever', async () => {
    expect(await judge('timeout', readWhole)).toMatchObject({
      state: 'failed',
      text: 'Your receiver still waited for the rest after 2s.',
    })
  })

  test('fails a receiver that takes half of a body for success', async () => {
    expect(await judge('timeout', (_request, response) => response.end())).toMatchObject({
      state: 'failed',
      text: 'Your receiver responded with 200 to half of the body.',
    })
  })

  test('proves nothing by a refusal that does not wait', async () => {
    const refuse: RequestListener = (_request, response) => response.writeHead(404).end()
    expect(await judge('timeout', refuse)).toMatchObject({ state: 'unclear' })
  })
})
