import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { FlowStepDetail } from '../../server/contract/control-flows.ts'
import {
  FlowList,
  Har,
  RequestDetail,
  RequestList,
} from '../../server/contract/control-requests.ts'
import { TokenList } from '../../server/contract/control-tokens.ts'
import {
  controlWorld,
  exchangeClient,
  expectInvalid,
  expectNotFound,
  expectShape,
  publicClient,
  secretClient,
} from '../helpers/control.ts'
import { codeVerifier, encodeEverything, playFlows } from '../helpers/played-flows.ts'

const world = controlWorld()
const { call, hub, read } = world

const play = playFlows(world)
const { approve, exchangeCode: exchange, flows, userinfo, whoami } = play
const query = play.request()

const list = async (filter = '') => (await read(RequestList, `requests${filter}`)).items

test('requests of a sign-in are grouped, with user and outcome', async () => {
  const code = await approve()
  expect(await flows()).toMatchObject([
    { outcome: 'pending', explanation: expect.stringContaining('code') },
  ])
  const token = (await exchange(code)).body.access_token
  await userinfo(token)
  await whoami('hf_sandbox_alice')
  const [flow, ...others] = await flows()
  expect(others).toEqual([])
  expect(flow).toMatchObject({
    kind: 'authorization-code',
    outcome: 'completed',
    app: { clientId: publicClient, name: 'Public app' },
    user: { username: 'alice' },
  })
  expect(flow?.requests.map(({ method, path }) => `${method} ${path.split('?', 1)[0]}`)).toEqual([
    'GET /oauth/authorize',
    'POST /oauth/authorize',
    'POST /oauth/token',
    'GET /oauth/userinfo',
  ])
  expect((await list(`?flowId=${flow?.id}`)).length).toBe(4)
})

test('a request names the token that it sent, and the request that issued it too', async () => {
  const token = (await exchange(await approve())).body.access_token
  await userinfo(token)
  await whoami('hf_unknown')
  const { items: tokens } = await read(TokenList, 'tokens?limit=1')
  const items = await list()
  const of = (path: string) => items.find((item) => item.path.startsWith(path))
  expect(of('/oauth/userinfo')?.tokenId).toBe(tokens[0]?.id)
  const issued = await read(RequestDetail, `requests/${of('/oauth/token')?.id}`)
  expect(issued.tokenId).toBe(tokens[0]?.id)
  expect(of('/api/whoami-v2')).not.toHaveProperty('tokenId')
  expect(JSON.stringify(items)).not.toContain(token)
})

test('explains why a sign-in was refused', async () => {
  const code = await approve()
  await exchange(code, 'x'.repeat(43))
  const [flow] = await flows()
  expect(flow?.outcome).toBe('refused')
  expect(flow?.explanation).toMatch(/^invalid_grant: .*verifier/i)
  const [refusal] = await list('?refused=1')
  expect(refusal).toMatchObject({
    error: 'invalid_grant',
    status: 400,
    detail: expect.any(String),
    app: { clientId: publicClient },
    grantType: 'authorization_code',
  })
})

test.each([
  ['of the token endpoint', () => hub('POST', '/oauth/token', { form: { grant_type: 'a' } })],
  ['with a redirect', () => hub('GET', `/oauth/authorize?${query}&response_mode=form_post`)],
])('a reason %s is given once, unescaped', async (_where, ask) => {
  await ask()
  const [flow] = await flows()
  expect(flow?.explanation).toMatch(/"(?:a|form_post)" is not supported/)
  expect(flow?.explanation?.match(/is not supported/g)).toHaveLength(1)
})

test('a refused request has its reason and its fix', async () => {
  const redirectUri = 'http://localhost/other'
  await hub('GET', `/oauth/authorize?client_id=${publicClient}&redirect_uri=${redirectUri}`)
  await hub('POST', '/oauth/token', {
    form: {
      grant_type: 'authorization_code',
      client_id: secretClient,
      client_secret: 'wrong',
    },
  })
  expect(await list('?refused=1')).toMatchObject([
    {
      error: 'invalid_client',
      detail: expect.stringMatching(/^The client secret is wrong\. .*rotated/) as string,
    },
    {
      error: 'invalid_redirect_uri',
      detail: expect.stringMatching(
        /its path differs from the registered http:.*exactly\)\.$/,
      ) as string,
    },
  ])
  expect(await list('?text=secret%20is%20wrong')).toHaveLength(1)
})

