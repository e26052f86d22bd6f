import { decodeProtectedHeader } from 'jose'
import * as client from 'openid-client'
import { describe, expect, test } from 'vitest'
import type { Sandbox } from '../../server/index.ts'
import { defaultApps, defaultFixtures, startTestSandbox } from '../helpers/sandbox.ts'
import { freePort } from '../helpers/free-port.ts'
import { createUserAgent } from '../helpers/user-agent.ts'

const redirectUri = 'http://localhost:53682/callback'

const discover = (
  sandbox: Pick<Sandbox, 'url'>,
  clientId: string,
  authentication?: client.ClientAuth,
) =>
  client.discovery(new URL(sandbox.url), clientId, undefined, authentication ?? client.None(), {
    execute: [client.allowInsecureRequests],
  })

async function signIn(config: client.Configuration, scope: string, user = 'alice') {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const expectedNonce = client.randomNonce()
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  const callback = await createUserAgent(user).authorize(url)
  return client.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier,
    expectedState,
    expectedNonce,
    idTokenExpected: scope.includes('openid'),
  })
}

/** Two names of one sandbox, as browsers and a container would have them. */
async function startWithBackChannel() {
  const port = await freePort()
  const backChannelUrl = `http://127.0.0.1:${port}`
  const sandbox = await startTestSandbox({
    port,
    baseUrl: `http://localhost:${port}`,
    backChannelUrl,
  })
  return { sandbox, backChannelUrl }
}

