import { describe, expect, test } from 'vitest'
import { RequestDetail, RequestList, Resent } from '../../server/contract/control-requests.ts'
import { controlWorld, expectInvalid, expectNotFound, secretClient } from '../helpers/control.ts'

const world = controlWorld()
const { call, hub, read, send } = world

const clientSecret = 'sandbox_first_secret'

const alice = { authorization: 'Bearer hf_sandbox_alice' }

async function newest(): Promise<RequestDetail> {
  const body = await read(RequestList, 'requests?limit=1')
  return detail(body.items[0]?.id ?? '')
}

const detail = (id: string) => read(RequestDetail, `requests/${id}`)

async function resend(id: string, changes?: object): Promise<RequestDetail> {
  const body = await send(Resent, 'POST', `requests/${id}/resend`, changes)
  const sent = await detail(body.id)
  expect(sent.status).toBe(body.status)
  return sent
}

describe('a request that is sent again', () => {
  test('has the same principal and names the original', async () => {
    await hub('GET', '/api/whoami-v2', { headers: alice })
    const original = await newest()
    const sent = await resend(original.id)
    expect(sent).toMatchObject({ status: 200, resentFrom: original.id, path: '/api/whoami-v2' })
    expect(sent.user).toEqual(original.user)
    expect(sent.request).toEqual(original.request)
    expect(sent.id).not.toBe(original.id)
    expect(JSON.stringify(await newest())).not.toContain('hub-sandbox-resend')
  })

  test('may have another method, path, headers and body', async () => {
    await hub('GET', '/api/nothing-here', { headers: alice })
    const { id, request } = await newest()
    const name = `resent-${id}`
    const sent = await resend(id, {
      method: 'POST',
      path: '/api/repos/create',
      headers: [...request.headers, ['Content-Type', 'application/json']],
      body: JSON.stringify({ type: 'dataset', name }),
    })
    expect(sent).toMatchObject({ method: 'POST', status: 200, resentFrom: id })
    expect(sent.response.body).toContain(`alice/${name}`)
    const anonymous = await resend(id, { path: '/api/whoami-v2', headers: [] })
    expect(anonymous.status).toBe(401)
  })

  test('sends the recorded secrets in place of their masks', async () => {
    const form = { grant_type: 'refresh', client_id: secretClient, client_secret: clientSecret }
    await hub('POST', '/oauth/token', { form: { ...form, refresh_token: 'hf_oauth_nothing_1234' } })
    const { id, request, error } = await newest()
    expect(error).toBe('unsupported_grant_type')
    expect(request.body).not.toContain(clientSecret)
    const sent = await resend(id, {
      headers: request.headers,
      body: (request.body ?? '').replace('grant_type=refresh&', 'grant_type=refresh_token&'),
    })
    // The client was authenticated: only the refresh token is unknown.
    expect(sent).toMatchObject({ error: 'invalid_grant', app: { clientId: secretClient } })
    expect(sent.request.body).not.toContain(clientSecret)
  })

  test.each([
    ['headers', { headers: [['authorization', 'Bearer hf_…zzzz']] }, 'masked value'],
    ['headers', { headers: [['x y', '1']] }, 'Invalid header name'],
    ['headers', { headers: [['x-note', 'a\nb']] }, 'cannot have'],
    ['body', { body: 'client_secret=sandbox_…9' }, 'masked value'],
    ['path', { path: 'api/whoami-v2' }, 'begin with a slash'],
    ['path', { path: '/_sandbox/api/reset' }, 'not part of the Hub'],
    ['path', { path: '/api/models?search=a b' }, 'white space'],
    ['method', { method: 'CONNECT' }, 'use GET, HEAD'],
  ])('is refused for its %s where it cannot be sent: %j', async (path, changes, message) => {
    await hub('GET', '/api/whoami-v2', { headers: alice })
    const before = await newest()
    const refused = await call('POST', `requests/${before.id}/resend`, changes)
    expectInvalid(refused, [path])
    expect(refused.body).toMatchObject({
      issues: [{ message: expect.stringContaining(message) as string }],
    })
    expect((await newest()).id).toBe(before.id)
  })

  test('needs the whole body where the log has only a part', async () => {
    await hub('POST', '/api/repos/create', {
      headers: alice,
      json: { name: 'cut', type: 'model', note: 'n'.repeat(20_000) },
    })
    const { id, request } = await newest()
    expect(request.truncated).toBe(true)
    const refused = await call('POST', `requests/${id}/resend`)
    expectInvalid(refused, ['body'])
    const sent = await resend(id, { body: '{"name":"whole","type":"model"}' })
    expect(sent.status).toBe(200)
  })

  test('is unknown once the log has dropped it', async () => {
    expectNotFound(await call('POST', 'requests/req-none/resend'))
  })

  test('is no resend for a client that sends the header itself', async () => {
    await hub('GET', '/api/whoami-v2', { headers: { ...alice, 'hub-sandbox-resend': 'guessed' } })
    const { resentFrom, request } = await newest()
    expect(resentFrom).toBeUndefined()
    expect(request.headers.map(([name]) => name)).not.toContain('hub-sandbox-resend')
  })
})
