import { expect, test } from 'vitest'
import { playFlows } from '../helpers/played-flows.ts'
import { FlowList } from '../../server/contract/control-requests.ts'
import { DeviceList, SessionList, StartedSession } from '../../server/contract/control-sign-in.ts'
import {
  expectRefusal,
  expectInvalid,
  expectNotFound,
  publicClient,
  controlWorld,
} from '../helpers/control.ts'

const world = controlWorld()
const { call, hub, read, send } = world
const play = playFlows(world)
const request = Object.fromEntries(new URLSearchParams(play.request()))

async function authorize(body: Record<string, unknown>): Promise<URLSearchParams> {
  const answer = await call<{ redirectTo: string }>('POST', 'authorize', body)
  expect(answer.status).toBe(200)
  const target = new URL(answer.body.redirectTo)
  expect(target.origin + target.pathname).toBe('http://localhost/callback')
  return target.searchParams
}

test('signs in without a browser, with a working code (RFC 6749 §4.1)', async () => {
  const answer = await authorize({ ...request, user: 'alice', organizations: ['acme'] })
  expect(answer.get('state')).toBe('xyz')
  expect((await play.exchangeCode(answer.get('code') ?? '')).status).toBe(200)
})

test('a denial and redirected errors return the redirect', async () => {
  const error = async (changes: Record<string, unknown>) =>
    (await authorize({ ...request, user: 'alice', ...changes })).get('error')
  expect(await error({ decision: 'deny' })).toBe('access_denied')
  expect(await error({ scope: 'jobs' })).toBeNull()
  expect(await error({ response_type: 'token' })).toBe('unsupported_response_type')
  expect(await error({ code_challenge: '' })).toBe('invalid_request')
  expect(await error({ user: 'carol' })).toBe('access_denied')
})

test('repeats a parameter that has a list (RFC 6749 §3.1, RFC 8707 §2)', async () => {
  const resource = ['https://a.example', 'https://b.example']
  const answer = await authorize({ ...request, user: 'alice', resource })
  expect(answer.get('code')).not.toBeNull()
  const requests = await call<{ items: { path: string }[] }>('GET', 'requests')
  const [{ path } = { path: '' }] = requests.body.items
  expect(new URLSearchParams(path.slice(path.indexOf('?'))).getAll('resource')).toEqual(resource)
  const twice = await authorize({ ...request, user: 'alice', nonce: ['n-1', 'n-2'] })
  expect(twice.get('error')).toBe('invalid_request')
})

test('an error page of the hub becomes a 400', async () => {
  const refuse = async (changes: Record<string, unknown>, error: string) =>
    expectRefusal(await call('POST', 'authorize', { ...request, user: 'alice', ...changes }), {
      status: 400,
      error,
    })
  await refuse({ client_id: 'none' }, 'invalid_client')
  await refuse({ redirect_uri: 'http://localhost/other' }, 'invalid_redirect_uri')
  await refuse({ redirect_uri: '' }, 'invalid_request')
})

test.each([
  [{ ...request }, ['user']],
  [{ ...request, user: 'nobody' }, ['user']],
  [{ ...request, user: 'alice', organizations: ['nowhere'] }, ['organizations[0]']],
  [{ ...request, user: 'alice', decision: 'maybe' }, ['decision']],
  [{ ...request, user: 'alice', state: { a: 1 } }, ['state']],
  [{ ...request, user: 'alice', resource: [{ a: 1 }] }, ['resource']],
])('refuses %j', async (body, paths) => {
  expectInvalid(await call('POST', 'authorize', body), paths)
})

test('a session is created with its cookie, listed and ended', async () => {
  const started = await send(StartedSession, 'POST', 'sessions', { user: 'bob' })
  const { name, value } = started
  const whoami = () => hub('GET', '/api/whoami-v2', { headers: { cookie: `${name}=${value}` } })
  expect(await whoami()).toMatchObject({ status: 200, body: { name: 'bob' } })
  const list = await read(SessionList, 'sessions')
  expect(list.items).toMatchObject([{ id: value, user: { username: 'bob' } }])
  expect((await call('DELETE', `sessions/${value}`)).status).toBe(200)
  expect((await whoami()).status).toBe(401)
  expectNotFound(await call('DELETE', `sessions/${value}`))
  expectInvalid(await call('POST', 'sessions', { user: 'nobody' }), ['user'])
})

test('ended sessions are not listed', async () => {
  await call('POST', 'sessions', { user: 'bob' })
  await call('POST', 'clock', { advance: '31d' })
  expect((await read(SessionList, 'sessions')).items).toEqual([])
})

const startDevice = () => play.startDevice({ scope: 'openid' })

test('approves a device by its code as people type it, and lists its state (RFC 8628)', async () => {
  const { userCode, poll } = await startDevice()
  const waiting = await read(DeviceList, 'device')
  expect(waiting.items).toMatchObject([
    { userCode, status: 'pending', app: { clientId: publicClient }, scopes: ['openid'] },
  ])
  const typed = userCode.toLowerCase().replace('-', '')
  const decided = await call('POST', `device/${typed}`, { user: 'alice', decision: 'approve' })
  expect(decided).toMatchObject({ status: 200, body: { status: 'approved' } })
  expect((await poll()).status).toBe(200)
  expect((await read(DeviceList, 'device')).items).toMatchObject([
    { status: 'consumed', user: { username: 'alice' } },
  ])
})

test('shows the organizations granted to a device, and its sign-in', async () => {
  const { userCode, poll } = await startDevice()
  const listed = async () => (await read(DeviceList, 'device')).items[0]
  expect(await listed()).toMatchObject({ organizations: [] })
  const answer = { user: 'alice', decision: 'approve', organizations: ['acme'] }
  await call('POST', `device/${userCode}`, answer)
  await poll()
  const device = await listed()
  expect(device?.organizations.map(({ name }) => name)).toEqual(['acme'])
  const body = await read(FlowList, 'flows')
  expect(device?.flowId).toBe(body.items[0]?.id)
  expect(body.items[0]?.kind).toBe('device-code')
})

test('a device is denied', async () => {
  const { userCode, poll } = await startDevice()
  const decided = await call('POST', `device/${userCode}`, { user: 'alice', decision: 'deny' })
  expect(decided.body).toEqual({ status: 'denied' })
  expect((await poll()).body.error).toBe('access_denied')
})

test('refuses a code that is unknown, answered or expired, and an unknown user', async () => {
  const approve = { user: 'alice', decision: 'approve' }
  expectInvalid(await call('POST', 'device/AAAA-BBBB', approve))
  const { userCode } = await startDevice()
  expectInvalid(await call('POST', `device/${userCode}`, { ...approve, user: 'nobody' }), ['user'])
  expectInvalid(await call('POST', `device/${userCode}`, { user: 'alice' }), ['decision'])
  await call('POST', `device/${userCode}`, approve)
  expectInvalid(await call('POST', `device/${userCode}`, approve))
  const late = await startDevice()
  await call('POST', 'clock', { advance: '6m' })
  expectInvalid(await call('POST', `device/${late.userCode}`, approve))
  expect((await read(DeviceList, 'device')).items[0]?.status).toBe('expired')
})
