import { createHash, createHmac, createPublicKey } from 'node:crypto'
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose'
import { describe, expect, test } from 'vitest'
import { type AddFaultRequest, FaultItem, FaultList } from '../../server/contract/control-faults.ts'
import { flowOfRequest } from '../../server/lab/faults/flow-of-request.ts'
import { controlWorld, expectInvalid, publicClient, secretClient } from '../helpers/control.ts'
import { codeVerifier, playFlows, type Tokens } from '../helpers/played-flows.ts'

const world = controlWorld()
const { call, hub, read } = world
const play = playFlows(world)
const use = play.whoami

const apps = {
  public: { client_id: publicClient },
  secret: { client_id: secretClient, client_secret: 'sandbox_first_secret' },
}
type AppName = keyof typeof apps

async function addFault(rule: AddFaultRequest): Promise<FaultItem> {
  return (await call<FaultItem>('POST', 'faults', rule)).body
}

const now = ({ id }: FaultItem) => read(FaultItem, `faults/${id}`)

/** Authorizes an app for alice. @returns the parameters of the redirect */
async function authorize(app: AppName = 'public', scope = 'openid'): Promise<URLSearchParams> {
  const { client_id } = apps[app]
  const { body } = await play.authorize({ client_id, scope, state: 'own', nonce: 'n' })
  return new URL(body.redirectTo).searchParams
}

const redeem = (code: string, app: AppName = 'public') =>
  play.exchangeCode(code, codeVerifier, apps[app])

const signIn = async (app?: AppName, scope?: string) =>
  redeem((await authorize(app, scope)).get('code') ?? '', app)

const nextFlow = { clientId: publicClient, flow: 'next' } as const

describe('a fault for the next sign-in of an app', () => {
  test('matches the requests of this sign-in, and no other of the app', async () => {
    const before = (await signIn()).body
    const started = (await authorize()).get('code') ?? ''
    const rule = await addFault({ match: nextFlow, headers: { 'x-fault': '1' } })
    const isStruck = ({ headers }: { headers: Record<string, unknown> }) => 'x-fault' in headers
    const use = (bearer: string) => hub('GET', '/api/whoami-v2', { token: bearer })

    expect(isStruck(await redeem(started))).toBe(false)
    expect(isStruck(await signIn('secret'))).toBe(false)
    expect(await now(rule)).not.toHaveProperty('boundAt')

    const tokens = await signIn()
    expect(isStruck(tokens)).toBe(true)
    expect((await now(rule)).boundAt).toEqual(expect.any(String))
    const refreshed = await play.refresh(tokens.body.refresh_token)
    expect(isStruck(refreshed)).toBe(true)
    expect(isStruck(await use(refreshed.body.access_token))).toBe(true)

    const after = await signIn()
    expect([after, await use(after.body.access_token)].map(isStruck)).toEqual([false, false])
    expect(isStruck(await use(before.access_token))).toBe(false)
    expect(await now(rule)).toMatchObject({ hits: 3, matches: 3 })
  })

  test('changes the redirect of this sign-in only', async () => {
    const rule = await addFault({ match: nextFlow, redirect: { set: { state: 'other' } } })
    const states = []
    for (const app of ['secret', 'public', 'public'] as const) {
      states.push((await authorize(app)).get('state'))
    }
    expect(states).toEqual(['own', 'other', 'own'])
    expect(await now(rule)).toMatchObject({ hits: 1 })
  })

  test('matches the polls and the tokens of the next device code', async () => {
    await addFault({
      match: { ...nextFlow, route: '/oauth/token' },
      times: 1,
      oauthError: 'slow_down',
    })
    await addFault({ match: { ...nextFlow, route: '/oauth/userinfo' }, status: 503 })
    await addFault({ match: { ...nextFlow, route: '/oauth/device' }, remove: ['user_code'] })
    const device = await play.startDevice()
    expect(device.userCode).toBeUndefined()
    const { deviceAuthorizations } = world.sandbox.deps.state
    expect((await (await play.startDevice()).poll()).body.error).toBe('authorization_pending')
    expect((await device.poll()).body.error).toBe('slow_down')
    await play.answerDevice(deviceAuthorizations.get(device.deviceCode)?.userCode ?? '')
    const { access_token } = (await device.poll()).body
    expect((await play.userinfo(access_token)).status).toBe(503)
  })

  test('can be bound to a sign-in that has begun', async () => {
    const { faults, state } = world.sandbox.deps
    const token = (await signIn()).body.access_token
    const flow = flowOfRequest(state, { authorization: `Bearer ${token}`, body: undefined })
    faults.add({ match: { ...nextFlow, route: '/api/*' }, status: 503 })
    if (flow !== undefined) faults.beginFlow(flow)
    expect((await use(token)).status).toBe(503)
    expect((await use((await signIn()).body.access_token)).status).toBe(200)
  })

  test('strikes a token of the sign-in that has expired', async () => {
    await addFault({ match: { ...nextFlow, route: '/api/*' }, status: 429 })
    await addFault({ match: { clientId: secretClient, route: '/api/*' }, status: 418 })
    const tokens = [await signIn(), await signIn('secret')]
    await call('POST', 'clock', { advance: '9h' })
    const statuses = []
    for (const { body } of tokens) {
      statuses.push((await use(body.access_token)).status)
    }
    expect(statuses).toEqual([429, 418])
    await call('DELETE', 'faults')
    expect((await use(tokens[0]?.body.access_token)).status).toBe(401)
  })

  test.each([
    [{ match: { flow: 'next' }, status: 500 }, ['match.clientId']],
    [{ match: { clientId: publicClient, flow: 'last' }, status: 500 }, ['match.flow']],
    [
      { match: { webhookId: '*', clientId: 'x', flow: 'next' }, status: 500 },
      ['match.clientId', 'match.flow'],
    ],
  ])('refuses %j', async (rule, paths) => {
    expectInvalid(await call('POST', 'faults', rule), paths)
    expect((await read(FaultList, 'faults')).items).toEqual([])
  })

  test('is no match of a barrier', async () => {
    expectInvalid(await call('POST', 'barriers', { match: nextFlow, count: 1 }), ['match.flow'])
  })
})

