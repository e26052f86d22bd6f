import { beforeEach, describe, expect, test } from 'vitest'
import type { RequestList } from '../../server/contract/control-requests.ts'
import { startSandbox } from '../../server/index.ts'
import { buildTestApp, testApp } from '../helpers/app.ts'
import { documentUrl } from '../helpers/deps.ts'
import { encode, pkce, redirectUri } from '../helpers/oauth-client.ts'
import { formOf } from '../helpers/page.ts'
import { defaultApps, startTestSandbox } from '../helpers/sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const world = testApp()
const { client } = world
/** A request of the public app that is as it should be. */
let good: Record<string, string>
beforeEach(() => {
  good = {
    client_id: world.apps.public.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile',
    state: 'xyz',
    ...pkce,
  }
})

type Answer = Awaited<ReturnType<typeof client.get>>

/** Parameters of a redirect back to the client. */
function returned(answer: Answer): Record<string, string> {
  expect(answer.statusCode).toBe(303)
  expect(answer.headers['cache-control']).toBe('no-store')
  const location = new URL(answer.headers.location!)
  expect(`${location.protocol}//${location.host}${location.pathname}`).toBe(redirectUri)
  return Object.fromEntries(location.searchParams)
}

/** Checks a page of our own, which leads nowhere. */
function expectErrorPage(answer: Answer, status: number, error: string, text: RegExp): void {
  expect(answer.statusCode).toBe(status)
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(answer.headers.location).toBeUndefined()
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.body).toContain(`<code>${error}</code>`)
  expect(answer.body).toMatch(text)
}

/** Path of the link "Start over". */
function startOverOf({ body }: Answer): string {
  const [, link = ''] = /<a href="([^"]*)">Start over/.exec(body) ?? []
  return link.replaceAll('&amp;', '&')
}

const authorize = (parameters: Record<string, string | undefined>, headers = {}) =>
  client.get(client.authorizeUrl(parameters), headers)

/** Opens the consent page, with the form that approves there. */
async function open(user = 'alice', change: Record<string, string> = {}) {
  const session = await client.signIn(user)
  const page = formOf((await authorize({ ...good, ...change }, session)).body)
  return { session, ...page, form: { ...page.fields, decision: 'approve' } }
}

describe('errors shown to the user, since the client is not trusted (RFC 6749 §4.1.2.1)', () => {
  test.each([
    ['no client', { client_id: undefined }, 'invalid_request', /client_id is missing/],
    ['an unknown client', { client_id: 'nobody' }, 'invalid_client', /No app has the client id/],
    ['no redirect URI', { redirect_uri: undefined }, 'invalid_request', /redirect_uri is missing/],
    [
      'an unregistered redirect URI',
      { redirect_uri: 'https://evil.example/' },
      'invalid redirect_uri',
      /Invalid redirect_uri/,
    ],
    [
      'a redirect URI that runs code',
      { redirect_uri: 'javascript:alert(1)' },
      'invalid redirect_uri',
      /javascript: is not allowed/,
    ],
    ['a fragment', { redirect_uri: `${redirectUri}#x` }, 'invalid redirect_uri', /fragment/],
    [
      'a metadata document that nobody serves',
      { client_id: 'https://nowhere.example/.well-known/oauth-cimd' },
      'invalid_client',
      /nothing listens there/,
    ],
  ])('an error page is shown for %s', async (_name, change, error, text) => {
    for (const method of ['GET', 'POST'] as const) {
      const answer = await world.server.inject({
        method,
        url: client.authorizeUrl({ ...good, ...change }),
      })
      expectErrorPage(answer, 400, error, text)
    }
  })

  test.each(['client_id', 'redirect_uri'])(
    'an error page is shown for a repeated %s',
    async (name) => {
      const url = `${client.authorizeUrl(good)}&${name}=${encodeURIComponent(good[name]!)}`
      expectErrorPage(await client.get(url), 400, 'invalid_request', /more than once/)
    },
  )

  test('the page escapes its values', async () => {
    const answer = await authorize({ ...good, client_id: '<script>alert(1)</script>' })
    expect(answer.body).not.toContain('<script')
    expect(answer.body).toContain('&lt;script&gt;')
  })

  test('the page forbids scripts, framing and caching', async () => {
    const answer = await authorize({ ...good, client_id: undefined })
    expect(answer.headers).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /default-src 'none'.*frame-ancestors 'none'/,
      ),
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
    })
  })
})