describe('openid-client', () => {
  test('signs in by the back channel, whose issuer is the base URL', async () => {
    const { sandbox, backChannelUrl } = await startWithBackChannel()
    const { clientId } = defaultApps(sandbox).public
    const answer = await fetch(`${backChannelUrl}/.well-known/openid-configuration`)
    const metadata = (await answer.json()) as client.ServerMetadata
    const called: string[] = []
    const config = new client.Configuration(metadata, clientId, undefined, client.None())
    client.allowInsecureRequests(config)
    config[client.customFetch] = (url, options) => {
      called.push(new URL(url).origin)
      return fetch(url, options as RequestInit)
    }
    // The keys are read and the signature is checked, too.
    client.enableNonRepudiationChecks(config)
    const tokens = await signIn(config, 'openid profile')
    const { sub, iss } = tokens.claims()!
    expect(iss).toBe(sandbox.url)
    await client.fetchUserInfo(config, tokens.access_token, sub)
    expect(called).toEqual([backChannelUrl, backChannelUrl, backChannelUrl])
  })

  test.each(['reset', 'restore'] as const)('signs in again after %s', async (way) => {
    const sandbox = await startTestSandbox()
    const config = await discover(sandbox, defaultApps(sandbox).public.clientId)
    // The client caches the published keys, and fetches them again only when they are a minute old.
    client.enableNonRepudiationChecks(config)
    const { name } = await sandbox.snapshot()
    const before = await signIn(config, 'openid')
    await (way === 'reset' ? sandbox.reset() : sandbox.restore(name))
    const after = await signIn(config, 'openid')
    expect(after.claims()?.sub).toBe(before.claims()?.sub)
    await sandbox.keys.rotate()
    const [, retired] = await sandbox.keys.list()
    expect(decodeProtectedHeader(after.id_token ?? '').kid).toBe(retired?.kid)
  })

  test('discovers under the base URL, and refuses another issuer than it asked', async () => {
    const { sandbox, backChannelUrl } = await startWithBackChannel()
    const { clientId } = defaultApps(sandbox).public
    expect((await discover(sandbox, clientId)).serverMetadata()).toMatchObject({
      token_endpoint: `${sandbox.url}/oauth/token`,
    })
    // RFC 8414 §3.3: so the settings that are shown for it take the metadata as they are.
    await expect(discover({ url: backChannelUrl }, clientId)).rejects.toThrow(/issuer|response/)
  })

  test('signs a user in to a public app, reads userinfo and refreshes', async () => {
    const sandbox = await startTestSandbox()
    const config = await discover(sandbox, defaultApps(sandbox).public.clientId)
    const tokens = await signIn(config, 'openid profile email')
    const { sub } = tokens.claims()!
    expect(tokens.claims()).toMatchObject({ preferred_username: 'alice', iss: sandbox.url })
    expect(await client.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({
      preferred_username: 'alice',
      email: 'alice@example.com',
    })
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token!)
    expect(refreshed.access_token).not.toBe(tokens.access_token)
    expect(refreshed.claims()?.sub).toBe(sub)
    await expect(client.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
      status: 400,
    })
  })

  test.each([
    ['client_secret_basic', client.ClientSecretBasic],
    ['client_secret_post', client.ClientSecretPost],
  ])('signs in with %s, and is told of a wrong secret', async (_name, method) => {
    const sandbox = await startTestSandbox()
    const { clientId, clientSecret } = defaultApps(sandbox).confidential
    const right = await discover(sandbox, clientId, method(clientSecret))
    expect((await signIn(right, 'openid')).claims()?.aud).toBe(clientId)
    const wrong = await discover(sandbox, clientId, method('wrong'))
    await expect(signIn(wrong, 'openid')).rejects.toMatchObject({ status: 401 })
  })

  test('is told when the user says no', async () => {
    const sandbox = await startTestSandbox()
    const { clientId, clientSecret } = defaultApps(sandbox).confidential
    const config = await discover(sandbox, clientId, client.ClientSecretBasic(clientSecret))
    const expectedState = client.randomState()
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid',
      state: expectedState,
    })
    const callback = await createUserAgent('bob').authorize(url, 'deny')
    await expect(
      client.authorizationCodeGrant(config, callback, { expectedState }),
    ).rejects.toMatchObject({
      error: 'access_denied',
      error_description: 'The user denied the request.',
    })
  })

  test('polls for a device until its user has answered', async () => {
    const sandbox = await startTestSandbox({
      fixtures: await defaultFixtures({ config: { device: { interval: '1s' } } }),
    })
    const config = await discover(sandbox, defaultApps(sandbox).commandLine.clientId)
    const device = await client.initiateDeviceAuthorization(config, { scope: 'openid profile' })
    expect(device.interval).toBe(1)
    const polling = client.pollDeviceAuthorizationGrant(config, device)
    const polls = async () => {
      const { items } = await sandbox.control<{ items: { status: number }[] }>(
        'GET',
        'requests?path=/oauth/token',
      )
      return items.map(({ status }) => status)
    }
    // It is told to wait before the user has answered.
    await expect.poll(polls, { timeout: 20_000 }).toContain(400)
    const page = await createUserAgent('carol').answerDevice(
      device.verification_uri,
      device.user_code,
    )
    expect(page).toContain('Device connected')
    const tokens = await polling
    expect(tokens.claims()).toMatchObject({ preferred_username: 'carol' })
    expect(tokens.expires_in).toBe(30 * 86_400)
  })

  test('exchanges an e-mail address for a token of the organization', async () => {
    const sandbox = await startTestSandbox()
    const { clientId, clientSecret } = defaultApps(sandbox).exchange
    const config = await discover(sandbox, clientId, client.ClientSecretBasic(clientSecret))
    const parameters = {
      subject_token: 'bob@example.com',
      subject_token_type: 'urn:service:token-type:user-email',
      scope: 'openid read-repos',
    }
    const tokens = await client.genericGrantRequest(
      config,
      'urn:ietf:params:oauth:grant-type:token-exchange',
      parameters,
    )
    expect(tokens).toMatchObject({
      scope: 'openid read-repos',
      expires_in: 28_800,
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    })
    expect(tokens.refresh_token).toBeUndefined()
    await expect(
      client.genericGrantRequest(config, 'urn:ietf:params:oauth:grant-type:token-exchange', {
        ...parameters,
        subject_token: 'dave@example.com',
      }),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  test('registers an app by itself and signs in with it (RFC 7591)', async () => {
    const sandbox = await startTestSandbox()
    const config = await client.dynamicClientRegistration(
      new URL(sandbox.url),
      { redirect_uris: [redirectUri], client_name: 'Registered' },
      undefined,
      { execute: [client.allowInsecureRequests] },
    )
    const tokens = await signIn(config, 'openid profile', 'dave')
    expect(tokens.claims()).toMatchObject({ preferred_username: 'dave' })
  })
})