test('shows an authorization error that was redirected', async () => {
  await hub('GET', `/oauth/authorize?${query}&response_mode=fragment`)
  expect(await flows()).toMatchObject([
    { outcome: 'refused', explanation: expect.stringMatching(/^invalid_request: /) },
  ])
})

test('groups a device flow, which waits for its user until it is approved', async () => {
  const { userCode, poll } = await play.startDevice()
  await poll()
  expect(await flows()).toMatchObject([
    { kind: 'device-code', outcome: 'pending', explanation: expect.stringContaining('user') },
  ])
  await play.answerDevice(userCode)
  await call('POST', 'clock', { advance: '10s' })
  await poll()
  const [flow] = await flows()
  expect(flow).toMatchObject({ outcome: 'completed', user: { username: 'bob' } })
  expect(flow?.requests).toHaveLength(4)
})

test('a device response that was not read is not logged', async () => {
  const before = await list()
  const answer = await hub('POST', '/_sandbox/api/device/ABCD-EFGH', { form: { user: 'bob' } })
  expect(answer.status).toBe(415)
  expect(await list()).toEqual(before)
  // It is the body that begins to stand for the request of the hub.
  await call('POST', 'device/ABCD-EFGH', { user: 'bob', decision: 'approve' })
  expect(await list()).toHaveLength(before.length + 1)
})

test('two sign-ins are separate, and a refresh belongs to its own', async () => {
  const first = await exchange(await approve())
  await play.refresh(first.body.refresh_token)
  await play.refresh('unknown')
  const found = await flows()
  expect(found.map(({ kind, requests }) => [kind, requests.length])).toEqual([
    ['refresh', 1],
    ['authorization-code', 4],
  ])
})

test('shows headers and bodies without any token, code or secret', async () => {
  const code = await approve()
  const { body } = await exchange(code)
  await hub('GET', '/oauth/userinfo', {
    token: body.access_token,
  })
  await hub('POST', '/oauth/token', {
    form: { grant_type: 'refresh_token', client_id: 'x', client_secret: 'my_secret_value_1234' },
  })
  const seen: string[] = [JSON.stringify(await flows())]
  for (const { id } of await list()) {
    const detail = await read(RequestDetail, `requests/${id}`)
    seen.push(JSON.stringify(detail))
  }
  seen.push(JSON.stringify((await call('GET', 'requests.har')).body))
  const secrets = [code, codeVerifier, 'my_secret_value_1234', ...Object.values(body)].filter(
    (value) => typeof value === 'string' && value.length >= 20 && !value.includes(' '),
  )
  expect(secrets.length).toBeGreaterThanOrEqual(5)
  for (const secret of secrets) expect(seen.join('\n')).not.toContain(secret)
  const bodies = seen.filter((text) => text.includes('grant_type=authorization_code'))
  expect(bodies.join()).toContain(`client_id=${publicClient}`)
})

test('requests are filtered and have pages', async () => {
  await whoami()
  await whoami('hf_sandbox_alice')
  await hub('GET', '/oauth/nothing')
  expect((await list()).map(({ status }) => status)).toEqual([404, 200, 401])
  expect(await list('?status=4xx')).toHaveLength(2)
  expect(await list('?status=200&user=alice')).toHaveLength(1)
  expect(await list('?path=/oauth/&method=get')).toHaveLength(1)
  expect(await list(`?clientId=${publicClient}`)).toEqual([])
  const first = await read(RequestList, 'requests?limit=2')
  expect(await list(`?cursor=${first.nextCursor}`)).toMatchObject([{ status: 401 }])
  expectInvalid(await call('GET', 'requests?status=many'), ['status'])
  expectInvalid(await call('GET', 'requests?user=nobody'), ['user'])
  expectNotFound(await call('GET', 'requests/none'))
})

test('the token identifies the user of a request', async () => {
  const { access_token: token } = (await exchange(await approve())).body
  await userinfo(token)
  expect(await list(`?path=userinfo&user=alice&clientId=${publicClient}`)).toMatchObject([
    { user: { username: 'alice' }, app: { name: 'Public app' } },
  ])
})

