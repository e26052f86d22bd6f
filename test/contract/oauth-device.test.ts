import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import type { RequestList } from '../../server/contract/control-requests.ts'
import { revokeConsent } from '../../server/hub/oauth/consents.ts'
import { buildTestApp, testApp } from '../helpers/app.ts'
import { basic, createOAuthClient, expectOAuthError } from '../helpers/oauth-client.ts'
import { formOf } from '../helpers/page.ts'

const world = testApp()
const { client } = world

const request = (form: Record<string, string | undefined> = {}, headers = {}) =>
  client.postForm('/oauth/device', { client_id: world.apps.public.id, ...form }, headers)

const start = (scope?: string) => client.startDevice({ client_id: world.apps.public.id, scope })

const poll = (device: Awaited<ReturnType<typeof start>>, more = {}) =>
  client.poll(device, { client_id: world.apps.public.id, ...more })

describe('client of a metadata document', () => {
  test('the document is fetched for programs, not for pages', async () => {
    const siteUrl = 'http://localhost:4000/client'
    world.sites.set(siteUrl, {
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({
        client_id: siteUrl,
        client_name: 'Site',
        redirect_uris: ['http://localhost/callback'],
        token_endpoint_auth_method: 'none',
      }),
    })
    const page = { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-site' }
    const refused = await request({ client_id: siteUrl }, page)
    expectOAuthError(refused, 401, 'invalid_client', /does not know it yet/)
    expect((await request({ client_id: siteUrl })).statusCode).toBe(200)
    expect((await request({ client_id: siteUrl }, page)).statusCode).toBe(200)
  })
})

/** The user's part: types the code, and answers on the page that follows. */
async function answer(user: string, userCode: string, decision: string, organization?: string) {
  const session = await client.signIn(user)
  const code = formOf((await client.get('/oauth/device', session)).body)
  const typed = await client.postForm(code.action, { ...code.fields, user_code: userCode }, session)
  const consent = formOf((await follow(typed, session)).body)
  const form = { ...consent.fields, decision, organization }
  return follow(await client.postForm(consent.action, form, session), session)
}

/** Goes where a post leads to; what follows can be reloaded. */
async function follow(
  posted: Awaited<ReturnType<typeof client.postForm>>,
  session: { cookie: string },
) {
  const { location } = posted.headers
  if (location === undefined) return posted
  expect(posted.statusCode).toBe(303)
  const page = await client.get(location, session)
  const reloaded = await client.get(location, session)
  const withoutNonce = (body: string) => body.replaceAll(/name="nonce" value="[^"]*"/g, '')
  expect(withoutNonce(reloaded.body)).toBe(withoutNonce(page.body))
  return page
}

describe('device authorization request (RFC 8628 §3.1, §3.2)', () => {
  test('the response has the fields of the hub only', async () => {
    const answered = await request()
    expect(answered.statusCode).toBe(200)
    expect(answered.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
    expect(answered.json()).toEqual({
      device_code: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
      user_code: expect.stringMatching(/^[CDFGHJKLMNPQRTVWXY3479]{4}-[CDFGHJKLMNPQRTVWXY3479]{4}$/),
      verification_uri: 'http://localhost:7420/oauth/device',
      expires_in: 300,
    })
  })

  test('the settings add interval and verification_uri_complete', async () => {
    const { server, apps } = await buildTestApp({
      device: { intervalSeconds: 2, verificationUriComplete: true },
    })
    const answered = await createOAuthClient({ server }).postForm('/oauth/device', {
      client_id: apps.public.id,
    })
    const body = answered.json<{ user_code: string }>()
    expect(body).toMatchObject({
      interval: 2,
      verification_uri_complete: `http://localhost:7420/oauth/device?user_code=${body.user_code}`,
    })
  })

  test('JSON is accepted, too', async () => {
    const json = { client_id: world.apps.public.id, scope: 'openid' }
    expect((await client.postJson('/oauth/device', json)).statusCode).toBe(200)
    const numeric = await client.postJson('/oauth/device', { client_id: 7 })
    expectOAuthError(numeric, 400, 'invalid_request', /must be a string/)
  })

  test('an app with a secret has to send it, and the error says how to do without', async () => {
    const { confidential } = world.apps
    const form = { client_id: confidential.id }
    expectOAuthError(await request(form), 401, 'invalid_client', /delete the secret/)
    const headers = basic(confidential, world.clientSecret)
    expect((await request(form, headers)).statusCode).toBe(200)
    const posted = { ...form, client_secret: world.clientSecret }
    expect((await request(posted)).statusCode).toBe(200)
  })

  test.each([
    ['no client', { client_id: undefined }, 400, 'invalid_request'],
    ['an unknown client', { client_id: 'x' }, 401, 'invalid_client'],
  ])('refuses %s', async (_name, form, status, error) => {
    expectOAuthError(await request(form), status, error)
    expect(world.state.deviceAuthorizations.size).toBe(0)
  })
})

describe('scopes of a device', () => {
  test.each(['everything', ' '])('scope %j, without a known name, is refused', async (scope) => {
    expectOAuthError(await request({ scope }), 400, 'invalid_scope')
    expect(world.state.deviceAuthorizations.size).toBe(0)
  })

  test.each([
    ['openid offline_access', ['openid'], /Unknown scope offline_access/],
    ['openid jobs', ['openid', 'jobs'], /Scope jobs is not in the app's settings/],
  ])('scope %s asks the user for the known scopes', async (scope, granted, remark) => {
    expect((await request({ scope })).statusCode).toBe(200)
    expect(world.state.deviceAuthorizations.last()?.scopes).toEqual(granted)
    const log = (await client.get('/_sandbox/api/requests')).json<RequestList>()
    expect(log.items[0]?.detail).toMatch(remark)
  })
})

describe('device polls (RFC 8628 §3.4, §3.5)', () => {
  test('a poll waits for the user, then returns tokens once', async () => {
    const device = await start('openid read-repos')
    expectOAuthError(await poll(device), 400, 'authorization_pending')
    const done = await answer('alice', device.user_code, 'approve')
    expect(done.body).toContain('Device connected')

    world.elapse(5000)
    const answered = await poll(device)
    expect(answered.statusCode).toBe(200)
    expect(answered.json()).toEqual({
      access_token: expect.stringMatching(/^hf_oauth_sandbox_/),
      token_type: 'bearer',
      expires_in: 28_800,
      scope: 'openid read-repos',
      refresh_token: expect.any(String),
      id_token: expect.any(String),
    })
    world.elapse(5000)
    expectOAuthError(await poll(device), 400, 'invalid_grant', /already used/)
  })

  test('the ID token has the time at which the approving user signed in', async () => {
    const device = await start('openid')
    await answer('alice', device.user_code, 'approve')
    const signedInAt = Math.floor(world.clock.now() / 1000)
    world.elapse(60_000)
    const { id_token: idToken } = (await poll(device)).json<{ id_token: string }>()
    expect(decodeJwt(idToken)['auth_time']).toBe(signedInAt)
  })

  test('the scopes of the app are the default', async () => {
    const device = await start()
    await answer('alice', device.user_code, 'approve')
    expect((await poll(device)).json()).toMatchObject({ scope: world.apps.public.scopes.join(' ') })
  })

  test('a refusal is final', async () => {
    const device = await start()
    const done = await answer('alice', device.user_code, 'deny')
    expect(done.body).toContain('Device denied')
    expectOAuthError(await poll(device), 400, 'access_denied', /denied/)
    expectOAuthError(await poll(device), 400, 'access_denied', /denied/)
    world.elapse(300_000)
    expectOAuthError(await poll(device), 400, 'access_denied', /denied/)
  })

  test('a device code expires', async () => {
    const device = await start()
    world.clock.advance(299_999)
    expectOAuthError(await poll(device), 400, 'authorization_pending')
    world.clock.advance(1)
    expectOAuthError(await poll(device), 400, 'expired_token')
  })

  test('an approval that is fetched too late gives no tokens', async () => {
    const device = await start()
    await answer('alice', device.user_code, 'approve')
    world.clock.advance(300_000)
    expectOAuthError(await poll(device), 400, 'expired_token')
  })

  test('polls that are too fast get slow_down, 5 s more each time, except the first', async () => {
    const device = await start()
    expectOAuthError(await poll(device), 400, 'authorization_pending')
    world.elapse(4000)
    expectOAuthError(await poll(device), 400, 'slow_down', /wait 10 seconds/)
    world.elapse(9000)
    expectOAuthError(await poll(device), 400, 'slow_down', /wait 15 seconds/)
    world.elapse(15_000)
    expectOAuthError(await poll(device), 400, 'authorization_pending')
  })

  test('an answer is returned at once, however soon after the last poll', async () => {
    const [allowed, denied] = [await start(), await start()]
    for (const device of [allowed, denied]) {
      await poll(device)
      expectOAuthError(await poll(device), 400, 'slow_down')
    }
    await answer('alice', allowed.user_code, 'approve')
    expect((await poll(allowed)).statusCode).toBe(200)
    await answer('alice', denied.user_code, 'deny')
    expectOAuthError(await poll(denied), 400, 'access_denied')
  })

  test('polls of each device are counted separately', async () => {
    const [one, other] = [await start(), await start()]
    await poll(one)
    expectOAuthError(await poll(other), 400, 'authorization_pending')
  })

  test('one of two concurrent polls gets the tokens', async () => {
    const device = await start()
    await answer('alice', device.user_code, 'approve')
    const answers = await Promise.all([poll(device), poll(device)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 400,
    ])
    expect(world.state.tokens.size).toBe(1)
  })

  test('an unknown code, one of another client and a missing one are refused', async () => {
    const device = await start()
    expectOAuthError(await poll({ ...device, device_code: 'x' }), 400, 'invalid_grant', /unknown/)
    const stranger = await poll(device, { client_id: world.app('Stranger').id })
    expectOAuthError(stranger, 400, 'invalid_grant', /another client/)
    expectOAuthError(await poll(device, { device_code: undefined }), 400, 'invalid_request')
  })

  test('polls are refused after user, consent or app was deleted', async () => {
    const devices = [await start(), await start(), await start()] as const
    for (const [index, user] of ['alice', 'bob', 'carol'].entries()) {
      await answer(user, devices[index]!.user_code, 'approve')
    }
    world.state.users.delete(world.users.alice.id)
    expectOAuthError(await poll(devices[0]), 400, 'invalid_grant', /no longer exists/)
    revokeConsent(world.deps, world.users.bob.id, world.apps.public.id)
    expectOAuthError(await poll(devices[1]), 400, 'access_denied')
    world.state.apps.delete(world.apps.public.id)
    expectOAuthError(await poll(devices[2]), 401, 'invalid_client')
    expect(world.state.tokens.size).toBe(0)
  })
})

describe('verification page (RFC 8628 §3.3)', () => {
  test('the page asks to sign in first and then has the code filled in', async () => {
    const asked = await client.get('/oauth/device?user_code=ABCD-EFGH')
    expect(asked.headers.location).toBe('/login?next=%2Foauth%2Fdevice%3Fuser_code%3DABCD-EFGH')
    const session = await client.signIn('alice')
    const page = await client.get('/oauth/device?user_code=ABCD-EFGH', session)
    expect(formOf(page.body).fields['user_code']).toBe('ABCD-EFGH')
  })

  test('a URL alone never approves, and the page shows the code and the app (§5.4)', async () => {
    const device = await start()
    const session = await client.signIn('alice')
    const { action, fields } = formOf(
      (await client.get(`/oauth/device?user_code=${device.user_code}`, session)).body,
    )
    const page = await follow(await client.postForm(action, fields, session), session)
    expect(page.body).toContain('Did you start this?')
    expect(page.body).toContain('Connect Public app')
    expect(page.body).toContain(device.user_code)
    expectOAuthError(await poll(device), 400, 'authorization_pending')
  })

  test('only the browser in which the code was typed may approve (§5.1, §5.4)', async () => {
    const device = await start()
    const [alice, bob] = [await client.signIn('alice'), await client.signIn('bob')]
    const form = formOf((await client.get('/oauth/device', alice)).body)
    const typed = { ...form.fields, user_code: device.user_code }
    const { location = '' } = (await client.postForm(form.action, typed, alice)).headers
    const other = await start()
    const back = (code: string) => `/oauth/device?user_code=${code}`
    for (const [url, session, code] of [
      [`/oauth/device/verify?user_code=${device.user_code}`, alice, device.user_code],
      [location, bob, device.user_code],
      [location.replace(device.user_code, other.user_code), alice, other.user_code],
    ] as const) {
      expect((await client.get(url, session)).headers.location).toBe(back(code))
    }
    expect((await client.get(location)).headers.location).toMatch(/^\/login/)
    world.clock.advance(300_000)
    const late = await client.get(location, alice)
    expect(late.statusCode).toBe(400)
    expect(late.body).toContain('has expired')
  })

  test('only the user who answered sees the outcome', async () => {
    const device = await start()
    expect((await answer('alice', device.user_code, 'deny')).body).toContain('Device denied')
    const url = `/oauth/device/done?user_code=${device.user_code}`
    for (const session of [await client.signIn('bob'), { cookie: '' }]) {
      expect((await client.get(url, session)).headers.location).toBe('/oauth/device')
    }
    const waiting = `/oauth/device/done?user_code=${(await start()).user_code}`
    const session = await client.signIn('alice')
    expect((await client.get(waiting, session)).headers.location).toBe('/oauth/device')
  })

  test('the code is accepted without hyphen, in lower case, with spaces', async () => {
    const device = await start()
    const typed = ` ${device.user_code.toLowerCase().replace('-', ' ')} `
    expect((await answer('alice', typed, 'approve')).body).toContain('Device connected')
  })

  test('ticked organizations are granted', async () => {
    const { acme } = world.organizations
    const device = await start()
    await answer('alice', device.user_code, 'approve', acme.id)
    await poll(device)
    expect(world.state.tokens.last()?.organizationIds).toEqual([acme.id])
  })

  test('an approval leaves out organizations that the user does not belong to', async () => {
    const device = await start()
    await answer('alice', device.user_code, 'approve', world.organizations.labs.id)
    await poll(device)
    expect(world.state.tokens.last()?.organizationIds).toEqual([])
    expect(world.state.consents.first()?.organizationIds).toEqual([])
  })

  test('an answer in JSON is refused, with the right way to send it', async () => {
    const device = await start()
    const json = { user_code: device.user_code, decision: 'approve' }
    const session = await client.signIn('alice')
    const answered = await client.postJson('/oauth/device/verify', json, session)
    expect(answered.statusCode).toBe(400)
    expect(answered.body).toContain('x-www-form-urlencoded')
  })

  const submit = async (user: string, userCode: string, more = {}, headers = {}) => {
    const session = await client.signIn(user)
    const { action, fields } = formOf((await client.get('/oauth/device', session)).body)
    const form = { ...fields, user_code: userCode, ...more }
    return client.postForm(action, form, { ...session, ...headers })
  }

  test('the page explains a wrong code', async () => {
    const used = await start()
    await answer('alice', used.user_code, 'approve')
    const expired = await start()
    expect((await submit('alice', 'ABCD-EFGH')).body).toContain('This code is not known')
    expect((await submit('alice', used.user_code)).body).toContain('already answered')
    world.clock.advance(300_000)
    const answered = await submit('alice', expired.user_code)
    expect(answered.body).toContain('has expired')
    expect(answered.statusCode).toBe(400)
  })

  test('a user who guesses codes has to wait for a minute, in any session (§5.1)', async () => {
    for (let tries = 0; tries < 5; tries++) {
      expect((await submit('alice', 'ABCD-EFGH')).statusCode).toBe(400)
    }
    const device = await start()
    const locked = await submit('alice', device.user_code)
    expect(locked.statusCode).toBe(429)
    expect(locked.body).toContain('Try again in 60 seconds')
    const logged = world.requests.values().findLast(({ status }) => status === 429)
    expect(logged).toMatchObject({
      error: 'rate_limited',
      detail: locked.body.match(/Too many[^<]+/)?.[0],
    })
    expect((await submit('bob', device.user_code)).statusCode).toBe(303)
    world.clock.advance(60_000)
    expect((await submit('alice', device.user_code)).statusCode).toBe(303)
  })

  test('only guesses in a row count, until a reset', async () => {
    const guess = async (times: number) => {
      for (let tries = 0; tries < times; tries++) await submit('alice', 'ABCD-EFGH')
    }
    await guess(4)
    world.clock.advance(60_000)
    await guess(4)
    const device = await start()
    expect((await submit('alice', device.user_code)).statusCode).toBe(303)
    await guess(5)
    world.guesses.clear()
    expect((await submit('alice', device.user_code)).statusCode).toBe(303)
  })

  test('no user waits for a time that the clock was set back from', async () => {
    world.clock.advance(4 * 365 * 86_400_000)
    for (let tries = 0; tries < 5; tries++) await submit('alice', 'ABCD-EFGH')
    world.clock.reset()
    const device = await start()
    expect((await submit('alice', device.user_code)).statusCode).toBe(303)
  })

  test.each(['approve', 'deny'])(
    'an equal second form leads where the first led: %s',
    async (decision) => {
      const device = await start()
      const session = await client.signIn('alice')
      const post = (form: Record<string, string>) =>
        client.postForm('/oauth/device/verify', form, session)
      const codePage = formOf((await client.get('/oauth/device', session)).body)
      const typing = { ...codePage.fields, user_code: device.user_code }
      const [typed, typedAgain] = await Promise.all([post(typing), post(typing)])
      expect(typed.headers.location).toMatch(/^\/oauth\/device\/verify\?/)
      expect(typedAgain.headers.location).toBe(typed.headers.location)

      const consent = formOf((await client.get(typed.headers.location!, session)).body)
      const deciding = { ...consent.fields, decision }
      const [first, second] = await Promise.all([post(deciding), post(deciding)])
      for (const answered of [first, second, await post(deciding)]) {
        expect(answered.statusCode).toBe(303)
        expect(answered.headers.location).toBe(`/oauth/device/done?user_code=${device.user_code}`)
      }
      const facts = world.events.map(({ type }) => type)
      const decided = facts.filter((type) => type === 'device.approved' || type === 'device.denied')
      expect(decided).toHaveLength(1)
      const other = decision === 'deny' ? 'approve' : 'deny'
      const changed = await post({ ...deciding, decision: other })
      expect(changed.statusCode).toBe(403)
      expect(changed.body).toContain('only the first decision counts')

      const bob = await client.signIn('bob')
      const asBob = await client.postForm('/oauth/device/verify', deciding, bob)
      expect(asBob.statusCode).toBe(403)
      expect(asBob.body).toContain('now signed in as bob')
      expect(asBob.body).toContain('<a href="/oauth/device">Start over')
    },
  )

  test('posts from another site or without nonce are refused', async () => {
    const device = await start()
    const approve = { decision: 'approve' }
    const cross = await submit('alice', device.user_code, approve, {
      'sec-fetch-site': 'cross-site',
    })
    expect(cross.statusCode).toBe(403)
    const bare = await submit(
      'alice',
      device.user_code,
      { ...approve, nonce: undefined },
      { 'sec-fetch-site': 'same-origin' },
    )
    expect(bare.statusCode).toBe(403)
    expectOAuthError(await poll(device), 400, 'authorization_pending')
  })

  test('a user whom the app refuses cannot approve, and the code stays pending', async () => {
    const device = await start()
    const barred = await answer('mallory', device.user_code, 'approve')
    expect(barred.statusCode).toBe(400)
    expect(barred.body).toContain('is not verified')
    expectOAuthError(await poll(device), 400, 'authorization_pending')
  })

  test('a post without session redirects to the login page', async () => {
    const answered = await client.postForm('/oauth/device/verify', { user_code: 'x' })
    expect(answered.headers.location).toBe('/login?next=/oauth/device')
  })
})

describe('--auto-approve', () => {
  test('--auto-approve approves at once, with consent and event', async () => {
    await world.begin({ autoApprove: 'alice' })
    const device = await start()
    expect((await poll(device)).statusCode).toBe(200)
    expect(world.state.consents.size).toBe(1)
    expect(world.events.map(({ type }) => type)).toContain('device.approved')
  })

  test('--auto-approve leaves the code pending when the app refuses the user', async () => {
    await world.begin({ autoApprove: 'mallory' })
    expectOAuthError(await poll(await start()), 400, 'authorization_pending')
  })
})