describe('an ID token with a changed header or signature', () => {
  const changed = async (idToken: NonNullable<AddFaultRequest['idToken']>) => {
    const match = { route: '/oauth/token' }
    await addFault({ match, idToken, times: 1 })
    return (await signIn()).body.id_token
  }
  const published = async () => (await hub<JSONWebKeySet>('GET', '/oauth/jwks')).body

  test('has no signature', async () => {
    const idToken = await changed({ sign: 'none', claims: { nonce: 'other' } })
    expect(decodeProtectedHeader(idToken)).toMatchObject({ alg: 'none' })
    expect(idToken.split('.')[2]).toBe('')
    expect(decodeJwt(idToken)).toMatchObject({ aud: publicClient, nonce: 'other' })
  })

  test('has an HMAC whose secret is the published key', async () => {
    const [input, signature] = (await changed({ sign: 'hs256-public-key' })).split(/\.(?=[^.]*$)/)
    const [key] = (await published()).keys
    const pem = createPublicKey({ key: { ...key }, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    })
    expect(
      createHmac('sha256', pem)
        .update(input ?? '')
        .digest('base64url'),
    ).toBe(signature)
    expect(decodeProtectedHeader(`${input}.`)).toEqual({ alg: 'HS256', kid: key?.kid, typ: 'JWT' })
  })

  test('is signed by the key that its own header has', async () => {
    const jku = 'https://other.example/keys'
    const idToken = await changed({ sign: 'other-key', header: { jwk: true, jku } })
    const { jwk, kid, ...header } = decodeProtectedHeader(idToken)
    const keys = await published()
    expect(header).toEqual({ alg: 'RS256', typ: 'JWT', jku })
    expect(kid).toBe(keys.keys[0]?.kid)
    await expect(jwtVerify(idToken, createLocalJWKSet(keys))).rejects.toThrow('verification failed')
    const own = await importJWK({ ...jwk }, 'RS256')
    await expect(jwtVerify(idToken, own)).resolves.toBeDefined()
  })

  test('names keys and a certificate of its own', async () => {
    const header = { jku: 'https://other.example/keys', x5u: 'https://other.example/certificate' }
    const idToken = await changed({ header })
    expect(decodeProtectedHeader(idToken)).toMatchObject({ alg: 'RS256', ...header })
    await expect(jwtVerify(idToken, createLocalJWKSet(await published()))).resolves.toBeDefined()
    const log = JSON.stringify((await call('GET', 'requests')).body)
    expect(log).toContain('header names a certificate at https://other.example/certificate')
  })

  test('is signed by the published key without naming it', async () => {
    const idToken = await changed({ header: { kid: null } })
    expect(decodeProtectedHeader(idToken)).toEqual({ alg: 'RS256', typ: 'JWT' })
    await expect(jwtVerify(idToken, createLocalJWKSet(await published()))).resolves.toBeDefined()
  })

  test('has a broken signature under a header of its own', async () => {
    const idToken = await changed({ sign: 'broken', header: { alg: 'RS512' } })
    expect(decodeProtectedHeader(idToken)).toMatchObject({ alg: 'RS512' })
    const keys = createLocalJWKSet(await published())
    await expect(jwtVerify(idToken, keys, { algorithms: ['RS256'] })).rejects.toThrow('not allowed')
    expect(idToken.split('.')[2]).toHaveLength(342)
  })

  test.each([
    [{ kid: 'other', header: { kid: null } }, ['idToken.kid']],
    [{ breakSignature: true, sign: 'none' }, ['idToken.breakSignature']],
    [{ sign: 'md5' }, ['idToken.sign']],
  ])('refuses %j', async (idToken, paths) => {
    const rule = { match: { route: '/oauth/token' }, idToken }
    expectInvalid(await call('POST', 'faults', rule), paths)
  })
})

