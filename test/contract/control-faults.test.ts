import { connect } from 'node:net'
import { webhookAt, serve } from '../helpers/json-receiver.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose'
import { expect, test } from 'vitest'
import { DeliveryList } from '../../server/contract/control-deliveries.ts'
import {
  AddedFault,
  Barrier,
  BarrierList,
  FaultPreview,
  FaultList,
  FaultItem,
  ReleasedBarrier,
} from '../../server/contract/control-faults.ts'
import { presetGroups } from '../../renderer/features/faults/model/presets.ts'
import { describeFault } from '../../renderer/shared/fault-text.ts'
import { RequestList } from '../../server/contract/control-requests.ts'
import { expectInvalid, expectNotFound, publicClient, controlWorld } from '../helpers/control.ts'
import { playFlows } from '../helpers/played-flows.ts'
import { limitRounds } from '../helpers/limit-rounds.ts'

const world = controlWorld()
const { call, hub, read, make, send } = world
const play = playFlows(world)

const whoami = () => play.whoami('hf_sandbox_alice')

const addFault = (rule: object) => make(AddedFault, 'faults', rule)

const hits = async (rule: FaultItem) => (await read(FaultItem, `faults/${rule.id}`)).hits

test('adds, lists, counts and removes rules', async () => {
  const rule = await addFault({ match: { route: '/api/whoami-v2' }, status: 503 })
  expect(rule).toMatchObject({ hits: 0, matches: 0 })
  expect((await whoami()).status).toBe(503)
  const list = await read(FaultList, 'faults')
  expect(list.items).toMatchObject([{ id: rule.id, hits: 1, matches: 1 }])
  expect((await call('DELETE', `faults/${rule.id}`)).status).toBe(200)
  expect((await whoami()).status).toBe(200)
  expectNotFound(await call('DELETE', `faults/${rule.id}`))
  expectNotFound(await call('GET', `faults/${rule.id}`))
  await addFault({ match: {}, status: 503 })
  await call('DELETE', 'faults')
  expect((await whoami()).status).toBe(200)
})

test('a rule skips its first matches and then acts a number of times', async () => {
  const rule = await addFault({ match: {}, skip: 1, times: 2, status: 500 })
  const statuses = []
  for (let i = 0; i < 4; i += 1) statuses.push((await whoami()).status)
  expect(statuses).toEqual([200, 500, 500, 200])
  expect(await hits(rule)).toBe(2)
})

test.each([
  [{ route: '/api/whoami-v2' }, 503],
  [{ route: '/api/*' }, 503],
  [{ route: '*whoami*' }, 503],
  [{ route: '/api' }, 200],
  [{ route: '/api/*/v2' }, 200],
  [{ route: '/api/{version}' }, 503],
  [{ route: '/api/{first}-v2' }, 503],
  [{ route: '/{path}' }, 503],
  [{ route: '/{group}' }, 200],
  [{ route: '/api/{version}/{more}' }, 200],
  [{ method: 'get' }, 503],
  [{ method: 'POST' }, 200],
  [{ clientId: publicClient }, 200],
  [{ webhookId: '*' }, 200],
])('a rule matches by %j', async (match, status) => {
  await addFault({ match, status: 503 })
  expect((await whoami()).status).toBe(status)
})

test('a rule matches token requests by client and grant type', async () => {
  const refresh = (clientId: string) => play.refresh('none', { client_id: clientId })
  await addFault({
    match: { clientId: publicClient, grantType: 'refresh_token' },
    oauthError: 'temporarily_unavailable',
  })
  const faulty = await refresh(publicClient)
  expect(faulty).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } })
  expect((await refresh('other')).body.error).not.toBe('temporarily_unavailable')
  await call('DELETE', 'faults')
  await addFault({ match: { grantType: 'authorization_code' }, oauthError: 'invalid_client' })
  expect((await refresh(publicClient)).body.error).toBe('invalid_grant')
})

