import * as oauth from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import type { ExperimentList } from '../../server/contract/control-experiments.ts'
import type { SandboxOptions } from '../../server/index.ts'
import { defaultApps, startTestSandbox } from '../helpers/sandbox.ts'
import { createUserAgent } from '../helpers/user-agent.ts'

const redirectUri = 'http://127.0.0.1:53682/callback'
const insecure = { [oauth.allowInsecureRequests]: true }

// The library checks each answer by its RFC: media types, headers, members, the claims and the signature.
describe('oauth4webapi, with every check it has', () => {
  async function setUp(options: SandboxOptions = {}) {
    const sandbox = await startTestSandbox(options)
    const issuer = new URL(sandbox.url)
    const servers = await Promise.all(
      (['oidc', 'oauth2'] as const).map(async (algorithm) =>
        oauth.processDiscoveryResponse(
          issuer,
          await oauth.discoveryRequest(issuer, { algorithm, ...insecure }),
        ),
      ),
    )
    expect(servers[0]).toEqual(servers[1])
    return { sandbox, server: servers[0]! }
  }

  async function authorize(
    server: oauth.AuthorizationServer,
    client: oauth.Client,
    scope: string,
    change: Record<string, string> = {},
  ) {
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const nonce = oauth.generateRandomNonce()
    const url = new URL(server.authorization_endpoint!)
    url.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      max_age: '3600',
      ...change,
    }).toString()
    const callback = await createUserAgent('alice').authorize(url)
    return {
      parameters: oauth.validateAuthResponse(server, client, callback, state),
      verifier,
      nonce,
    }
  }

  test.each([
    ['iss', /"iss" \(issuer\)/],
    ['iss-missing', /"iss" \(issuer\) missing/],
    ['state', /"state"/],
  ])('refuses the response of the experiment %s', { timeout: 40_000 }, async (id, message) => {
    const { sandbox, server } = await setUp({ sendIss: true })
    const client = { client_id: defaultApps(sandbox).public.clientId }
    await expect(authorize(server, client, 'openid')).resolves.toBeDefined()
    await sandbox.control('POST', `experiments/${id}/run`, {})
    await expect(authorize(server, client, 'openid')).rejects.toThrow(message)
    const verdict = async () => {
      const { items } = await sandbox.control<ExperimentList>('GET', 'experiments')
      return items.find((one) => one.id === id)?.verdict
    }
    await expect.poll(verdict, { timeout: 20_000 }).toMatchObject({
      state: 'passed',
      text: 'Your app refused it: no token request followed.',
    })
  })

  test('accepts the code flow, userinfo and refresh of a confidential app', async () => {
    const { sandbox, server } = await setUp()
    const { clientId, clientSecret } = defaultApps(sandbox).confidential
    const client = { client_id: clientId, require_auth_time: true }
    const authentication = oauth.ClientSecretBasic(clientSecret!)
    const { parameters, verifier, nonce } = await authorize(server, client, 'openid profile email')
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      redirectUri,
      verifier,
      insecure,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      maxAge: 3600,
      requireIdToken: true,
    })
    await oauth.validateApplicationLevelSignature(server, response, insecure)
    const { sub } = oauth.getValidatedIdTokenClaims(tokens)!

    const userinfo = await oauth.processUserInfoResponse(
      server,
      client,
      sub,
      await oauth.userInfoRequest(server, client, tokens.access_token, insecure),
    )
    expect(userinfo).toMatchObject({ preferred_username: 'alice', email_verified: true })

    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(
        server,
        client,
        authentication,
        tokens.refresh_token!,
        insecure,
      ),
    )
    expect(oauth.getValidatedIdTokenClaims(refreshed)?.sub).toBe(sub)
  })

  test('reads the challenge of a protected resource', async () => {
    const { sandbox, server } = await setUp()
    const client = { client_id: defaultApps(sandbox).public.clientId }
    const request = oauth.userInfoRequest(server, client, 'hf_oauth_sandbox_unknown', insecure)
    const response = oauth.processUserInfoResponse(server, client, 'x', await request)
    await expect(response).rejects.toMatchObject({
      cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
    })
  })

  test('reads an error that comes back by redirect', async () => {
    const { sandbox, server } = await setUp()
    const client = { client_id: defaultApps(sandbox).public.clientId }
    await expect(
      authorize(server, client, 'openid', { response_mode: 'fragment' }),
    ).rejects.toMatchObject({ error: 'invalid_request' })
  })

  test('accepts a device authorization', async () => {
    const { sandbox, server } = await setUp()
    const client = { client_id: defaultApps(sandbox).commandLine.clientId }
    const device = await oauth.processDeviceAuthorizationResponse(
      server,
      client,
      await oauth.deviceAuthorizationRequest(
        server,
        client,
        oauth.None(),
        { scope: 'openid' },
        insecure,
      ),
    )
    const poll = async () =>
      oauth.processDeviceCodeResponse(
        server,
        client,
        await oauth.deviceCodeGrantRequest(
          server,
          client,
          oauth.None(),
          device.device_code,
          insecure,
        ),
      )
    await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending' })
    await expect(poll()).rejects.toMatchObject({ error: 'slow_down' })
    await createUserAgent('alice').answerDevice(device.verification_uri, device.user_code)
    await sandbox.clock.advance('10s')
    expect(oauth.getValidatedIdTokenClaims(await poll())?.aud).toBe(client.client_id)
  })

  test('accepts a registration (RFC 7591)', async () => {
    const { server } = await setUp()
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(
        server,
        { redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' },
        insecure,
      ),
    )
    expect(client).toMatchObject({ token_endpoint_auth_method: 'none' })
    const { parameters } = await authorize(server, client, 'openid profile')
    expect(parameters.get('code')).toMatch(/^\w{32}$/)
  })
})
