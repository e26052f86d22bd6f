import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import {
  type FlowDetail,
  type FlowStep,
  FlowStepDetail,
} from '../../server/contract/control-flows.ts'
import { controlWorld, expectInvalid, expectNotFound, publicClient } from '../helpers/control.ts'
import { codeVerifier, playFlows } from '../helpers/played-flows.ts'
import { serve } from '../helpers/json-receiver.ts'

const world = controlWorld()
const { call, hub, read } = world
const play = playFlows(world)
const { newest } = play

/** The last step of this name, in detail. */
async function detailOf(name: string, reveal = ''): Promise<FlowStepDetail> {
  const flow = await newest()
  const step = flow.steps.findLast((item) => item.name === name)
  const body = await read(FlowStepDetail, pathOf(flow, step, reveal))
  return body
}

const pathOf = (flow: FlowDetail, step: FlowStep | undefined, reveal = '') =>
  `flows/${flow.id}/steps/${step?.id}${reveal === '' ? '' : `?reveal=${encodeURIComponent(reveal)}`}`

const parameter = ({ parameters }: FlowStepDetail, name: string) =>
  parameters.find((item) => item.name === name)

describe('the parameters of a request', () => {
  test('each parameter has its purpose, and ignored ones are marked', async () => {
    await hub(
      'GET',
      `/oauth/authorize?${play.request({ claims: '{}', display: 'popup', colour: 'red' })}`,
    )
    const detail = await detailOf('authorization request')
    expect(parameter(detail, 'code_challenge')).toMatchObject({
      place: 'query',
      source: 'RFC 7636 §4.3',
      purpose: expect.stringContaining('verifier'),
    })
    const ignored = detail.parameters.filter((item) => item.ignored)
    expect(ignored.map(({ name }) => name)).toEqual(['claims', 'display', 'colour'])
    expect(ignored.map(({ source }) => source === undefined)).toEqual([false, false, true])
    expect(detail.request?.line).toMatch(/^GET \/oauth\/authorize\?client_id=/)
    expect(detail.tokens).toEqual([])
  })

  test('a scope repeated with the code is ignored; a refresh uses it', async () => {
    const { refresh_token: token } = await play.signIn()
    await play.refresh(token, { scope: 'openid' })
    expect(parameter(await detailOf('refresh request'), 'scope')).not.toHaveProperty('ignored')
    await play.token({ grant_type: 'authorization_code', code: 'x', scope: 'a' })
    expect(parameter(await detailOf('token request'), 'scope')).toHaveProperty('ignored', true)
  })

  test('credentials in the header show the app, not its secret', async () => {
    await play.exchangeToken('bob@example.com')
    const detail = await detailOf('token exchange request')
    expect(parameter(detail, 'client_id')?.place).toBe('header')
    expect(parameter(detail, 'authorization')).toMatchObject({ place: 'header', secret: true })
    expect(JSON.stringify(detail)).not.toContain(
      Buffer.from(':sandbox_exchange_secret').toString('base64').slice(0, 12),
    )
  })
})

describe('secrets', () => {
  test('secrets are masked until they are requested by name', async () => {
    const tokens = await play.signIn()
    const all = [tokens.access_token, tokens.refresh_token, tokens.id_token]
    const masked = JSON.stringify(await detailOf('token response'))
    for (const secret of [...all, codeVerifier]) expect(masked).not.toContain(secret)
    const one = await detailOf('token response', 'access_token')
    expect(parameter(one, 'access_token')).toMatchObject({
      value: tokens.access_token,
      secret: true,
    })
    expect(one.answer?.body).toContain(tokens.access_token)
    for (const secret of all.slice(1)) expect(JSON.stringify(one)).not.toContain(secret)
    const everything = await detailOf('token response', '*')
    for (const secret of all) expect(everything.answer?.body).toContain(secret)
  })

  test('in a URL and its copies are shown on request', async () => {
    await play.signIn()
    const { code } = Object.fromEntries(
      (await detailOf('code → redirect URI', 'code')).parameters.map(({ name, value }) => [
        name,
        value,
      ]),
    )
    const masked = await detailOf('token request with PKCE')
    expect(JSON.stringify(masked)).not.toContain(code)
    const open = await detailOf('token request with PKCE', 'code,code_verifier')
    for (const copy of Object.values(open.copies ?? {})) {
      expect(copy).toContain(code)
      expect(copy).toContain(codeVerifier)
    }
  })

  test('an unknown secret is refused with the known ones', async () => {
    await play.signIn()
    const flow = await newest()
    const step = flow.steps.findLast(({ name }) => name === 'token response')
    const refused = await call('GET', pathOf(flow, step, 'id_token,pasword'))
    expectInvalid(refused, ['reveal'])
    expect(JSON.stringify(refused.body)).toMatch(/no secret pasword; it has .*id_token/)
  })
})