test('a rule replaces the response, its headers and members', async () => {
  await addFault({ match: {}, times: 1, body: { hello: 'you' }, headers: { 'x-test': '1' } })
  expect(await whoami()).toMatchObject({
    status: 200,
    body: { hello: 'you' },
    headers: { 'x-test': '1' },
  })
  await addFault({ match: {}, times: 1, body: 'plain', status: 418 })
  expect(await whoami()).toMatchObject({ status: 418, body: 'plain' })
  await addFault({ match: {}, times: 1, set: { 'auth.type': 'x', extra: 1 }, remove: ['email'] })
  const changed = await whoami()
  expect(changed.body).toMatchObject({ name: 'alice', auth: { type: 'x' }, extra: 1 })
  expect(changed.body).not.toHaveProperty('email')
  await addFault({ match: {}, times: 1, break: 'html' })
  expect(await whoami()).toMatchObject({ status: 502, body: expect.stringContaining('<html>') })
})

test('a refusal happens before the handler, a broken response after it', async () => {
  const { state } = world.sandbox.deps
  const device = () => hub('POST', '/oauth/device', { form: { client_id: publicClient } })
  await addFault({ match: { route: '/oauth/device' }, times: 1, status: 503 })
  expect((await device()).status).toBe(503)
  expect(state.deviceAuthorizations.size).toBe(0)
  await addFault({ match: { route: '/oauth/device' }, times: 1, remove: ['device_code'] })
  expect((await device()).body).not.toHaveProperty('device_code')
  expect(state.deviceAuthorizations.size).toBe(1)
})

test.each([{ 'a b': 'c' }, { 'x-text': 'two\nlines' }, { 'x-text': 'NUL \0' }, { 'x-text': '€' }])(
  'invalid headers are refused: %j',
  async (headers) => {
    expectInvalid(
      await call('POST', 'faults', { match: {}, headers }),
      Object.keys(headers).map((name) => `headers.${name}`),
    )
  },
)

test('a delay runs in real time', async () => {
  await addFault({ match: {}, delay: '150ms' })
  const start = performance.now()
  expect((await whoami()).status).toBe(200)
  expect(performance.now() - start).toBeGreaterThan(140)
})

test.each([
  ['GET', '/api/whoami-v2', 200, { headers: { authorization: 'Bearer hf_sandbox_alice' } }],
  [
    'POST',
    '/oauth/device',
    200,
    { method: 'POST', body: new URLSearchParams({ client_id: publicClient }) },
  ],
])(
  'resets the connection of a %s, and cuts the body in half',
  async (_method, path, status, init) => {
    const request = () => fetch(world.sandbox.url + path, init)
    await addFault({ match: {}, times: 1, break: 'reset' })
    await expect(request()).rejects.toThrow('fetch failed')
    await addFault({ match: {}, times: 1, break: 'truncate' })
    const answer = await request()
    expect(answer.status).toBe(status)
    await expect(answer.text()).rejects.toThrow('terminated')
    const log = await read(RequestList, `requests?path=${path}`)
    expect(log.items.map(({ status, faultId }) => [status, typeof faultId])).toEqual([
      [0, 'string'],
      [0, 'string'],
    ])
  },
)

test('a client that gives up during a delay is logged once', async () => {
  const rule = await addFault({ match: {}, delay: '1s' })
  const body = new URLSearchParams({ client_id: publicClient })
  const client = new AbortController()
  const request = fetch(`${world.sandbox.url}/oauth/device`, {
    method: 'POST',
    body,
    signal: client.signal,
  })
  await expect.poll(() => hits(rule)).toBe(1)
  client.abort()
  await expect(request).rejects.toThrow('aborted')
  const list = async () => (await read(RequestList, 'requests?path=/oauth/device')).items
  await expect.poll(list).toHaveLength(1)
  // By then its answer would have been sent.
  await sleep(1100)
  expect(await list()).toMatchObject([{ method: 'POST', status: 0 }])
})