describe('errors redirected to the client (RFC 6749 §4.1.2.1)', () => {
  test.each([
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['another response mode', { response_mode: 'fragment' }, 'invalid_request'],
    ['no PKCE from a public app', { ...noPkce() }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge without method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a method without challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a challenge that is no hash', { code_challenge: 'short' }, 'invalid_request'],
    ['prompt=none with more', { prompt: 'none login' }, 'invalid_request'],
  ])('the error of %s is redirected', async (_name, change, error) => {
    const session = await client.signIn('alice')
    const answer = await authorize({ ...good, ...change }, session)
    expect(returned(answer)).toEqual({
      error,
      error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
      state: 'xyz',
    })
    expect(world.state.codes.size).toBe(0)
  })

  test.each(['state', 'scope', 'nonce', 'code_challenge', 'made_up'])(
    'the error of a repeated %s is redirected',
    async (name) => {
      const url = `${client.authorizeUrl({ ...good, [name]: 'openid' })}&${name}=openid`
      expect(returned(await client.get(url))).toMatchObject({
        error: 'invalid_request',
        error_description: `The parameter ${name} was sent more than once.`,
      })
    },
  )

  test('unknown and empty parameters are ignored, and resources may be repeated (RFC 8707 §2)', async () => {
    const url = `${client.authorizeUrl(good)}&zzz=1&nonce=&resource=https://a.example&resource=https://b.example`
    expect((await client.get(url)).headers.location).toMatch(/^\/login\?next=/)
  })

  test('a missing response_type means code, as on the Hub', async () => {
    const session = await client.signIn('alice')
    const answer = await authorize({ ...good, response_type: undefined }, session)
    expect(answer.statusCode).toBe(200)
  })

  test('the event has the reason', async () => {
    await authorize({ ...good, response_type: 'token' })
    expect(world.events.filter(({ type }) => type === 'authorization.denied')).toMatchObject([
      { data: { clientId: good['client_id'], error: 'unsupported_response_type' } },
    ])
  })
})

describe('login during authorization', () => {
  test('the login page redirects back to the same request', async () => {
    const url = client.authorizeUrl(good)
    const answer = await client.get(url)
    expect(answer.statusCode).toBe(303)
    const login = new URL(answer.headers.location!, 'http://localhost')
    expect(login.pathname).toBe('/login')
    expect(login.searchParams.get('next')).toBe(url)

    const page = await client.get(answer.headers.location!)
    expect(page.body).toContain('Sign in to go on to <bdi>Public app</bdi>')
    const signedIn = await client.postForm('/login', {
      user: 'alice',
      next: formOf(page.body).fields['next'],
    })
    const back = signedIn.headers.location!
    expect(back.replace(/&signed_in=[\w.-]+$/, '')).toBe(url)
    const [cookie = ''] = String(signedIn.headers['set-cookie']).split(';')
    expect(formOf((await client.get(back, { cookie })).body).action).toBe(url)
  })

  test('an expired session is ignored', async () => {
    const session = await client.signIn('alice')
    world.clock.advance(30 * 86_400_000)
    expect((await authorize(good, session)).headers.location).toMatch(/^\/login/)
  })

  test('a post with an expired session is refused, and no code is issued', async () => {
    const { session, action, form } = await open()
    world.clock.advance(30 * 86_400_000)
    const answer = await client.postForm(action, form, session)
    expectErrorPage(answer, 403, 'access_denied', /No user is signed in any more/)
    expect(world.state.codes.size).toBe(0)
  })

  test('a post of a deleted user is refused', async () => {
    const { session, action, form } = await open()
    world.state.users.delete(world.users.alice.id)
    const answer = await client.postForm(action, form, session)
    expectErrorPage(answer, 403, 'access_denied', /No user is signed in any more/)
  })
})

describe('consent', () => {
  test('consent is asked once for the same scopes, and again for others', async () => {
    const session = await client.signIn('alice')
    const page = await authorize(good, session)
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('Allow <bdi>Public app</bdi> to use your account?')
    const { action, fields } = formOf(page.body)
    const approved = await client.postForm(action, { ...fields, decision: 'approve' }, session)
    expect(returned(approved)).toEqual({ code: expect.stringMatching(/^\w{32}$/), state: 'xyz' })

    const again = await authorize({ ...good, scope: 'profile openid' }, session)
    expect(returned(again)).toEqual({ code: expect.any(String), state: 'xyz' })
    for (const scope of ['openid', 'openid profile email']) {
      expect((await authorize({ ...good, scope }, session)).statusCode).toBe(200)
    }
  })

  test('consent is asked again after it was revoked', async () => {
    const session = await client.signIn('alice')
    await client.postForm(client.authorizeUrl(good), '', session)
    expect((await authorize(good, session)).statusCode).toBe(303)
    world.state.consents.clear()
    expect((await authorize(good, session)).statusCode).toBe(200)
  })

  test('a refusal is not remembered', async () => {
    const { session, action, form } = await open()
    const denied = await client.postForm(action, { ...form, decision: 'deny' }, session)
    expect(returned(denied)).toEqual({
      error: 'access_denied',
      error_description: 'The user denied the request.',
      state: 'xyz',
    })
    expect((await authorize(good, session)).statusCode).toBe(200)
  })

  test.each(['', 'maybe'])('the decision %j is invalid', async (decision) => {
    const { session, action, form } = await open()
    const answer = await client.postForm(action, { ...form, decision }, session)
    expectErrorPage(answer, 400, 'invalid_request', /approve or deny/)
    expect(world.state.codes.size).toBe(0)
  })

  const post = async (type: string | undefined, payload: string | undefined) =>
    world.server.inject({
      method: 'POST',
      url: client.authorizeUrl(good),
      headers: {
        ...(await client.signIn('alice')),
        ...(type === undefined ? {} : { 'content-type': type }),
      },
      ...(payload === undefined ? {} : { payload }),
    })

  test.each([
    ['JSON', 'application/json', '{"decision":"deny"}', /x-www-form-urlencoded/],
    ['text', 'text/plain', 'decision=deny', /x-www-form-urlencoded/],
    ['a form of another name', 'application/x-www-form-urlencoded', 'answer=deny', /deny/],
  ])('a body of type %s does not approve', async (_name, type, payload, text) => {
    expectErrorPage(await post(type, payload), 400, 'invalid_request', text)
    expect(world.state.codes.size + world.state.consents.size).toBe(0)
  })

  test.each([undefined, 'application/x-www-form-urlencoded', 'application/json', 'text/plain'])(
    'an empty body of type %s from a program does not approve',
    async (type) => {
      expect(returned(await post(type, type && ''))).toHaveProperty('code')
    },
  )

  test('the page names the site of an app from a metadata document', async () => {
    const session = await client.signIn('alice')
    const page = await authorize({ ...good, client_id: documentUrl }, session)
    expect(page.body).toContain('Document app')
    expect(page.body).toContain('<small><bdi>client.example</bdi></small>')
  })

  test('the page links to the site, policy and terms of the app', async () => {
    const { body: app } = await world.as().post<{ clientId: string }>('/_sandbox/api/apps', {
      name: 'Editor',
      public: true,
      redirectUris: [redirectUri],
      scopes: ['openid', 'profile'],
      clientUri: 'https://editor.example/about',
      policyUri: 'https://editor.example/privacy?a="b"',
      tosUri: 'http://localhost:3000/terms',
      logoUri: 'https://cdn.example/logo.png',
    })
    const id = app.clientId
    const session = await client.signIn('alice')
    const page = await authorize({ ...good, client_id: id }, session)
    const links = [...page.body.matchAll(/<a href="([^"]*)" target="_blank"[^>]*><bdi>([^<]*)</g)]
    expect(links.map(([, url, text]) => [text, url])).toEqual([
      ['editor.example', 'https://editor.example/about'],
      ['Privacy policy', 'https://editor.example/privacy?a=%22b%22'],
      ['Terms of service', 'http://localhost:3000/terms'],
      ['Logo at cdn.example', 'https://cdn.example/logo.png'],
    ])
    expect(page.body).toContain('<img src="/avatars/Editor.svg"')
    const { user_code } = await client.startDevice({ client_id: id })
    const { fields } = formOf((await client.get('/oauth/device', session)).body)
    const form = { ...fields, user_code }
    const next = await client.postForm('/oauth/device/verify', form, session)
    const asked = await client.get(String(next.headers.location), session)
    expect(asked.body).toContain('>Privacy policy<')
  })

  test.each([
    ['http://localhost:7420/avatars/acme.svg', '/avatars/acme.svg'],
    [
      'http://localhost:7420/acme/ranker/resolve/main/a.png?x=1',
      '/acme/ranker/resolve/main/a.png?x=1',
    ],
    ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
    ['http://localhost:7420/oauth/authorize?client_id=x', '/avatars/Logo%20app.svg'],
    ['http://localhost:7420/avatars/../oauth/authorize', '/avatars/Logo%20app.svg'],
    ['http://localhost:7421/avatars/acme.svg', '/avatars/Logo%20app.svg'],
    ['https://cdn.example/logo.png', '/avatars/Logo%20app.svg'],
    ['//cdn.example/avatars/logo.png', '/avatars/Logo%20app.svg'],
  ])(
    'the logo %s is shown as %s, since no image of another origin is loaded',
    async (uri, shown) => {
      const app = world.app('Logo app', { logoUri: uri })
      const page = await authorize({ ...good, client_id: app.id }, await client.signIn('alice'))
      expect(/<div class="app">\s+<img src="([^"]*)"/.exec(page.body)?.[1]).toBe(shown)
    },
  )

  test('only http and https URLs become links', async () => {
    const app = world.app('Odd app', {
      clientUri: 'javascript:alert(1)',
      policyUri: 'data:text/html,x',
      tosUri: 'https://',
    })
    const page = await authorize({ ...good, client_id: app.id }, await client.signIn('alice'))
    expect(page.body).not.toContain('target="_blank"')
  })

  test('names with half a character are shown', async () => {
    const half = 'a\ud800b'
    world.state.organizations.put({ ...world.organizations.acme, fullname: half })
    const app = world.app(half, { clientUri: `https://${half}.example` })
    const session = await client.signIn('alice')
    const page = await authorize({ ...good, client_id: app.id }, session)
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('/avatars/a%EF%BF%BDb.svg')
  })

  test('a user with an unverified e-mail address is refused', async () => {
    const session = await client.signIn('mallory')
    expect(returned(await authorize(good, session))).toMatchObject({
      error: 'access_denied',
      error_description: expect.stringMatching(/not verified/),
      state: 'xyz',
    })
  })

  test('users outside the organizations of an app are refused on the page and on approval', async () => {
    const { acme } = world.organizations
    const app = world.app('Members only', { authorizedOrganizationIds: [acme.id] })
    const request = { ...good, client_id: app.id }
    const carol = await authorize(request, await client.signIn('carol'))
    expect(returned(carol)).toMatchObject({
      error: 'access_denied',
      error_description: expect.stringMatching(/members of acme only/),
    })
    const { session, action, form } = await open('bob', { client_id: app.id })
    world.state.organizations.put({ ...acme, members: [] })
    const late = await client.postForm(action, form, session)
    expect(returned(late)).toMatchObject({ error: 'access_denied' })
  })

  test('the page says when the organizations of an app were deleted', async () => {
    const app = world.app('Members only', { authorizedOrganizationIds: ['0'.repeat(24)] })
    const answer = await authorize({ ...good, client_id: app.id }, await client.signIn('alice'))
    expect(returned(answer)).toMatchObject({
      error: 'access_denied',
      error_description: 'This app is restricted to organizations that have been deleted.',
    })
  })

  test.each([
    ['refuses everybody where a Space names organizations that do not exist', 'space', 'error'],
    ['refuses nobody where the settings of an app list no organization', 'settings', 'code'],
  ] as const)('%s', async (_name, origin, answer) => {
    const app = world.app('Members only', { origin, authorizedOrganizationIds: [] })
    const request = { ...good, client_id: app.id }
    const session = await client.signIn('alice')
    const answered = await client.postForm(client.authorizeUrl(request), {}, session)
    expect(returned(answered)).toHaveProperty(answer)
  })
})