test('Basic credentials identify the app in any encoding', async () => {
  for (const encode of [String, encodeEverything]) {
    await call('POST', 'reset')
    await play.exchangeToken('nobody@example.com', {}, 'sandbox_exchange_secret', encode)
    expect(await list(`?clientId=${exchangeClient}`)).toMatchObject([
      { app: { clientId: exchangeClient, name: 'Exchange app' } },
    ])
    const [flow] = await flows()
    expect(flow).toMatchObject({ app: { name: 'Exchange app' } })
    const body = await read(FlowStepDetail, `flows/${flow?.id}/steps/${flow?.id}`)
    expect(body.parameters).toContainEqual(
      expect.objectContaining({ name: 'client_id', value: exchangeClient, place: 'header' }),
    )
  }
})

test('the control API is not logged, and long bodies are cut', async () => {
  await call('GET', 'clock')
  expect(await list()).toEqual([])
  await hub('POST', '/oauth/device', { form: { client_id: 'x', filler: 'y'.repeat(20_000) } })
  const [item] = await list()
  const body = await read(RequestDetail, `requests/${item?.id}`)
  expect(body.request).toMatchObject({ truncated: true })
  expect(body.request.size).toBeGreaterThan(20_000)
  expect(body.request.body?.length ?? 0).toBeLessThanOrEqual(16 * 1024)
})

