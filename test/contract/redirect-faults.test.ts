import { describe, expect, test } from 'vitest'
import type { FaultItem, FaultList } from '../../server/contract/control-faults.ts'
import type { FlowDetail } from '../../server/contract/control-flows.ts'
import type { FlowList, RequestList } from '../../server/contract/control-requests.ts'
import { controlWorld, expectInvalid } from '../helpers/control.ts'
import { createUserAgent } from '../helpers/user-agent.ts'
import { defaultApps, startTestSandbox } from '../helpers/sandbox.ts'
import { pkce, playFlows } from '../helpers/played-flows.ts'

const world = controlWorld()
const { call } = world

/** Sends a browser through the pages of a sign-in. @returns the URL of the app that it reaches */
async function signIn(faults: readonly object[], settings: { sendIss?: boolean } = {}) {
  const sandbox = await startTestSandbox(settings)
  for (const fault of faults) await sandbox.control('POST', 'faults', fault)
  const { clientId, redirectUris } = defaultApps(sandbox).public
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUris[0] ?? '',
    response_type: 'code',
    scope: 'openid',
    state: 'own state',
    ...pkce,
  })
  const url = new URL(`${sandbox.url}/oauth/authorize?${query}`)
  return { sandbox, back: await createUserAgent('alice').authorize(url) }
}

const match = { route: '/oauth/authorize' }

describe('a fault in the redirect back to the app', () => {
  test('sets and removes parameters, and keeps the others as they were', async () => {
    const redirect = { set: { iss: 'https://other.example/a b' }, remove: ['code', 'gone'] }
    const { back, sandbox } = await signIn([{ match, redirect, times: 1 }])
    expect(back.search).toBe('?state=own%20state&iss=https%3A%2F%2Fother.example%2Fa%20b')
    const { items } = await sandbox.control<RequestList>('GET', 'requests?limit=1')
    expect(items[0]?.faultChanges).toEqual([
      'redirect: iss set to "https://other.example/a b"',
      'redirect: code removed',
    ])
    const flows = await sandbox.control<FlowList>('GET', 'flows')
    const flow = await sandbox.control<FlowDetail>('GET', `flows/${flows.items[0]?.id}`)
    expect(flow.steps.some(({ outcome }) => outcome === 'changed')).toBe(true)
  })

  test('is not used up by the pages before, nor by other requests', async () => {
    const { back, sandbox } = await signIn([
      { match: {}, redirect: { set: { state: 'x' } }, times: 1 },
    ])
    expect(back.searchParams.get('state')).toBe('x')
    expect(back.searchParams.has('code')).toBe(true)
    const { items } = await sandbox.control<FaultList>('GET', 'faults')
    expect(items).toMatchObject([{ hits: 1, matches: 1 }])
  })

  test('removes the issuer that the hub sends', async () => {
    const whole = await signIn([], { sendIss: true })
    expect(whole.back.searchParams.get('iss')).toBe(whole.sandbox.url)
    const { back } = await signIn([{ match, redirect: { remove: ['iss'] } }], { sendIss: true })
    expect(back.searchParams.has('iss')).toBe(false)
  })

  test('changes refusals, too', async () => {
    const sandbox = await startTestSandbox()
    await sandbox.control('POST', 'faults', { match, redirect: { set: { error: 'server_error' } } })
    const { clientId, redirectUris } = defaultApps(sandbox).public
    const [redirectUri = ''] = redirectUris
    const query = new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri })
    const answer = await fetch(`${sandbox.url}/oauth/authorize?${query}&response_type=token`, {
      redirect: 'manual',
    })
    const location = new URL(answer.headers.get('location') ?? '')
    expect(location.searchParams.getAll('error')).toEqual(['server_error'])
    expect(location.searchParams.has('error_description')).toBe(true)
  })

  test('changes a sign-in by the control API', async () => {
    await call('POST', 'faults', { match, redirect: { set: { iss: 'https://other.example' } } })
    const { body } = await playFlows(world).authorize()
    expect(new URL(body.redirectTo).searchParams.get('iss')).toBe('https://other.example')
    expect(new URL(body.redirectTo).searchParams.has('code')).toBe(true)
  })
})

test.each([
  [{ redirect: {} }, 'redirect', 'Name a parameter in set or remove, or add codeLength or scope.'],
  [
    { redirect: { remove: ['iss'] }, status: 500 },
    'status',
    'A rule with redirect only supports delay and headers, too.',
  ],
  [
    { match: { webhookId: '*' }, redirect: { remove: ['iss'] } },
    'redirect',
    'A rule for deliveries only supports delay, status and break.',
  ],
])('%j is refused', async (rule, path, message) => {
  const answer = await call<FaultItem>('POST', 'faults', { match, ...rule })
  expectInvalid(answer, [path])
  expect(answer.body).toMatchObject({ issues: [{ path, message }] })
})