test('a request queued behind another one is logged when their connection breaks', async () => {
  const rule = await addFault({ match: { route: '/api/whoami-v2' }, delay: '1m' })
  const { hostname, port, host } = new URL(world.sandbox.url)
  const connection = connect(Number(port), hostname)
  // Sent as one, the second is read together with the first.
  const heads = ['/api/whoami-v2', '/api/models'].map(
    (path) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  )
  connection.write(heads.join(''))
  await expect.poll(() => hits(rule)).toBe(1)
  connection.destroy()
  const list = async () =>
    (await read(RequestList, 'requests')).items.map(({ path, status }) => `${status} ${path}`)
  await expect
    .poll(async () => (await list()).toSorted())
    .toEqual(['0 /api/models', '0 /api/whoami-v2'])
})

/** Signs alice in, by the code grant. */
const idToken = async () =>
  (await play.exchangeCode(await play.authorizedCode({ nonce: 'n' }))).body.id_token

test('changes an ID token and signs it again', async () => {
  await addFault({
    match: { route: '/oauth/token' },
    idToken: {
      kid: 'other',
      claims: { aud: 'someone-else', nonce: null, iss: 'https://a.example' },
    },
  })
  const token = await idToken()
  expect(decodeProtectedHeader(token)).toMatchObject({ kid: 'other', alg: 'RS256' })
  const claims = decodeJwt(token)
  expect(claims).toMatchObject({ aud: 'someone-else', iss: 'https://a.example' })
  expect(claims).not.toHaveProperty('nonce')
  expect(claims.sub).toMatch(/^[0-9a-f]{24}$/)
})

test('broken deliveries are retried', async () => {
  const url = await serve((_request, response) => response.end())
  const webhook = await call<{ id: string }>('POST', 'webhooks', webhookAt(url))
  await addFault({ match: { webhookId: webhook.body.id }, times: 1, status: 503 })
  await call('POST', 'events', { event: 'repo.content', repo: 'acme/corpus' })
  await call('GET', 'idle')
  await call('POST', 'clock', { untilIdle: true })
  const { items } = await read(DeliveryList, 'deliveries')
  expect(items).toMatchObject([
    { state: 'succeeded', attempts: [{ error: { class: 'sender_fault' } }, { status: 200 }] },
  ])
})

test('URLs of the sandbox itself are never broken', async () => {
  await addFault({ match: {}, status: 503 })
  expect((await call('GET', 'clock')).status).toBe(200)
})

test.each([
  [{ match: {} }, ['']],
  [{ status: 500 }, ['match']],
  [{ match: { path: '/x' }, status: 500 }, ['match.path']],
  [{ match: {}, status: 99 }, ['status']],
  [{ match: {}, delay: 'soon' }, ['delay']],
  [{ match: {}, break: 'bend' }, ['break']],
  [{ match: {}, oauthError: 'x', body: 'y' }, ['body']],
  [{ match: { webhookId: '*' }, oauthError: 'x' }, ['oauthError']],
  [{ match: { webhookId: '*', route: '/' }, status: 500 }, ['match.route']],
  [{ match: { webhookId: '*' }, status: 204 }, ['status']],
])('refuses the rule %j', async (rule, paths) => {
  expectInvalid(await call('POST', 'faults', rule), paths)
})

test('a barrier for deliveries is refused', async () => {
  const barrier = { match: { webhookId: '*' }, count: 2 }
  expectInvalid(await call('POST', 'barriers', barrier), ['match.webhookId'])
  expect((await read(BarrierList, 'barriers')).items).toEqual([])
})

