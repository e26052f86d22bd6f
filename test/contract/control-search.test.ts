import { expect, test } from 'vitest'
import { SearchResult } from '../../server/contract/control-search.ts'
import { controlWorld, expectInvalid, publicClient } from '../helpers/control.ts'
import { codeChallenge, playFlows } from '../helpers/played-flows.ts'

const world = controlWorld()
const { call, hub, send } = world

const search = async (q: string) => (await send(SearchResult, 'POST', 'search', { q })).items

const kinds = async (q: string) => (await search(q)).map(({ kind, label }) => `${kind} ${label}`)

test('finds accounts, apps, repos and snapshots by part of a name, prefix matches first', async () => {
  await call('POST', 'users', { username: 'zoe' })
  await call('POST', 'organizations', { name: 'zoetrope' })
  await call('POST', 'users', { username: 'azoe' })
  await call('POST', 'repos', { type: 'dataset', name: 'alice/zoetic' })
  await call('POST', 'snapshots', { name: 'with-zoe' })
  expect(await kinds('ZOE')).toEqual([
    'user zoe',
    'user azoe',
    'organization zoetrope',
    'repo alice/zoetic',
    'snapshot with-zoe',
  ])
  await call('DELETE', 'snapshots/with-zoe')
  expect((await search('secret app'))[0]).toMatchObject({ kind: 'app', label: 'Secret app' })
  expect(await kinds('nothing of that name')).toEqual([])
  expect(await kinds('  ')).toEqual([])
})

test('a few results of each kind are returned', async () => {
  for (let index = 0; index < 10; index += 1) {
    await call('POST', 'users', { username: `many-${index}` })
  }
  expect(await search('many')).toHaveLength(6)
})

test('a token finds itself and its sign-in, and appears in no response', async () => {
  const { body } = await call<{ access_token: string }>('POST', 'tokens', { user: 'alice' })
  const hits = await search(`Bearer ${body.access_token}`)
  expect(hits[0]).toMatchObject({ kind: 'token', note: 'alice' })
  expect(hits[0]?.path).toBe(`/tokens/${hits[0]?.id}`)
  expect(JSON.stringify(hits)).not.toContain(body.access_token)
  expect((await search(hits[0]?.id ?? ''))[0]).toEqual(hits[0])
  expect(await search('hf_nobody_has_this')).toEqual([])
})

test('a device code and a user code find the device and its sign-in, in any spelling', async () => {
  const { body } = await hub<{ device_code: string; user_code: string }>('POST', '/oauth/device', {
    form: { client_id: publicClient, scope: 'openid' },
  })
  const expected = [
    expect.objectContaining({ kind: 'device', id: body.user_code, path: '/devices' }),
    expect.objectContaining({ kind: 'sign-in' }),
  ]
  for (const text of [body.user_code, body.user_code.replace('-', '').toLowerCase()]) {
    expect(await search(text)).toEqual(expected)
  }
  const byCode = await search(body.device_code)
  expect(byCode[0]).toMatchObject({ kind: 'device' })
  expect(JSON.stringify(byCode)).not.toContain(body.device_code)
})

test('a code or a state finds its sign-in', async () => {
  const code = await playFlows(world).approve('alice', { state: 'a state/of+mine' })
  const hits = await search(code)
  expect(hits).toMatchObject([{ kind: 'sign-in', label: 'Sign-in by authorization-code' }])
  expect(JSON.stringify(hits)).not.toContain(code)
  expect((await search(codeChallenge))[0]?.id).toBe(hits[0]?.id)
})

test('an id finds its request, fault, user or repo', async () => {
  await hub('GET', '/api/whoami-v2?token=hf_sandbox_alice')
  const [request] = world.sandbox.deps.requests.values()
  expect(await search(request?.id ?? '')).toEqual([
    {
      kind: 'request',
      id: request?.id,
      label: 'GET /api/whoami-v2',
      note: '401',
      path: `/requests/${request?.id}`,
    },
  ])
  const fault = await call<{ id: string }>('POST', 'faults', { match: {}, status: 503 })
  expect(await kinds(fault.body.id)).toEqual([`fault Fault rule ${fault.body.id}`])
  const [user] = world.sandbox.deps.state.users.values()
  expect((await search(user?.id ?? ''))[0]).toMatchObject({ kind: 'user', label: 'alice' })
})

test('the search term is accepted in the body only', async () => {
  expectInvalid(await call('POST', 'search?q=alice', { q: 'x' }), ['q'])
  expect((await call('POST', 'search', {})).status).toBe(400)
})
