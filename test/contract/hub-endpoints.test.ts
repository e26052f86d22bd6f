import { expect, test } from 'vitest'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { type Caller, callerAt } from '../helpers/cast.ts'
import { payingFixtures, startTestSandbox } from '../helpers/sandbox.ts'

const body = { name: 'chat', model: { repository: 'acme/tagger', secrets: { KEY: 'hush' } } }

interface Endpoint {
  status: { state: string; url?: string; readyReplica: number }
}

async function start(inferenceEndpoints: FixturesFile['inferenceEndpoints'] = []) {
  const fixtures: FixturesFile = {
    ...payingFixtures,
    inferenceEndpoints,
    clock: { now: '2026-03-01T12:00:00Z', frozen: true },
  }
  const sandbox = await startTestSandbox({ fixtures })
  const as = (token?: string) => callerAt({ url: `${sandbox.url}/v2/endpoint` }, token)
  const alice = as('hf_sandbox_alice')
  const statusOf = async (path: string) => (await alice.get<Endpoint>(path)).body.status
  const stateOf = async (path: string) => (await statusOf(path)).state
  return { sandbox, as, alice, statusOf, stateOf }
}

test('an inference endpoint is pending, initializing and running on the sandbox clock', async () => {
  const { sandbox, alice, stateOf } = await start()
  const made = await alice.post<Endpoint>('/alice', body)
  expect(made).toMatchObject({
    status: 200,
    body: {
      name: 'chat',
      type: 'authenticated',
      model: { repository: 'acme/tagger', framework: 'custom', revision: null, task: null },
      compute: { scaling: { minReplica: 0, maxReplica: 1 } },
      status: { state: 'pending', readyReplica: 0, targetReplica: 1 },
    },
  })
  expect(JSON.stringify(made.body)).not.toContain('hush')
  expect(made.body.status.url).toBeUndefined()
  await sandbox.clock.advance('1s')
  expect(await stateOf('/alice/chat')).toBe('initializing')
  await sandbox.clock.advance('2s')
  const running = await alice.get<Endpoint>('/alice/chat')
  const { url = '' } = running.body.status
  expect(running.body).toMatchObject({ status: { state: 'running', readyReplica: 1 } })
  expect((await alice.get(`${url}/health`)).body).toEqual({ status: 'ok' })
  const messages = [{ role: 'user', content: 'Hi' }]
  const completed = await alice.post(`${url}/v1/chat/completions`, { model: 'tgi', messages })
  expect(completed).toMatchObject({ status: 200, body: { model: 'tgi' } })
  expect((await alice.get('/alice')).body).toMatchObject({ items: [{ name: 'chat' }] })
})

test('pause, resume, update, scaling to zero and deletion change the state', async () => {
  const { sandbox, alice, stateOf } = await start([
    { namespace: 'acme', name: 'chat', repository: 'acme/tagger' },
  ])
  const post = async (move: string) => {
    const { status, body: answer } = await alice.post<Endpoint>(`/acme/chat/${move}`)
    return status === 200 ? answer.status.state : status
  }
  expect(await stateOf('/acme/chat')).toBe('running')
  expect(await post('resume')).toBe(400)
  expect(await post('pause')).toBe('paused')
  await sandbox.clock.advance('1d')
  expect(await stateOf('/acme/chat')).toBe('paused')
  expect(await post('scale-to-zero')).toBe(400)
  expect(await post('resume')).toBe('pending')
  await sandbox.clock.advance('3s')
  const updated = await alice.put('/acme/chat', { compute: { instanceSize: 'x4' } })
  expect(updated.body).toMatchObject({
    compute: { instanceSize: 'x4', instanceType: 'intel-icl' },
    model: { repository: 'acme/tagger' },
    status: { state: 'updating' },
  })
  await sandbox.clock.advance('2s')
  expect(await stateOf('/acme/chat')).toBe('running')
  expect(await post('scale-to-zero')).toBe('scaledToZero')
  expect((await alice.delete('/acme/chat')).status).toBe(200)
  expect((await alice.get('/acme/chat')).status).toBe(404)
})

test('an idle inference endpoint scales to zero, and a request starts it', async () => {
  const { sandbox, alice, statusOf, stateOf } = await start([
    {
      namespace: 'alice',
      name: 'idle',
      repository: 'a/b',
      scaling: { minReplica: 0, scaleToZeroTimeout: 15 },
    },
  ])
  const { url = '' } = await statusOf('/alice/idle')
  await sandbox.clock.advance('10m')
  expect((await alice.get(`${url}/health`)).status).toBe(200)
  await sandbox.clock.advance('10m')
  expect(await stateOf('/alice/idle')).toBe('running')
  await sandbox.clock.advance('5m')
  expect(await stateOf('/alice/idle')).toBe('scaledToZero')
  expect((await alice.get(`${url}/health`)).status).toBe(503)
  await sandbox.clock.advance('3s')
  expect((await alice.get(`${url}/health`)).status).toBe(200)
})