describe('requests by origin (W3C Fetch Metadata)', () => {
  const siteUrl = 'http://localhost:4000/client'
  const request = () => ({ ...good, client_id: siteUrl })
  const program = {}
  const navigation = { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' }
  const image = { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' }
  const frame = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-site' }

  beforeEach(() => {
    world.sites.set(siteUrl, {
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({
        client_id: siteUrl,
        client_name: 'Site',
        redirect_uris: ['https://pages.example/', redirectUri],
        token_endpoint_auth_method: 'none',
      }),
    })
  })

  test.each([
    ['a program', program],
    ['a navigation', navigation],
  ])('a metadata document is fetched for %s', async (_name, headers) => {
    expect((await authorize(request(), headers)).headers.location).toMatch(/^\/login/)
    expect(world.state.apps.has(siteUrl)).toBe(true)
  })

  test('an app whose document prefers private_key_jwt may sign in with none and PKCE', async () => {
    world.sites.set(siteUrl, {
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({
        client_id: siteUrl,
        client_name: 'Assistant',
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
        jwks_uri: `${siteUrl}/jwks.json`,
      }),
    })
    const code = await client.getCode('alice', { client_id: siteUrl, ...pkce })
    expect((await client.redeem(code, { client_id: siteUrl })).statusCode).toBe(200)
    const noChallenge = await authorize({ ...request(), ...noPkce() }, await client.signIn('alice'))
    expect(returned(noChallenge)).toMatchObject({ error: 'invalid_request' })
  })

  test.each([
    ['an image', image],
    ['a fetch of a local page', { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-site' }],
    ['an object', { 'sec-fetch-dest': 'object', 'sec-fetch-site': 'cross-site' }],
    ['a prefetch', { ...navigation, 'sec-purpose': 'prefetch;prerender' }],
  ])('%s is refused before any lookup', async (_name, headers) => {
    for (const parameters of [request(), good]) {
      const answer = await authorize(parameters, { ...headers, ...(await client.signIn('alice')) })
      expectErrorPage(answer, 403, 'access_denied', /in the background/)
    }
    expect(world.state.apps.has(siteUrl)).toBe(false)
  })

  test('no document is fetched for a frame', async () => {
    const answer = await authorize({ ...request(), prompt: 'none' }, frame)
    expectErrorPage(answer, 400, 'invalid_client', /does not know it yet/)
    expect(world.state.apps.has(siteUrl)).toBe(false)
  })

  test('a frame of the same origin gets a code only with prompt=none and remembered consent', async () => {
    const own = { ...frame, 'sec-fetch-site': 'same-origin' }
    const session = { ...(await client.signIn('alice')), ...own }
    expect(returned(await authorize({ ...good, prompt: 'none' }, session))).toMatchObject({
      error: 'consent_required',
    })
    await client.postForm(client.authorizeUrl(good), '', await client.signIn('alice'))
    expect(returned(await authorize({ ...good, prompt: 'none' }, session))).toMatchObject({
      code: expect.any(String),
    })
    expectErrorPage(
      await authorize(good, session),
      403,
      'access_denied',
      /A frame gets a response only with prompt=none/,
    )
  })

  test.each(['same-site', 'cross-site'])(
    'a %s frame finds no session, although its user has one and has approved the app',
    async (site) => {
      const session = await client.signIn('alice')
      await client.postForm(client.authorizeUrl(good), '', session)
      const silent = { ...good, prompt: 'none' }
      const inFrame = { ...frame, 'sec-fetch-site': site }
      expect(returned(await authorize(silent, { ...session, ...inFrame }))).toMatchObject({
        error: 'login_required',
        error_description: 'No user is signed in.',
      })
      const [entry] = (await client.get('/_sandbox/api/requests')).json<RequestList>().items
      expect(entry?.detail).toMatch(/frame of another site.*SameSite=Lax/)
      expect(entry).not.toHaveProperty('userId')
      for (const headers of [navigation, program]) {
        expect(returned(await authorize(silent, { ...session, ...headers }))).toHaveProperty('code')
      }
    },
  )

  test('other pages do not show the session in a frame of another site', async () => {
    const session = await client.signIn('alice')
    const statusOf = async (url: string, headers = {}) =>
      (await client.get(url, { ...session, accept: 'text/html', ...headers })).statusCode
    expect(await statusOf('/oauth/device', navigation)).toBe(200)
    expect(await statusOf('/oauth/device', frame)).toBe(303)
    const shows = async (headers: Record<string, string>) =>
      (await client.get('/login', { ...session, ...headers })).body.includes('action="/logout"')
    expect([await shows(navigation), await shows(frame)]).toEqual([true, false])
  })

  test('--auto-approve never approves in a frame', async () => {
    const auto = await buildTestApp({ autoApprove: 'alice' })
    const url = `/oauth/authorize?${encode({ ...good, client_id: auto.apps.public.id, prompt: 'none' })}`
    const inFrame = await auto.server.inject({ url, headers: frame })
    expect(returned(inFrame)).toMatchObject({ error: 'login_required' })
    expect(auto.state.codes.size).toBe(0)
    for (const headers of [program, navigation]) {
      const answer = await auto.server.inject({ url, headers })
      expect(returned(answer)).toMatchObject({ code: expect.any(String) })
    }
  })

  test('--auto-approve approves only for the user of id_token_hint', async () => {
    const auto = await buildTestApp({ autoApprove: 'alice' })
    const { keys, settings } = auto.deps
    const hintOf = (user: { id: string }) => keys.sign({ iss: settings.baseUrl, sub: user.id })
    const ask = async (user: { id: string }, change = {}) => {
      const hint = { id_token_hint: await hintOf(user), ...change }
      const url = `/oauth/authorize?${encode({ ...good, client_id: auto.apps.public.id, ...hint })}`
      return auto.server.inject({ url })
    }
    const asBob = await ask(auto.users.bob)
    expect(asBob.headers.location).toMatch(/^\/login\?/)
    const silent = await ask(auto.users.bob, { prompt: 'none' })
    expect(returned(silent)).toMatchObject({ error: 'login_required' })
    expect(auto.state.codes.size).toBe(0)
    const asAlice = await ask(auto.users.alice)
    expect(returned(asAlice)).toMatchObject({ code: expect.any(String) })
  })

  test('a metadata document does not allow its origins', async () => {
    await authorize(request(), navigation)
    const origin = 'https://pages.example'
    expect((await client.get('/api/whoami-v2', { origin })).statusCode).toBe(403)
  })
})

describe('organizations', () => {
  const granted = () => world.state.codes.last()?.organizationIds

  test('ticked organizations are granted', async () => {
    const { acme, labs } = world.organizations
    const session = await client.signIn('bob')
    const page = formOf((await authorize(good, session)).body)
    expect(page.choices).toEqual({ [acme.id]: false, [labs.id]: false })
    const form = { ...page.fields, organization: labs.id, decision: 'approve' }
    await client.postForm(page.action, form, session)
    expect(granted()).toEqual([labs.id])
  })

  test.each([
    ['comma separated', (ids: string[]) => `orgIds=${ids.join(',')}`],
    ['repeated', (ids: string[]) => ids.map((id) => `orgIds=${id}`).join('&')],
  ])('requested organizations are ticked, %s', async (_name, write) => {
    const { acme, labs } = world.organizations
    const session = await client.signIn('bob')
    const url = `${client.authorizeUrl(good)}&${write([acme.id, labs.id])}`
    expect(formOf((await client.get(url, session)).body).choices).toEqual({
      [acme.id]: true,
      [labs.id]: true,
    })
  })

  test('consent is asked again for an organization that was not granted', async () => {
    const { labs } = world.organizations
    const session = await client.signIn('bob')
    await client.postForm(client.authorizeUrl(good), '', session)
    expect((await authorize({ ...good, orgIds: labs.id }, session)).statusCode).toBe(200)
    await client.postForm(client.authorizeUrl({ ...good, orgIds: labs.id }), '', session)
    expect((await authorize({ ...good, orgIds: labs.id }, session)).statusCode).toBe(303)
    expect(granted()).toEqual([labs.id])
  })

  test('organizations of others and restricted ones are never granted', async () => {
    const { acme, labs } = world.organizations
    world.state.organizations.put({
      ...acme,
      securityRestrictions: [{ type: 'sso', userIds: [world.users.alice.id] }],
    })
    const session = await client.signIn('alice')
    const page = await authorize({ ...good, orgIds: acme.id }, session)
    expect(page.body).toContain('asks for single sign-on first')
    const { action, fields } = formOf(page.body)
    const form = `${encode({ ...fields, decision: 'approve' })}&organization=${acme.id}&organization=${labs.id}`
    await client.postForm(action, form, session)
    expect(granted()).toEqual([])
  })
})

test('a restriction of another member does not bar the user from the organization', async () => {
  const { acme } = world.organizations
  const userIds = [world.users.bob.id]
  world.state.organizations.put({ ...acme, securityRestrictions: [{ type: 'sso', userIds }] })
  const url = client.authorizeUrl({ ...good, orgIds: acme.id })
  await client.postForm(url, '', await client.signIn('alice'))
  expect(world.state.codes.last()?.organizationIds).toEqual([acme.id])
})

describe('prompt (OpenID Connect Core §3.1.2.1)', () => {
  test('prompt=none returns login_required, consent_required or a code, never a page', async () => {
    const silent = { ...good, prompt: 'none' }
    expect(returned(await authorize(silent))).toMatchObject({ error: 'login_required' })
    const session = await client.signIn('alice')
    expect(returned(await authorize(silent, session))).toMatchObject({ error: 'consent_required' })
    await client.postForm(client.authorizeUrl(good), '', session)
    expect(returned(await authorize(silent, session))).toHaveProperty('code')
  })

  test('prompt=consent asks although consent was granted', async () => {
    const session = await client.signIn('alice')
    await client.postForm(client.authorizeUrl(good), '', session)
    expect((await authorize({ ...good, prompt: 'consent' }, session)).statusCode).toBe(200)
  })

  test.each(['login', 'select_account'])('prompt=%s asks to sign in, once', async (prompt) => {
    const session = await client.signIn('alice')
    await client.postForm(client.authorizeUrl(good), '', session)
    const asked = await authorize({ ...good, prompt }, session)
    const { back, again } = await signInAgain(asked)
    expect(returned(await client.get(back, again))).toHaveProperty('code')
  })

  test('prompt=login consent asks for both', async () => {
    const session = await client.signIn('alice')
    await client.postForm(client.authorizeUrl(good), '', session)
    const request = { ...good, prompt: 'login consent' }
    const { back, again } = await signInAgain(await authorize(request, session))
    expect((await client.get(back, again)).statusCode).toBe(200)
  })

  test('a client cannot pretend that the user has just signed in', async () => {
    const session = await client.signIn('alice')
    await client.postForm(client.authorizeUrl(good), '', session)
    const request = { ...good, prompt: 'login' }
    const { back, again } = await signInAgain(await authorize(request, session))
    const mark = /signed_in=([\w.-]+)$/.exec(back)![1]!
    const asks = async (url: string, headers: { cookie: string }) => {
      const answer = await client.get(url, headers)
      expect(answer.statusCode).toBe(303)
      expect(answer.headers.location).toMatch(/^\/login\?next=/)
      expect(decodeURIComponent(answer.headers.location!)).not.toContain('signed_in')
    }

    for (const made of ['1', '', 'x'.repeat(43)]) {
      await asks(`${client.authorizeUrl(request)}&signed_in=${made}`, again)
    }
    // That of another session, and of another request.
    await asks(back, await client.signIn('alice'))
    await asks(client.authorizeUrl({ ...request, scope: 'openid', signed_in: mark }), again)
    expect(returned(await client.get(back, again))).toHaveProperty('code')
  })

  /** Goes through the login page that was asked for. */
  async function signInAgain(asked: Answer) {
    const login = new URL(asked.headers.location!, 'http://localhost')
    expect(login.pathname).toBe('/login')
    const form = { user: 'alice', next: login.searchParams.get('next')! }
    const signedIn = await client.postForm('/login', form)
    const [cookie = ''] = String(signedIn.headers['set-cookie']).split(';')
    return { back: signedIn.headers.location!, again: { cookie } }
  }
})

describe('a request in the body (OpenID Connect Core §3.1.2.1)', () => {
  const post = (headers = {}, url = '/oauth/authorize') => client.postForm(url, good, headers)

  test('a POST request is repeated by GET and never approves', async () => {
    const session = await client.signIn('alice')
    const senders = [
      {},
      session,
      { ...session, 'sec-fetch-site': 'cross-site' },
      { ...session, origin: 'http://localhost:5173' },
    ]
    for (const headers of senders) {
      const answer = await post(headers)
      expect(answer.statusCode).toBe(303)
      expect(answer.headers.location).toBe(`/oauth/authorize?${encode(good)}`)
    }
    const both = await post(session, client.authorizeUrl({ ...good, scope: 'openid email' }))
    expect(both.headers.location).toBe(`/oauth/authorize?${encode(good)}`)
    const yes = await client.postForm('/oauth/authorize', { ...good, decision: 'approve' }, session)
    expect((await client.get(yes.headers.location!, session)).statusCode).toBe(200)
    expect(world.state.codes.size).toBe(0)
    expect(world.state.consents.size).toBe(0)
  })

  test('a POST request too long for a redirect is refused', async () => {
    const long = { ...good, state: 'x'.repeat(12_000) }
    const answer = await client.postForm('/oauth/authorize', long)
    expectErrorPage(answer, 400, 'invalid_request', /too long/)
  })
})

describe('scopes (RFC 6749 §3.3)', () => {
  /** Entries of the request log, the newest first. */
  const remarks = async () => {
    const log = await client.get('/_sandbox/api/requests')
    return log.json<RequestList>().items.map(({ detail }) => detail)
  }

  const consent = async (scope: string) => {
    const session = await client.signIn('alice')
    const url = client.authorizeUrl({ ...good, scope })
    const page = await client.get(url, session)
    const answer = await client.postForm(url, '', session)
    return { page, answer, scopes: world.state.codes.last()?.scopes, remarks: await remarks() }
  }

  test.each([
    ['openid offline_access address', ['openid'], /Unknown scope offline_access, address/],
    ['', undefined, /^none$/],
  ])('unknown names are left out of %j', async (scope, granted, remark) => {
    const told = await consent(scope)
    expect(returned(told.answer)).toHaveProperty('code')
    expect(told.scopes).toEqual(granted ?? world.apps.public.scopes)
    expect(told.remarks[0] ?? 'none').toMatch(remark)
  })

  test.each([
    ['everything', 'Unknown scope everything.'],
    ['read_repos', "Unknown scope read_repos (did you mean 'read-repos'?)."],
    [' ', 'The scope parameter names no scope.'],
  ])('scope %j, without a known name, is refused', async (unreadable, description) => {
    const session = await client.signIn('alice')
    const answer = await authorize({ ...good, scope: unreadable }, session)
    expect(returned(answer)).toEqual({
      error: 'invalid_scope',
      error_description: description,
      state: 'xyz',
    })
    expect(world.state.codes.size).toBe(0)
  })

  test.each(['openid jobs', 'openid read-mcp'])(
    'scope %s beyond the settings asks the user, with a remark in the request log',
    async (scope) => {
      const told = await consent(scope)
      expect(told.page.statusCode).toBe(200)
      for (const name of scope.split(' ')) expect(told.page.body).toContain(`<code>${name}</code>`)
      expect(returned(told.answer)).toHaveProperty('code')
      expect(told.scopes).toEqual(scope.split(' '))
      for (const remark of told.remarks.slice(0, 2)) {
        expect(remark).toMatch(/not in the app's settings/)
      }
    },
  )

  test('unknown scopes of a client metadata document get a remark as well', async () => {
    const document = { client_id: documentUrl, client_name: 'Editor', redirect_uris: [redirectUri] }
    world.state.metadataDocuments.put({
      id: documentUrl,
      document: {
        ...document,
        token_endpoint_auth_method: 'none',
        scope: 'openid offline_access',
      },
    })
    world.state.apps.delete(documentUrl)
    const session = await client.signIn('alice')
    const url = client.authorizeUrl({ ...good, client_id: documentUrl, scope: 'openid' })
    expect((await client.get(url, session)).statusCode).toBe(200)
    expect((await remarks())[0]).toMatch(
      /In the client metadata document: Unknown scope offline_access/,
    )
  })
})

describe('the form (RFC 9700 §4.16)', () => {
  const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const own = { origin: 'http://localhost:80', host: 'localhost:80' }

  test('the form of the page is accepted', async () => {
    const { session, action, form } = await open()
    const headers = { ...session, ...own, 'sec-fetch-site': 'same-origin' }
    expect(returned(await client.postForm(action, form, headers))).toHaveProperty('code')
  })

  test('the form of a browser is refused without a nonce', async () => {
    const { session, action } = await open()
    for (const headers of [own, { 'sec-fetch-site': 'same-origin' }]) {
      const answer = await client.postForm(
        action,
        { decision: 'approve' },
        { ...session, ...headers },
      )
      expectErrorPage(answer, 403, 'access_denied', /not sent from the page/)
    }
  })

  test('the form is refused from another site, an opaque origin or a sibling', async () => {
    const { session, action, form } = await open()
    const origin = await client.postForm(action, form, { ...session, origin: evil.origin })
    expect(origin.statusCode).toBe(403)
    const opaque = await client.postForm(action, form, { ...session, origin: 'null' })
    expect(opaque.statusCode).toBe(403)
    for (const site of ['cross-site', 'same-site']) {
      const answer = await client.postForm(action, form, { ...session, 'sec-fetch-site': site })
      expectErrorPage(answer, 403, 'access_denied', /not sent from the page/)
    }
    const otherPort = await client.postForm(action, form, {
      ...session,
      origin: 'http://localhost:9999',
    })
    expectErrorPage(otherPort, 403, 'access_denied', /not sent from the page/)
    expect(world.state.codes.size).toBe(0)
  })

  test('the form is refused with a nonce of another session or request', async () => {
    const { form, action } = await open()
    const other = await client.signIn('bob')
    const foreign = await client.postForm(action, form, other)
    expectErrorPage(foreign, 403, 'access_denied', /now signed in as bob\. Another user/)
    expect(startOverOf(foreign)).toBe(action)
    const again = await client.signIn('alice')
    const outdated = await client.postForm(action, form, again)
    expectErrorPage(outdated, 403, 'access_denied', /signed in as alice again/)
    expect(startOverOf(outdated)).toBe(action)

    const { session, form: mine } = await open()
    const wider = client.authorizeUrl({ ...good, scope: 'openid profile write-repos' })
    const changed = await client.postForm(wider, mine, session)
    expectErrorPage(changed, 403, 'access_denied', /not sent from the page/)
    expect(world.state.codes.size).toBe(0)
  })

  test('only the first decision counts, and the page leads back to the same request (RFC 9700 §4.16)', async () => {
    const { session, action, form } = await open()
    const first = await client.postForm(action, { ...form, decision: 'deny' }, session)
    expect(returned(first)).toMatchObject({ error: 'access_denied' })
    const again = await client.postForm(action, form, session)
    expectErrorPage(again, 403, 'access_denied', /already submitted; only the first/)
    expect(world.state.codes.size).toBe(0)
    expect(startOverOf(again)).toBe(action)
    const { form: fresh } = await open()
    expect(fresh).not.toEqual(form)
  })

  test.each(['approve', 'deny'])(
    'an equal second form redirects as the first did: %s',
    async (decision) => {
      const { session, action, form } = await open()
      const post = () => client.postForm(action, { ...form, decision }, session)
      // "Allow" clicked twice: neither post waits for the other.
      const [first, second] = await Promise.all([post(), post()])
      expect(returned(first)).toHaveProperty(decision === 'deny' ? 'error' : 'code')
      const reloaded = await post()
      expect(second.headers.location).toBe(first.headers.location)
      expect(reloaded.headers.location).toBe(first.headers.location)
      expect(world.state.codes.size).toBe(decision === 'deny' ? 0 : 1)
      const decided = world.events.filter(({ type }) => type.startsWith('authorization.'))
      expect(decided).toHaveLength(1)
      expect(world.requests.values().at(-1)).toMatchObject({
        detail: expect.stringContaining('submitted before'),
      })
    },
  )

  test('an equal second form leads to no code that the app redeemed, or that expired', async () => {
    const { session, action, form } = await open()
    const post = () => client.postForm(action, form, session)
    const { code } = returned(await post())
    const redeem = () => client.redeem(code ?? '', { client_id: good['client_id'] })
    const tokens = await redeem()
    expect(tokens.statusCode).toBe(200)
    const late = await post()
    expectErrorPage(late, 403, 'access_denied', /already submitted, and the app has already redeem/)
    expect(startOverOf(late)).toBe(action)
    // The page did not send the app its used code, which would have revoked the tokens.
    const authorization = `Bearer ${tokens.json<{ access_token: string }>().access_token}`
    expect((await client.get('/oauth/userinfo', { authorization })).statusCode).toBe(200)
    expect((await redeem()).statusCode).toBe(400)

    const other = await open('bob')
    await client.postForm(other.action, other.form, other.session)
    world.clock.advance(61_000)
    const expired = await client.postForm(other.action, other.form, other.session)
    expectErrorPage(expired, 403, 'access_denied', /its code has expired/)
    expect(world.state.codes.size).toBe(2)
  })

  test('an equal form with other organizations is another decision', async () => {
    const { session, action, form } = await open()
    const post = (organization: string) =>
      client.postForm(action, { ...form, organization }, session)
    const { id } = world.state.organizations.first()!
    expect(returned(await post(id))).toHaveProperty('code')
    expectErrorPage(await post(''), 403, 'access_denied', /only the first decision/)
  })

  test('the form reports a restart of the sandbox and leads back', async () => {
    const data = temporaryDirectory()
    const before = await startSandbox({ data })
    const { public: app } = defaultApps(before)
    const path = client.authorizeUrl({
      client_id: app.clientId,
      redirect_uri: app.redirectUris[0]!,
      scope: 'openid profile',
      ...pkce,
    })
    const signedIn = await fetch(`${before.url}/login`, {
      method: 'POST',
      body: new URLSearchParams({ user: 'alice' }),
      redirect: 'manual',
    })
    // The name without the port: the other start has another one.
    const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!.replace(/_\d+=/, '=')
    const page = await (await fetch(before.url + path, { headers: { cookie } })).text()
    const { action, fields } = formOf(page)
    await before.close()

    const after = await startTestSandbox({ data })
    const answer = await fetch(after.url + action, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({ ...fields, decision: 'approve' }),
      redirect: 'manual',
    })
    const text = await answer.text()
    expect(answer.status).toBe(403)
    expect(text).toContain('The sandbox was restarted since this page was opened')
    const [, link = ''] = /<a href="([^"]*)">Start over/.exec(text) ?? []
    const again = await fetch(after.url + link.replaceAll('&amp;', '&'), { headers: { cookie } })
    expect(formOf(await again.text()).action).toBe(action)
  })

  test('a program with the session needs no form, under either name of the cookie', async () => {
    const { cookie } = await client.signIn('alice')
    const value = cookie.split('=')[1]
    for (const header of [cookie, `theme=dark; token=${value}`]) {
      const answer = await client.postForm(client.authorizeUrl(good), '', { cookie: header })
      expect(returned(answer)).toHaveProperty('code')
    }
  })

  test('fields of the form cannot change client or scope', async () => {
    const { session, action, form } = await open()
    const forged = { ...form, redirect_uri: 'https://evil.example', scope: 'jobs' }
    expect(returned(await client.postForm(action, forged, session))).toHaveProperty('code')
    expect(world.state.codes.last()).toMatchObject({
      clientId: good['client_id'],
      scopes: ['openid', 'profile'],
      redirectUri,
    })
  })

  test('the form is refused after the app or its redirect URI was deleted', async () => {
    const { session, action, form } = await open()
    world.state.apps.put({ ...world.apps.public, redirectUris: ['https://new.example/'] })
    const moved = await client.postForm(action, form, session)
    expectErrorPage(moved, 400, 'invalid redirect_uri', /cannot be used/)
    world.state.apps.delete(world.apps.public.id)
    const deleted = await client.postForm(action, form, session)
    expectErrorPage(deleted, 400, 'invalid_client', /No app/)
  })
})

describe('authorization response (RFC 6749 §4.1.2)', () => {
  test.each([
    ['JSON, as huggingface.js sends it', '{"nonce":"a b","redirectUri":"http://x/?y=1&z=2#f"}'],
    ['reserved characters', "!*'();:@&=+$,/?%#[] ~-._"],
    ['letters of all scripts', 'zürich 東京 🦊'],
    ['what would end a header', 'a\r\nSet-Cookie: x=y'],
    ['a backslash', 'a\\b'],
  ])('a state of %s is returned unchanged', async (_name, state) => {
    const session = await client.signIn('alice')
    const approved = await client.postForm(client.authorizeUrl({ ...good, state }), '', session)
    expect(returned(approved)['state']).toBe(state)
    const refused = await authorize({ ...good, state, response_type: 'token' })
    expect(returned(refused)['state']).toBe(state)
    expect(approved.headers).not.toHaveProperty('set-cookie')
  })

  test('a barely encoded state survives the login page', async () => {
    const state = '{"nonce":1,"path":"a\\b"}'
    const sent = state.replaceAll('"', '%22')
    const url = `${client.authorizeUrl({ ...good, state: undefined })}&state=${sent}`
    const asked = await client.get(url)
    const page = await client.get(asked.headers.location!)
    const signedIn = await client.postForm('/login', { user: 'alice', ...formOf(page.body).fields })
    expect(signedIn.headers.location!.startsWith(`${url}&signed_in=`)).toBe(true)
    const [cookie] = String(signedIn.headers['set-cookie']).split(';')
    const consent = formOf((await client.get(signedIn.headers.location!, { cookie: cookie! })).body)
    const form = { ...consent.fields, decision: 'approve' }
    const answer = await client.postForm(consent.action, form, { cookie: cookie! })
    expect(returned(answer)['state']).toBe(state)
  })

  test('the response has no state unless requested, and no iss', async () => {
    const session = await client.signIn('alice')
    const url = client.authorizeUrl({ ...good, state: undefined })
    expect(Object.keys(returned(await client.postForm(url, '', session)))).toEqual(['code'])
  })

  test('parameters are added to the query, also of private schemes', async () => {
    const session = await client.signIn('alice')
    const location = async (uri: string) => {
      const url = client.authorizeUrl({ ...good, redirect_uri: uri })
      return (await client.postForm(url, '', session)).headers.location
    }
    expect(await location('https://app.example/callback?from=hub')).toMatch(
      /^https:\/\/app\.example\/callback\?from=hub&code=\w{32}&state=xyz$/,
    )
    expect(await location('myapp://callback')).toMatch(
      /^myapp:\/\/callback\?code=\w{32}&state=xyz$/,
    )
  })

  test('--auto-approve approves for its user unless the app refuses the user', async () => {
    const auto = await buildTestApp({ autoApprove: 'Bob' })
    const request = { ...good, client_id: auto.apps.public.id, orgIds: auto.organizations.labs.id }
    const answer = await auto.server.inject(`/oauth/authorize?${encode(request)}`)
    expect(returned(answer)).toEqual({ code: expect.any(String), state: 'xyz' })
    expect(auto.state.codes.last()).toMatchObject({
      userId: auto.users.bob.id,
      organizationIds: [auto.organizations.labs.id],
    })
    auto.state.users.put({ ...auto.users.bob, emailVerified: false })
    const barred = await auto.server.inject(`/oauth/authorize?${encode(request)}`)
    expect(returned(barred)).toMatchObject({ error: 'access_denied' })
  })
})

function noPkce() {
  return { code_challenge: undefined, code_challenge_method: undefined }
}

describe('requests of maximum length', () => {
  /** A browser with nothing but its cookie, over a connection, where headers have a limit. */
  async function open(sandbox: { url: string }) {
    let cookie = ''
    const go = async (path: string, form?: Record<string, string>) => {
      const answer = await fetch(sandbox.url + path, {
        redirect: 'manual',
        headers: { cookie },
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      })
      cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
      const text = await answer.text()
      return { status: answer.status, location: answer.headers.get('location') ?? '', text }
    }
    return go
  }

  const requestOf = ({ public: app }: ReturnType<typeof defaultApps>, state: string) =>
    client.authorizeUrl({
      client_id: app.clientId,
      redirect_uri: app.redirectUris[0]!,
      ...pkce,
      state,
    })

  test.each([
    ['one of JSON text, each second letter percent-encoded', 3700, '{"'],
    ['one of 11 KB', 11_000, 'x'],
  ])(
    'long requests pass the login page and the change of user: %s',
    async (_name, length, letters) => {
      const sandbox = await startTestSandbox()
      const state = letters.repeat(length / letters.length)
      const go = await open(sandbox)
      const asked = await go(requestOf(defaultApps(sandbox), state))
      const login = await go(asked.location)
      expect(login.text).toContain('Sign in to go on to')
      const { action, fields } = formOf(login.text)
      const back = await go(action, { ...fields, user: 'alice' })
      const consent = await go(back.location)
      const [, other = ''] = /<a href="([^"]*)">Use another account/.exec(consent.text) ?? []
      const otherLogin = formOf((await go(other.replaceAll('&amp;', '&'))).text)
      expect(otherLogin.fields['next']).toBe(fields['next'])

      const form = formOf(consent.text)
      const answered = await go(form.action, { ...form.fields, decision: 'approve' })
      expect(new URL(answered.location).searchParams.get('state')).toBe(state)
    },
  )

  test('longer requests are refused, signed in or not', async () => {
    const sandbox = await startTestSandbox()
    const go = await open(sandbox)
    const request = requestOf(defaultApps(sandbox), 'x'.repeat(12_000))
    for (const signIn of [undefined, { user: 'alice' }]) {
      if (signIn) await go('/login', signIn)
      const refused = await go(request)
      expect(refused.status).toBe(400)
      expect(refused.text).toMatch(/The request is too long: \d+ characters; the limit is 12000/)
    }
  })
})
