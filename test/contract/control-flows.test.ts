import { describe, expect, test } from 'vitest'
import type { FlowStep } from '../../server/contract/control-flows.ts'
import { controlWorld, expectNotFound, publicClient } from '../helpers/control.ts'
import { playFlows } from '../helpers/played-flows.ts'

const world = controlWorld()
const { call, hub } = world
const play = playFlows(world)
const drawn = play.newest

const lineOf = ({ kind, from, to, name, outcome, inferred }: FlowStep): string => {
  const how = [outcome === 'ok' ? '' : ` (${outcome})`, inferred === true ? ' inferred' : '']
  return kind === 'message'
    ? `${from} → ${to}: ${name}${how.join('')}`
    : `${kind}: ${name}${how[0]}`
}
const story = async () => (await drawn()).steps.map(lineOf)

describe('a sign-in with a browser (RFC 6749 §4.1, RFC 7636)', () => {
  test('a sign-in is drawn from the redirect of the app to the claims of the user', async () => {
    const { access_token: token } = await play.signIn()
    await play.userinfo(token)
    expect(await story()).toEqual([
      'app → browser: redirect to the Hub inferred',
      'browser → hub: authorization request',
      'hub → browser: redirect to the login page',
      'browser → hub: request for the login page',
      'hub → browser: login page',
      'waiting: user on login page',
      'browser → hub: sign-in form',
      'hub → browser: redirect back',
      'browser → hub: authorization request',
      'hub → browser: consent page',
      'waiting: user on consent page',
      'browser → hub: user approves',
      'hub → browser: code → redirect URI',
      'browser → app: redirect URI called inferred',
      'app → hub: token request with PKCE',
      'hub → app: token response',
      'app → hub: userinfo request',
      'hub → app: userinfo response',
    ])
    const { actors, outcome, app, user, tokenIds, missing, steps } = await drawn()
    expect(actors.map(({ name }) => name)).toEqual(['Browser', 'Public app', 'Hub'])
    expect({ outcome, missing }).toEqual({ outcome: 'completed', missing: [] })
    expect([app?.name, user?.username]).toEqual(['Public app', 'alice'])
    expect(tokenIds).toHaveLength(1)
    const times = steps.map(({ sinceMs }) => sinceMs)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(times[0]).toBe(0)
    expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length)
    expect(steps.every(({ explanation }) => explanation !== undefined)).toBe(true)
  })

  test('a sign-in is open while the user or the app has to act', async () => {
    const browser = await play.toConsent()
    const open = (await drawn()).steps.at(-1)
    expect(open).toMatchObject({ kind: 'waiting', outcome: 'pending', to: 'browser' })
    await play.answer(browser, 'approve')
    expect((await drawn()).steps.at(-1)).toMatchObject({
      kind: 'waiting',
      outcome: 'pending',
      to: 'app',
    })
    expect((await drawn()).steps.find(({ id }) => id === open?.id)).toMatchObject({ outcome: 'ok' })
    await call('POST', 'clock', { advance: '1h' })
    expect(await drawn()).toMatchObject({
      outcome: 'refused',
      explanation: expect.stringContaining('expired'),
    })
  })

  test('a denial ends the sign-in with the error that the app gets', async () => {
    await play.answer(await play.toConsent(), 'deny')
    const { steps, outcome } = await drawn()
    expect(outcome).toBe('refused')
    const denied = steps.find(({ name }) => name === 'error → redirect URI')
    expect(denied).toMatchObject({
      outcome: 'refused',
      denied: true,
      error: 'access_denied',
      status: 303,
    })
    expect(denied?.explanation).toMatch(/^[A-Z].*\.$/)
    expect(steps.at(-1)).toMatchObject({ from: 'browser', to: 'app', inferred: true })
  })

  test('an unregistered redirect URI is explained', async () => {
    await hub('GET', `/oauth/authorize?${play.request({ redirect_uri: 'http://localhost/other' })}`)
    const refused = (await drawn()).steps.at(-1)
    expect(refused).toMatchObject({ name: 'error page', outcome: 'refused', status: 400 })
    expect(refused?.explanation).toMatch(
      /^http:\/\/localhost\/other cannot be used: .*path differs/,
    )
    expect(refused?.explanation).toContain('registered http://localhost/callback')
  })

  test('uses of its tokens continue the sign-in', async () => {
    const { refresh_token: token } = await play.signIn()
    await play.refresh(token)
    await play.refresh(token)
    expect((await story()).slice(-4)).toEqual([
      'app → hub: refresh request',
      'hub → app: token response',
      'app → hub: refresh request',
      'hub → app: error response (refused)',
    ])
    expect((await drawn()).tokenIds).toHaveLength(2)
  })

  test('moves of the clock are shown where they happened', async () => {
    const browser = await play.toConsent()
    await call('POST', 'clock', { advance: '90s' })
    await play.answer(browser, 'approve')
    const steps = (await drawn()).steps.map(lineOf)
    expect(steps.indexOf('clock: clock advanced by 90s')).toBe(
      steps.indexOf('browser → hub: user approves') - 1,
    )
  })

  test('a fault is shown where it acted', async () => {
    await call('POST', 'faults', { match: { route: '/oauth/token' }, times: 1, status: 503 })
    await play.signIn()
    expect((await drawn()).steps.at(-1)).toMatchObject({
      outcome: 'broken',
      status: 503,
      explanation: 'A fault changed this response: status set to 503.',
    })
  })
})