test('a user grants fewer scopes than the app asked for (RFC 6749 §3.3)', async () => {
  await addFault({ match: nextFlow, redirect: { scope: 'profile read-repos' } })
  const ask = async () =>
    (await signIn('public', 'openid profile')).body as Tokens & { scope: string }
  const { scope, id_token: idToken, refresh_token } = await ask()
  expect([scope, idToken]).toEqual(['profile', undefined])
  const refreshed = await play.refresh(refresh_token)
  expect(refreshed.body).toMatchObject({ scope: 'profile' })
  expect((await ask()).scope).toBe('openid profile')
  const log = JSON.stringify((await call('GET', 'requests')).body)
  expect(log).toContain('redirect: only profile read-repos granted')
})

describe('a long code or token', () => {
  test('is accepted by the sandbox in place of the short one', async () => {
    await addFault({ match: nextFlow, redirect: { codeLength: 600 } })
    await addFault({
      match: { ...nextFlow, route: '/oauth/token' },
      lengthen: { accessToken: 1600, refreshToken: 900 },
    })
    const code = (await authorize()).get('code') ?? ''
    expect(code).toHaveLength(600)
    expect(code).toContain('.-_~+')
    const { body, status } = await redeem(code)
    expect([status, body.access_token.length, body.refresh_token.length]).toEqual([200, 1600, 900])
    const digest = createHash('sha256').update(body.access_token).digest()
    expect(decodeJwt(body.id_token)['at_hash']).toBe(digest.subarray(0, 16).toString('base64url'))
    expect((await use(body.access_token)).status).toBe(200)
    const refreshed = await play.refresh(body.refresh_token)
    expect(refreshed.body.access_token).toHaveLength(1600)
    const log = JSON.stringify((await call('GET', 'requests')).body)
    expect(log).toContain('access token of 1600 characters')
    expect(
      [code, body.access_token, body.refresh_token].filter((one) => log.includes(one)),
    ).toEqual([])
  })

  test.each([
    [{ lengthen: {} }, ['lengthen']],
    [{ lengthen: { accessToken: 10 } }, ['lengthen.accessToken']],
    [{ redirect: { codeLength: 5000 } }, ['redirect.codeLength']],
  ])('refuses %j', async (effect, paths) => {
    const rule = { match: { route: '/oauth/token' }, ...effect }
    expectInvalid(await call('POST', 'faults', rule), paths)
  })
})