describe('PKCE (RFC 7636)', () => {
  test('shows the pair: the challenge of the request, the verifier of the exchange', async () => {
    await play.signIn()
    const { pkce } = await detailOf('token request with PKCE', 'code_verifier')
    expect(pkce).toEqual({
      method: 'S256',
      challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      verifier: { value: codeVerifier, secret: true },
      computed: createHash('sha256').update(codeVerifier).digest('base64url'),
      equal: true,
    })
    expect((await detailOf('authorization request')).pkce?.equal).toBe(true)
  })

  test('shows that a verifier does not match', async () => {
    const code = (await play.answer(await play.toConsent(), 'approve')).get('code') ?? ''
    await play.exchangeCode(code, 'x'.repeat(43))
    const { pkce } = await detailOf('token request with PKCE')
    expect(pkce).toMatchObject({ equal: false })
    expect(pkce?.computed).not.toBe(pkce?.challenge)
  })
})

describe('the redirect URI', () => {
  test('the redirect URI is shown beside the registered ones, with the difference', async () => {
    const sent = 'http://localhost/calback'
    await hub('GET', `/oauth/authorize?${play.request({ redirect_uri: sent })}`)
    expect((await detailOf('authorization request')).redirectUri).toEqual({
      sent,
      matches: false,
      registered: [{ value: 'http://localhost/callback', matches: false, differsAt: 20 }],
      nearest: {
        value: 'http://localhost/callback',
        parts: [
          { kind: 'same', text: 'http://localhost/cal' },
          { kind: 'missing', text: 'l' },
          { kind: 'same', text: 'back' },
        ],
        others: 0,
      },
    })
  })

  test('a loopback redirect URI may have another port (RFC 8252 §7.3)', async () => {
    const sent = 'http://localhost:9000/callback'
    await hub('GET', `/oauth/authorize?${play.request({ redirect_uri: sent })}`)
    expect((await detailOf('authorization request')).redirectUri).toEqual({
      sent,
      matches: true,
      registered: [{ value: 'http://localhost/callback', matches: true }],
    })
  })

  test('the redirect URI of the exchange is compared with that of the code', async () => {
    const code = (await play.answer(await play.toConsent(), 'approve')).get('code') ?? ''
    await play.exchangeCode(code, codeVerifier, { redirect_uri: 'http://localhost/callback/' })
    expect((await detailOf('error response')).redirectUri).toMatchObject({
      matches: false,
      registered: [{ value: 'http://localhost/callback', differsAt: 25 }],
    })
  })
})

describe('tokens', () => {
  test('an ID token is decoded and checked (OpenID Connect Core §3.1.3.7)', async () => {
    const sent = await play.signIn({ nonce: 'n-1' })
    const { tokens } = await detailOf('token response')
    const idToken = tokens.find(({ name }) => name === 'id_token')
    const claims = Object.fromEntries(
      (idToken?.claims ?? []).map(({ name, value }) => [name, JSON.parse(value) as unknown]),
    )
    const payload = JSON.parse(
      Buffer.from(String(sent.id_token.split('.')[1]), 'base64url').toString(),
    ) as Record<string, unknown>
    expect(claims).toEqual({ ...payload, nonce: expect.any(String) })
    expect(idToken?.header).toContainEqual(
      expect.objectContaining({ name: 'alg', value: '"RS256"' }),
    )
    expect(idToken?.claims?.every(({ meaning }) => meaning !== undefined)).toBe(true)
    const { time } = idToken?.claims?.find(({ name }) => name === 'exp') ?? {}
    expect(Date.parse(time ?? '')).toBe(Number(payload['exp']) * 1000)
    expect(idToken?.signature).toMatchObject({ valid: true })
    expect(idToken?.atHash).toMatchObject({ equal: true, claimed: payload['at_hash'] })
  })

  test('a secret claim is masked until it is requested', async () => {
    await play.signIn({ nonce: 'the-nonce-of-this-sign-in' })
    const nonce = async (reveal?: string) => {
      const { tokens } = await detailOf('token response', reveal)
      const idToken = tokens.find(({ name }) => name === 'id_token')
      return idToken?.claims?.find(({ name }) => name === 'nonce')
    }
    expect((await nonce())?.secret).toBe(true)
    expect((await nonce())?.value).not.toContain('nonce-of-this')
    expect((await nonce('nonce'))?.value).toBe('"the-nonce-of-this-sign-in"')
  })

  test('an access token is opaque and links to what the sandbox knows of it', async () => {
    await play.signIn()
    const { tokenIds } = await newest()
    const { tokens } = await detailOf('token response')
    expect(tokens.find(({ name }) => name === 'access_token')).toMatchObject({
      opaque: true,
      tokenId: tokenIds[0],
    })
  })

  test('a signature stays valid after a rotation while the key is published', async () => {
    await play.signIn()
    const signature = async () =>
      (await detailOf('token response')).tokens.find(({ name }) => name === 'id_token')?.signature
    await call('POST', 'keys/rotate', { keepOld: true })
    expect(await signature()).toMatchObject({
      valid: true,
      explanation: expect.stringContaining('retired'),
    })
    await call('POST', 'keys/rotate', { keepOld: false })
    expect(await signature()).toMatchObject({
      valid: false,
      explanation: expect.stringContaining('rotated away'),
    })
  })

  test('an ID token changed by a fault does not verify', async () => {
    const header = Buffer.from('{"alg":"none"}').toString('base64url')
    const body = Buffer.from('{"sub":"x","exp":1e300}').toString('base64url')
    await call('POST', 'faults', {
      match: { route: '/oauth/token' },
      set: { id_token: `${header}.${body}.` },
    })
    await play.signIn()
    const { tokens } = await detailOf('token response')
    const idToken = tokens.find(({ name }) => name === 'id_token')
    expect(idToken?.signature).toMatchObject({ valid: false })
    expect(idToken?.claims?.find(({ name }) => name === 'exp')).not.toHaveProperty('time')
  })
})