describe('a device (RFC 8628)', () => {
  test('polls are one step, and the code is shown while it waits', async () => {
    const { userCode, poll } = await play.startDevice()
    expect(await drawn()).toMatchObject({ outcome: 'pending', device: { userCode } })
    for (let count = 0; count < 3; count += 1) await poll()
    await play.answerDevice(userCode)
    await poll()
    expect(await story()).toEqual([
      'device → hub: device authorization request',
      'hub → device: device authorization response',
      'device → browser: user code shown inferred',
      'polls: polls',
      'browser → hub: user approves',
      'hub → browser: response',
      'device → hub: device token request',
      'hub → device: token response',
    ])
    const { steps, actors, device, user } = await drawn()
    expect(actors.map(({ name }) => name)).toEqual(['Device', 'Hub', 'Browser'])
    expect(device).toBeUndefined()
    expect(user?.username).toBe('bob')
    const polls = steps.find(({ kind }) => kind === 'polls')?.polls
    expect(polls?.count).toBe(3)
    expect(polls?.list.map(({ answer }) => answer)).toEqual([
      'authorization_pending',
      'slow_down',
      'slow_down',
    ])
    expect(polls?.intervalSeconds).toBe(15)
  })

  test('says that a loopback URL does not work on another device', async () => {
    await play.startDevice()
    expect((await drawn()).device?.unreachable).toContain('localhost')
  })

  test('ends when its code expires or its user denies', async () => {
    const { userCode } = await play.startDevice()
    await play.answerDevice(userCode, 'deny')
    expect(await drawn()).toMatchObject({ outcome: 'refused', denied: true })
    await play.startDevice()
    await call('POST', 'clock', { advance: '1h' })
    const { outcome, expired, explanation, device } = await drawn()
    expect({ outcome, expired, device }).toEqual({
      outcome: 'refused',
      expired: true,
      device: undefined,
    })
    expect(explanation).toContain('expired')
  })
})

describe('flows without a browser', () => {
  test('a token exchange is between app and hub (RFC 8693)', async () => {
    await play.exchangeToken('nobody@example.com')
    expect(await story()).toEqual([
      'app → hub: token exchange request',
      'hub → app: error response (refused)',
    ])
    const { actors, steps } = await drawn()
    expect(actors.map(({ actor }) => actor)).toEqual(['app', 'hub'])
    expect(steps[1]?.explanation).toMatch(/not found in the bound organization\. No user has/)
  })

  test('reasons keep the letter case of names', async () => {
    await call('POST', 'users', { username: 'dave' })
    await play.exchangeToken('dave@example.com')
    expect((await drawn()).steps[1]?.explanation).toMatch(
      / The user dave is not a member of acme\.$/,
    )
  })

  test('a registration is a flow of its own (RFC 7591)', async () => {
    await hub('POST', '/oauth/register', { json: { client_name: 'Editor' } })
    expect(await drawn()).toMatchObject({
      kind: 'registration',
      outcome: 'completed',
      app: { name: 'Editor' },
    })
    expect(await story()).toEqual([
      'app → hub: registration request',
      'hub → app: registration response',
    ])
  })
})

describe('an app of a client metadata document', () => {
  const clientId = 'https://app.example/client.json'
  const document = {
    client_id: clientId,
    client_name: 'Described app',
    redirect_uris: ['http://localhost/callback'],
    token_endpoint_auth_method: 'none',
  }

  test('a document served by the sandbox is drawn as inferred', async () => {
    await call('POST', 'client-metadata-documents', { url: clientId, document })
    await hub('GET', `/oauth/authorize?${play.request({ client_id: clientId })}`)
    const { actors } = await drawn()
    expect(await story()).toContain('app → hub: metadata document inferred')
    expect(actors).toContainEqual({ actor: 'app', name: 'Described app' })
  })

  test('a fetched document is drawn, with the reason why it was unusable', async () => {
    const unknown = 'http://localhost:1/client.json'
    await hub('GET', `/oauth/authorize?${play.request({ client_id: unknown })}`)
    expect(await drawn()).toMatchObject({ kind: 'metadata-document', outcome: 'refused' })
    expect(await story()).toEqual([
      'app → browser: redirect to the Hub inferred',
      'browser → hub: authorization request',
      'hub → app: metadata document request',
      'app → hub: metadata document (refused)',
      'hub → browser: error page (refused)',
    ])
  })
})

test('an unknown sign-in is not found', async () => {
  expectNotFound(await call('GET', 'flows/none'))
})

test('a drawing has no secret and escapes foreign text', async () => {
  const state = '"><script>alert(1)</script>'
  const tokens = await play.signIn({ state })
  await hub('GET', `/oauth/authorize?client_id=${encodeURIComponent(state)}&state=other`)
  const items = await play.flows()
  const texts = await Promise.all(
    items.map(async ({ id }) => JSON.stringify((await call('GET', `flows/${id}`)).body)),
  )
  for (const secret of [tokens.access_token, tokens.refresh_token, tokens.id_token]) {
    expect(texts.join('\n')).not.toContain(secret)
  }
  const [strange] = items
  expect(strange?.app).toEqual({ clientId: state, name: state })
  expect(items.find(({ app }) => app?.clientId === publicClient)).toBeDefined()
})