test('a chunked form is logged', async () => {
  const form = `grant_type=refresh_token&refresh_token=none&client_id=${publicClient}`
  const type = 'application/x-www-form-urlencoded'
  const sent = request(`${world.sandbox.url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': type, 'transfer-encoding': 'chunked' },
  }).end(form)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  await once(answer.resume(), 'end')
  const [item] = await list()
  const body = await read(RequestDetail, `requests/${item?.id}`)
  expect(body.request).toMatchObject({ truncated: false, size: form.length })
  expect(body.request.body).toContain('grant_type=refresh_token')
})

test.each([
  ['requests.har', String.raw`a\u202eb\u2066c`],
  ['export?log=1', '"log"'],
])('%s has bidi controls only escaped', async (path, part) => {
  await hub('GET', `/oauth/authorize?client_id=${encodeURIComponent('a\u202Eb\u2066c')}`)
  const text = await (await fetch(`${world.sandbox.url}/_sandbox/api/${path}`)).text()
  expect(text).not.toMatch(/\p{Bidi_Control}/u)
  expect(text).toContain(part)
  expect(JSON.parse(text)).toBeTypeOf('object')
})

test('requests are exported as an HTTP Archive', async () => {
  await hub('GET', `/oauth/authorize?${query}`)
  const { body, headers } = await call<Har>('GET', 'requests.har')
  expectShape(Har, body)
  expect(headers['content-disposition']).toContain('hub-sandbox.har')
  expect(body.log.version).toBe('1.2')
  expect(body.log.entries).toMatchObject([
    { request: { method: 'GET' }, response: { status: 303, redirectURL: expect.any(String) } },
  ])
  expect(body.log.entries[0]?.request.queryString).toContainEqual({
    name: 'client_id',
    value: publicClient,
  })
})

describe('the query', () => {
  const filtered = async (line: string) =>
    (await list(`?q=${encodeURIComponent(line)}`)).map(({ method, path }) => `${method} ${path}`)
  const problems = async (line: string) => {
    const answer = await call<{ issues: { path: string; message: string }[] }>(
      'GET',
      `requests?q=${encodeURIComponent(line)}`,
    )
    expect(answer.status).toBe(400)
    return answer.body.issues.map(({ message }) => message)
  }

  test('every word filters: kind, status, method, route, user, app, error, grant, fault and text', async () => {
    await play.whoami('hf_sandbox_alice')
    await play.whoami('hf_nobody')
    await exchange('none')
    await call('POST', 'faults', { match: { route: '/oauth/userinfo' }, status: 503 })
    await hub('GET', '/oauth/userinfo')
    const whoami = 'GET /api/whoami-v2'
    const token = 'POST /oauth/token'
    const userinfo = 'GET /oauth/userinfo'
    const expected: Record<string, string[]> = {
      'status:4xx': [token, whoami],
      'status:401 method:get': [whoami],
      'status:5xx': [userinfo],
      'route:/oauth/*': [userinfo, token],
      'route:"/oauth"': [],
      'kind:api status:>=400': [whoami],
      'user:alice': [whoami],
      'user:ALICE -status:200': [],
      'app:"Public app"': [token],
      [`app:${publicClient}`]: [token],
      'error:grant': [token],
      'grant:authorization': [token],
      'is:refused -is:broken': [token, whoami],
      'is:broken': [userinfo],
      'WHOAMI 401': [],
      'post /oauth': [token],
      '"get /api"': [whoami, whoami],
      '': [userinfo, token, whoami, whoami],
    }
    for (const [line, paths] of Object.entries(expected)) {
      expect.soft([line, await filtered(line)]).toEqual([line, paths])
    }
  })

  test('times follow the sandbox clock', async () => {
    await whoami()
    await call('POST', 'clock', { advance: '10m' })
    await hub('GET', '/oauth/userinfo')
    expect(await filtered('last 5m')).toEqual(['GET /oauth/userinfo'])
    expect(await filtered('last:1h30m')).toHaveLength(2)
    expect(await filtered('-last 5m')).toEqual(['GET /api/whoami-v2'])
  })

  test('unknown words are reported with suggestions', async () => {
    expect(await problems('stauts:4xx user:alcie method:PSOT status:many is:refusd from:week'))
      .toMatchInlineSnapshot(`
      [
        "Unknown key "stauts:" at character 1 (did you mean "status"?). Use kind, status, app, user, method, route, error, reason, grant, flow, model, rule, is, took, from, to, or quote the word to search for text.",
        "Unknown user "alcie" at character 12 (did you mean "alice"?).",
        "Unknown method "PSOT" at character 23 (did you mean "POST"?): use GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS.",
        "Invalid status "many" at character 35: use 404, 4xx or >=400 (0: the connection was cut).",
        "Unknown mark "refusd" at character 47 (did you mean "refused"?): use refused, broken, audit.",
        "Invalid time "week" at character 57: use 10m (ago), or a time in UTC such as 14:30 or 2026-05-01T14:30.",
      ]
    `)
    expect(await problems('app:publik user:')).toEqual([
      expect.stringContaining('Unknown app "publik" at character 1'),
      '"user:" at character 12 needs a value: a username.',
    ])
    expect(await filtered('"stauts:4xx" http://localhost')).toEqual([])
  })

  test('the query combines with route, text and since, and has an old name', async () => {
    await whoami()
    await call('POST', 'clock', { set: '2031-01-01T00:00:00.000Z' })
    await exchange('none')
    const paths = async (filter: string) => (await list(filter)).map(({ path }) => path)
    expect(await paths('?route=/api/*')).toEqual(['/api/whoami-v2'])
    expect(await paths('?text=INVALID_grant')).toEqual(['/oauth/token'])
    expect(await paths('?since=2030-12-31T00:00:00.000Z')).toEqual(['/oauth/token'])
    expect(await paths('?since=2030-12-31T00:00:00.000Z&filter=whoami')).toEqual([])
    expect(await paths('?route=/api/*&q=method:post')).toEqual([])
  })

  test('the cursor continues a filtered list', async () => {
    for (const path of ['/api/whoami-v2', '/oauth/userinfo', '/api/whoami-v2', '/api/models']) {
      await hub('GET', path)
    }
    const first = await read(RequestList, 'requests?limit=1&q=whoami')
    const second = await list(`?limit=1&q=whoami&cursor=${first.nextCursor}`)
    expect(first.items).toHaveLength(1)
    expect(second).toMatchObject([{ path: '/api/whoami-v2' }])
    expect(second[0]?.id).not.toBe(first.items[0]?.id)
  })

  test('sign-ins are filtered by result, app and time', async () => {
    await exchange('none')
    await call('POST', 'clock', { advance: '10m' })
    await exchange(await approve())
    const found = async (query: string) =>
      (await read(FlowList, `flows?q=${encodeURIComponent(query)}`)).items.map(
        ({ outcome }) => outcome,
      )
    expect(await found('kind:authorization-code app:"Public app"')).toEqual([
      'completed',
      'refused',
    ])
    expect(await found('status:refused error:grant')).toEqual(['refused'])
    expect(await found('from:5m')).toEqual(['completed'])
    expect(await found('-from:5m user:alice')).toEqual([])
    expectInvalid(await call('GET', 'flows?q=webhook:x'), ['q'])
  })
})