describe('scopes and organizations', () => {
  test('scopes and organizations are listed as requested, granted or refused, with reasons', async () => {
    await play.exchangeToken(await emailOf('bob'), { scope: 'openid jobs nonsense' })
    expect((await detailOf('token exchange request')).scopes).toEqual({
      asked: ['openid', 'jobs', 'nonsense'],
      granted: [],
      refused: [
        { scope: 'jobs', because: expect.stringContaining('Not configured') },
        { scope: 'nonsense', because: expect.stringContaining('Unknown scope') },
      ],
    })
    await hub('GET', `/oauth/authorize?${play.request({ scope: 'openid jobs nonsense' })}`)
    expect((await detailOf('authorization request')).scopes).toEqual({
      asked: ['openid', 'jobs', 'nonsense'],
      granted: [],
      refused: [{ scope: 'nonsense', because: expect.stringContaining('Unknown scope') }],
    })
    await play.signIn({ scope: 'openid nonsense' })
    expect((await detailOf('token response')).scopes).toMatchObject({ granted: ['openid'] })
    expect((await detailOf('code → redirect URI')).scopes).toMatchObject({
      granted: ['openid'],
      refused: [{ scope: 'nonsense' }],
    })
  })

  test('an exchanged token names its organization', async () => {
    await play.exchangeToken(await emailOf('bob'))
    expect((await detailOf('token response')).organizations).toMatchObject([{ name: 'acme' }])
  })
})

const emailOf = async (name: string) =>
  (await call<{ email: string }>('GET', `users/${name}`)).body.email

describe('a token exchange (RFC 8693)', () => {
  const chain = async (name = 'error response') =>
    (await detailOf(name)).exchange?.map(({ label, outcome }) => `${label}: ${outcome}`)

  test('an exchange is a chain from the subject to the audit log', async () => {
    await play.exchangeToken(await emailOf('bob'))
    const detail = await detailOf('token response')
    expect(detail.exchange?.map(({ outcome }) => outcome)).toEqual(Array(8).fill('ok'))
    expect(
      Object.fromEntries((detail.exchange ?? []).map(({ label, value }) => [label, value])),
    ).toMatchObject({
      app: 'Exchange app',
      user: 'bob',
      organization: 'acme, plan enterprise',
      role: 'write',
      scopes: expect.stringContaining('read-repos'),
      'audit row': expect.stringContaining('Issued a token'),
    })
  })

  test.each([
    ['a wrong secret', 'bob', {}, 'wrong', 'app'],
    ['nobody', 'nobody', {}, undefined, 'user'],
    ['an address that is not verified', 'carol', {}, undefined, 'user'],
    ['another kind of subject', 'bob', { subject_token_type: 'urn:x' }, undefined, 'subject'],
    ['another target (RFC 8693 §2.2.2)', 'bob', { audience: 'x' }, undefined, 'subject'],
    ['a scope that the app has not', 'bob', { scope: 'jobs' }, undefined, 'scopes'],
  ])('the chain ends at %s', async (_what, user, changes, secret, end) => {
    const email = user === 'nobody' ? 'nobody@example.com' : await emailOf(user)
    await play.exchangeToken(email, changes, secret)
    const links = (await chain()) ?? []
    const order = ['app', 'organization', 'subject', 'user', 'role', 'scopes', 'token']
    const outcomeOf = (label: string) => links.find((link) => link.startsWith(`${label}: `))
    for (const [index, label] of order.entries()) {
      const at = order.indexOf(end)
      const expected = index < at ? 'ok' : index === at ? 'refused' : 'pending'
      expect(outcomeOf(label)).toBe(`${label}: ${expected}`)
    }
    expect(outcomeOf('audit row')).toBe('audit row: ok')
  })

  test('the chain of an organization without a plan stops at the organization', async () => {
    await call('PATCH', 'organizations/acme', { plan: 'team' })
    await play.exchangeToken(await emailOf('bob'))
    expect(await chain()).toContain('organization: refused')
    expect(await chain()).toContain('user: pending')
  })
})

