import { createPublicKey } from 'node:crypto'
import { compactVerify, createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { buildTestApp, testApp } from '../helpers/app.ts'
import { pkce, redirectUri, verifier } from '../helpers/oauth-client.ts'

const world = testApp()
const { client } = world

const keySet = async () => (await client.get('/oauth/jwks')).json<JSONWebKeySet>()

describe('metadata (OpenID Connect Discovery §4, RFC 8414 §3)', () => {
  test.each(['openid-configuration', 'oauth-authorization-server'])(
    '%s returns the metadata',
    async (name) => {
      const answer = await client.get(`/.well-known/${name}`)
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(answer.json()).toEqual({
        issuer: 'http://localhost:7420',
        authorization_endpoint: 'http://localhost:7420/oauth/authorize',
        token_endpoint: 'http://localhost:7420/oauth/token',
        userinfo_endpoint: 'http://localhost:7420/oauth/userinfo',
        device_authorization_endpoint: 'http://localhost:7420/oauth/device',
        registration_endpoint: 'http://localhost:7420/oauth/register',
        jwks_uri: 'http://localhost:7420/oauth/jwks',
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        id_token_signing_alg_values_supported: ['RS256'],
        subject_types_supported: ['public'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
        grant_types_supported: [
          'urn:ietf:params:oauth:grant-type:token-exchange',
          'urn:ietf:params:oauth:grant-type:device_code',
          'authorization_code',
          'refresh_token',
        ],
        client_id_metadata_supported: true,
        client_id_metadata_document_supported: true,
      })
    },
  )

  test('the issuer comes from the configuration, never from the request', async () => {
    const { server } = await buildTestApp({ baseUrl: 'https://hub.localhost:8443' })
    const answer = await server.inject({
      url: '/.well-known/openid-configuration',
      headers: { host: 'localhost:9', 'x-forwarded-host': 'evil.example' },
    })
    expect(answer.json()).toMatchObject({
      issuer: 'https://hub.localhost:8443',
      jwks_uri: 'https://hub.localhost:8443/oauth/jwks',
    })
  })
})

describe('keys (RFC 7517)', () => {
  test('only public members are published', async () => {
    const answer = await client.get('/oauth/jwks')
    expect(answer.headers['content-type']).toBe('application/jwk-set+json; charset=utf-8')
    expect(answer.json()).toEqual({
      keys: [
        {
          kty: 'RSA',
          alg: 'RS256',
          use: 'sig',
          kid: expect.stringMatching(/^\w{16}$/),
          n: expect.stringMatching(/^[\w-]{342}$/),
          e: 'AQAB',
        },
      ],
    })
  })

  test('old keys still verify after a rotation unless they are dropped', async () => {
    const { id_token: idToken } = await client.signInTo(world.apps.public, 'alice')
    await world.deps.keys.rotate()
    const kept = await keySet()
    expect(kept.keys).toHaveLength(2)
    await compactVerify(idToken!, createLocalJWKSet(kept))

    const kid = await world.deps.keys.rotate(false)
    const dropped = await keySet()
    expect(dropped.keys.map((key) => key.kid)).toEqual([kid])
    await expect(compactVerify(idToken!, createLocalJWKSet(dropped))).rejects.toMatchObject({
      code: 'ERR_JWKS_NO_MATCHING_KEY',
    })
    const { id_token: fresh } = await client.signInTo(world.apps.public, 'alice')
    await compactVerify(fresh!, createLocalJWKSet(dropped))
  })
})

describe('ID token (OpenID Connect Core §2, §3.1.3.7)', () => {
  test('an ID token has the claims of its scopes, the nonce and a hash of the access token', async () => {
    const { public: app } = world.apps
    const code = await client.getCode('alice', {
      client_id: app.id,
      scope: 'openid profile email read-billing read-memberships',
      nonce: 'n-0S6_WzA2Mj',
      ...pkce,
    })
    world.clock.advance(10_000)
    const answer = await client.token({
      grant_type: 'authorization_code',
      client_id: app.id,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      code,
    })
    const { id_token: idToken } = answer.json<{ id_token: string }>()
    const { payload, protectedHeader } = await jwtVerify(
      idToken,
      createLocalJWKSet(await keySet()),
      { currentDate: new Date(world.clock.now()) },
    )
    expect(protectedHeader).toEqual({ alg: 'RS256', kid: expect.any(String), typ: 'JWT' })
    // The clock was moved 10 seconds past real time, and an ID token is never dated later than that.
    const realTime = Math.floor(world.clock.now() / 1000) - 10
    // isPro, canPay and the organizations are in the userinfo answer only.
    expect(payload).toEqual({
      iss: 'http://localhost:7420',
      sub: world.users.alice.id,
      aud: app.id,
      iat: realTime,
      exp: realTime + 3600,
      auth_time: realTime,
      nonce: 'n-0S6_WzA2Mj',
      at_hash: expect.stringMatching(/^[\w-]{22}$/),
      name: 'Alice Example',
      preferred_username: 'alice',
      profile: 'http://localhost:7420/alice',
      picture: 'http://localhost:7420/avatars/alice.svg',
      website: 'https://alice.example',
      email: 'alice@example.com',
      email_verified: true,
    })
  })

  test('no ID token is issued without openid', async () => {
    const tokens = await client.signInTo(world.apps.public, 'alice', 'profile email')
    expect(tokens.id_token).toBeUndefined()
  })

  test('an ID token is signed by a key of at least 2048 bits', async () => {
    const [key] = (await keySet()).keys
    const details = createPublicKey({ format: 'jwk', key: { ...key! } }).asymmetricKeyDetails
    expect(details?.modulusLength).toBeGreaterThanOrEqual(2048)
  })
})