test('access needs a member of the namespace, a scope and a payment method', async () => {
  const { sandbox, as, alice } = await start([
    { namespace: 'acme', name: 'chat', repository: 'a/b' },
  ])
  const tokenWith = async (scope: string, organizations: string[] = []) =>
    (await sandbox.tokens.mint({ user: 'alice', scope, organizations })).access_token
  const statuses = async (token?: string) => [
    (await as(token).get('/acme')).status,
    (await as(token).post('/acme', { ...body, name: 'more' })).status,
  ]
  expect(await statuses()).toEqual([401, 401])
  expect(await statuses('hf_sandbox_dave')).toEqual([403, 403])
  expect(await statuses('hf_sandbox_carol')).toEqual([200, 403])
  expect(await statuses(await tokenWith('openid', ['acme']))).toEqual([403, 403])
  expect(await statuses(await tokenWith('write-endpoints'))).toEqual([403, 403])
  expect(await statuses(await tokenWith('read-endpoints', ['acme']))).toEqual([200, 403])
  expect(await statuses(await tokenWith('write-endpoints', ['acme']))).toEqual([200, 200])
  expect((await as('hf_sandbox_dave').post('/dave', body)).status).toBe(402)
  expect((await alice.get('/nobody')).status).toBe(403)
})

test('only a public inference endpoint responds without a token', async () => {
  const { as, alice, statusOf } = await start([
    { namespace: 'acme', name: 'closed', repository: 'a/b' },
    { namespace: 'acme', name: 'open', repository: 'a/b', type: 'public' },
  ])
  const health = async (name: string, user: Caller) =>
    (await user.get(`${(await statusOf(`/acme/${name}`)).url}/health`)).status
  expect([await health('open', as()), await health('closed', as())]).toEqual([200, 401])
  const dave = as('hf_sandbox_dave')
  expect([await health('closed', alice), await health('closed', dave)]).toEqual([200, 403])
})

test.each([
  ['an array', [], 400],
  ['null', null, 400],
  ['a name in capitals', { ...body, name: 'Chat' }, 400],
  ['no model', { name: 'chat' }, 400],
  [
    'more replicas at least than at most',
    { ...body, compute: { scaling: { minReplica: 2 } } },
    400,
  ],
  ['too large', { ...body, tags: ['a'.repeat(70_000)] }, 400],
])('a creation is refused: %s', async (_name, json, status) => {
  const { alice } = await start()
  expect((await alice.post('/alice', json)).status).toBe(status)
})

test('a second inference endpoint of the same name is a conflict', async () => {
  const { alice } = await start()
  expect((await alice.post('/alice', body)).status).toBe(200)
  expect((await alice.post('/alice', body)).status).toBe(409)
})

test('exported fixtures hold the inference endpoints, and a deleted organization takes its own', async () => {
  const { sandbox, alice } = await start([
    { namespace: 'acme', name: 'chat', repository: 'a/b', state: 'paused', env: { A: 'b' } },
  ])
  await alice.put('/acme/chat', { compute: { accelerator: 'gpu' } })
  const { inferenceEndpoints } = await sandbox.export()
  expect(inferenceEndpoints).toMatchObject([
    { namespace: 'acme', name: 'chat', state: 'paused', accelerator: 'gpu', env: { A: 'b' } },
  ])
  const again = await start(inferenceEndpoints)
  expect((await again.sandbox.export()).inferenceEndpoints).toEqual(inferenceEndpoints)
})

test('a check tells whether the caller may use inference endpoints', async () => {
  const { sandbox } = await start([{ namespace: 'acme', name: 'chat', repository: 'acme/tagger' }])
  const check = async (path: string, user = 'alice') => {
    const caller = callerAt(sandbox, `hf_sandbox_${user}`)
    const { status, body: answer } = await caller.post(`/api/inference-endpoints/${path}`)
    return [status, answer]
  }
  const known = { namespace: { name: 'acme' }, user: { name: 'alice' } }
  expect(await check('acme/auth-check/write')).toMatchObject([200, known])
  expect(await check('acme/chat/auth-check/infer')).toMatchObject([200, known])
  const resourceGroupId = 'a'.repeat(24)
  const inGroup = `acme/chat/auth-check/read?resource_group_id=${resourceGroupId}`
  expect(await check(inGroup)).toMatchObject([200, { ...known, resourceGroupId }])
  // A group counts as one without members where it is unknown.
  expect((await check(inGroup, 'carol'))[0]).toBe(403)
  expect((await check('acme/none/auth-check/read'))[0]).toBe(404)
  expect((await check('acme/auth-check/admin'))[0]).toBe(400)
  expect((await check('acme/auth-check/read', 'dave'))[0]).toBe(403)
  expect(
    (await callerAt(sandbox).post('/api/inference-endpoints/acme/auth-check/read')).status,
  ).toBe(401)
})