describe('copies', () => {
  const hostile = `'; touch /tmp/hs-pwned; echo "$(id)" \`id\` @/etc/passwd [1-3]{a,b}`

  test('each copy is one command', async () => {
    await hub('POST', '/oauth/device', {
      form: { client_id: hostile, scope: hostile },
      headers: { accept: '@/etc/passwd' },
    })
    const { copies } = await detailOf('device authorization request')
    for (const [name, command] of [
      ['curl', copies?.curl],
      ['http', copies?.httpie],
    ] as const) {
      // The shell itself splits it: a function stands for the program and prints what it was given.
      const script = `${name}() { printf '%s\\0' "$@"; }\n${command}`
      const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0')
      expect(words).toContain(
        new URLSearchParams({ client_id: hostile, scope: hostile }).toString(),
      )
      expect(words).toContain('accept: @/etc/passwd')
    }
    expect(JSON.parse(copies?.json ?? '')).toMatchObject({
      method: 'POST',
      form: { client_id: hostile, scope: hostile },
    })
  })
})

test('inferred steps have no request', async () => {
  await play.signIn()
  const flow = await newest()
  const waiting = flow.steps.find(({ kind }) => kind === 'waiting')
  const body = await read(FlowStepDetail, pathOf(flow, waiting))
  expect(body).toMatchObject({ parameters: [], tokens: [] })
  expect(body).not.toHaveProperty('request')
  const inferred = await detailOf('redirect URI called')
  expect(inferred.parameters.map(({ name, place }) => [name, place])).toEqual([
    ['code', 'redirect'],
    ['state', 'redirect'],
  ])
})

test('the polls of a device are one step with the latest one', async () => {
  const { poll } = await play.startDevice()
  await poll()
  await poll()
  const detail = await detailOf('polls')
  expect(parameter(detail, 'device_code')).toMatchObject({
    secret: true,
    source: expect.stringContaining('8628'),
  })
  expect(detail.answer?.body).toContain('slow_down')
})

test('the metadata document of an app is shown as it was fetched', async () => {
  const clientId: string = `${await serve((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ...document, client_id: clientId }))
  })}/client.json`
  const document = {
    client_name: 'Described app',
    redirect_uris: ['http://localhost/callback'],
    token_endpoint_auth_method: 'none',
  }
  await hub('GET', `/oauth/authorize?${play.request({ client_id: clientId })}`)
  const flow = await newest()
  expect(flow.actors).toContainEqual({ actor: 'app', name: 'Described app' })
  const asked = await detailOf('metadata document request')
  expect(asked.step).toMatchObject({ from: 'hub', to: 'app' })
  expect(asked.request?.line).toBe(`GET ${clientId}`)
  const fetched = await detailOf('metadata document')
  expect(fetched.step).toMatchObject({ from: 'app', to: 'hub', status: 200, outcome: 'ok' })
  expect(fetched.answer?.body).toContain('Described app')
})

test('a request of 1 MB is refused and drawn', async () => {
  const padding = 'x'.repeat(1_000_000)
  await hub('POST', '/oauth/token', { form: { grant_type: 'authorization_code', padding } })
  const { steps, missing } = await newest()
  expect(steps.at(-1)).toMatchObject({ outcome: 'refused', status: 413 })
  expect(missing).toEqual([expect.stringContaining('not kept whole: 1000')])
})

test('a long body is not kept, which is reported', async () => {
  const padding = 'x'.repeat(60_000)
  await hub('POST', '/oauth/device', { form: { client_id: publicClient, padding } })
  const detail = await detailOf('device authorization request')
  expect(detail.request).toMatchObject({ truncated: true })
  expect((await newest()).missing).toEqual([expect.stringMatching(/not kept whole: 60\d+ bytes/)])
})

test('unknown steps and sign-ins are not found', async () => {
  await play.signIn()
  const flow = await newest()
  expectNotFound(await call('GET', `flows/${flow.id}/steps/none`))
  expectNotFound(await call('GET', 'flows/none/steps/none'))
})