test('a barrier holds requests and releases them in the given order', async () => {
  const added = await make(Barrier, 'barriers', { match: { route: '/api/*' }, count: 2 })
  const path = `barriers/${added.id}`
  const finished: string[] = []
  const request = (name: string) => whoami().then(() => finished.push(name))
  const requests = [request('first')]
  const held = async (count: number): Promise<string[]> => {
    const round = limitRounds(10_000)
    for (;;) {
      round()
      const body = await read(Barrier, path)
      if (body.held.length === count) return body.held
    }
  }
  await held(1)
  requests.push(request('second'))
  const [first, second] = (await held(2)) as [string, string]
  await request('third')
  expect(finished).toEqual(['third'])
  await read(BarrierList, 'barriers')
  expectInvalid(await call('POST', `${path}/release`, { order: ['none'] }))
  const released = await send(ReleasedBarrier, 'POST', `${path}/release`, { order: [second] })
  expect(released.held).toEqual([second, first])
  await Promise.all(requests)
  expect(finished).toEqual(['third', 'second', 'first'])
  expectNotFound(await call('GET', path))
  expectNotFound(await call('POST', `${path}/release`))
})

test.each(['faults', 'barriers'])('unknown names in %s are reported', async (path) => {
  const match = { route: '/oauth/tokne', clientId: `${publicClient}0` }
  const effect = path === 'faults' ? { status: 500 } : { count: 1 }
  const refused = await call('POST', path, { match, ...effect })
  expectInvalid(refused, ['match.route', 'match.clientId'])
  expect(refused.body).toMatchObject({
    issues: [
      { message: 'Unknown path /oauth/tokne (did you mean "/oauth/token"?).' },
      { message: `There is no app ${publicClient}0 (did you mean "${publicClient}"?).` },
    ],
  })
  expect((await call('GET', path)).body).toEqual({ items: [] })

  const later = await call('POST', path, { match: { route: '/api/of/tomorrow' }, ...effect })
  expect(later.status).toBe(201)
  expect(later.body).toMatchObject({ hints: ['Unknown path /api/of/tomorrow.'] })
})

test('a preview lists the logged requests that a rule matches', async () => {
  const preview = async (match: object) => {
    const body = await send(FaultPreview, 'POST', 'faults/preview', { match })
    const { considered, matched, requests, hints } = body
    return { considered, matched, paths: requests.map(({ path }) => path), hints }
  }
  await whoami()
  await play.refresh('none')
  await hub('GET', '/api/whoami-v2?again')
  const whoamis = ['/api/whoami-v2?again', '/api/whoami-v2']
  expect(await preview({ route: '/api/*' })).toEqual({
    considered: 3,
    matched: 2,
    paths: whoamis,
    hints: undefined,
  })
  expect(await preview({ clientId: publicClient, grantType: 'refresh_token' })).toMatchObject({
    paths: ['/oauth/token'],
  })
  expect(await preview({ route: '/oauth/tokn' })).toMatchObject({
    matched: 0,
    hints: [expect.stringContaining('did you mean "/oauth/token"?')],
  })
  expect(await preview({ webhookId: '*' })).toMatchObject({ considered: 0, matched: 0, paths: [] })
  for (let index = 0; index < 30; index += 1) await whoami()
  const { matched, paths } = await preview({ route: '/api/whoami-v2' })
  expect([matched, paths.length]).toEqual([32, 20])
  expect((await read(FaultList, 'faults')).items).toEqual([])
})

test('replaces the signature of an ID token with an invalid one and keeps the rest', async () => {
  const match = { route: '/oauth/token' }
  await addFault({ match, idToken: { breakSignature: true }, times: 1 })
  const keys = createLocalJWKSet((await hub<JSONWebKeySet>('GET', '/oauth/jwks')).body)
  const broken = await idToken()
  expect(decodeJwt(broken)).toMatchObject({ aud: publicClient, nonce: 'n' })
  await expect(jwtVerify(broken, keys)).rejects.toThrow('signature verification failed')
  await expect(jwtVerify(await idToken(), keys)).resolves.toBeDefined()
})

test.each(presetGroups.flatMap(({ presets }) => presets.map(({ title, rule }) => [title, rule])))(
  'the rule that the dashboard offers as “%s” is accepted',
  async (_title, rule) => {
    await addFault(rule as object)
    expect(describeFault(rule as AddedFault)).not.toBe('nothing')
  },
)
