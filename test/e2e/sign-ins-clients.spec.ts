import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext } from '@playwright/test'
import * as client from 'openid-client'
import { expect, test as base } from './fixtures.ts'
import { newestFlow, SignInsPage } from './pages/sign-ins.ts'

// What openid-client does in one window is drawn in another.

const test = base.extend<{ signIns: SignInsPage }>({
  signIns: async ({ page, sandbox }, provide) => provide(new SignInsPage(page, sandbox.url)),
})

const redirectUri = 'http://localhost:53682/callback'
const insecure = { execute: [client.allowInsecureRequests] }

/** An app of its own, whose user is alice, in a window of hers. */
async function signIn(context: BrowserContext, config: client.Configuration) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()]
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  const window = await context.newPage()
  await window.goto(url.href)
  await window.getByRole('button', { name: /alice@/ }).click()
  // Nobody answers there: what counts is where the window is sent.
  const sentBack = window.waitForRequest((request) => request.url().startsWith(redirectUri))
  await window.getByRole('button', { name: 'Allow' }).click()
  const callback = new URL((await sentBack).url())
  await window.close()
  return client.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier,
    expectedState,
    expectedNonce,
    idTokenExpected: true,
  })
}

test('a sign-in of openid-client, its userinfo request and its refresh are one drawing', async ({
  signIns,
  sandbox,
  context,
}) => {
  await signIns.open('/sign-ins')
  const app = sandbox.fixtures.apps.find(({ clientSecret }) => clientSecret === undefined)
  const config = await client.discovery(
    new URL(sandbox.url),
    app?.clientId ?? '',
    undefined,
    client.None(),
    insecure,
  )
  const tokens = await signIn(context, config)
  const claims = tokens.claims()
  await expect(signIns.step('token request with PKCE')).toBeVisible()
  await client.fetchUserInfo(config, tokens.access_token, claims?.sub ?? '')
  await expect(signIns.step('userinfo response')).toBeVisible()
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
  await expect(signIns.step('refresh request')).toBeVisible()

  await signIns.step('token response').first().click()
  const idToken = signIns.details.getByRole('article', { name: 'id_token' })
  for (const name of ['sub', 'aud', 'iss', 'preferred_username']) {
    const value = JSON.stringify(claims?.[name])
    await expect(idToken.getByRole('row').filter({ hasText: value }).first()).toContainText(name)
  }
  await idToken.getByRole('button', { name: 'Show nonce' }).click()
  await expect(idToken).toContainText(String(claims?.nonce))
  const { steps, tokenIds } = await newestFlow(sandbox)
  expect(steps.filter(({ name }) => name === 'token response')).toHaveLength(2)
  expect(tokenIds).toHaveLength(2)
  expect(refreshed.access_token).not.toBe(tokens.access_token)
})

test('an app that registers itself is drawn, and a refused registration shows the reason', async ({
  signIns,
  sandbox,
}) => {
  await signIns.open('/sign-ins')
  const config = await client.dynamicClientRegistration(
    new URL(sandbox.url),
    { client_name: 'Self-made', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' },
    client.None(),
    insecure,
  )
  await expect(signIns.step('registration request')).toBeVisible()
  await expect(signIns.step('registration response')).toBeVisible()
  await expect(signIns.flow).toContainText('completed')
  await expect(signIns.flow).toContainText('Self-made')
  await signIns.step('registration response').click()
  await expect(signIns.details).toContainText(config.clientMetadata().client_id)
  await signIns.page.keyboard.press('Escape')

  const wrong = { redirect_uris: ['callback'], token_endpoint_auth_method: 'none' }
  const refused = await fetch(`${sandbox.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wrong),
  })
  expect(refused.status).toBe(400)
  const { error } = (await refused.json()) as { error: string }
  await expect(signIns.list).toHaveCount(2)
  await signIns.list.first().click()
  await expect(signIns.flow).toContainText('refused')
  await expect(signIns.step('error response')).toContainText(error)
})

test('an app of a metadata document is drawn with the fetched document', async ({
  signIns,
  sandbox,
  context,
}) => {
  let document: object = {}
  const site = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(document))
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const { port } = site.address() as AddressInfo
  const clientId = `http://localhost:${port}/client.json`
  document = {
    client_id: clientId,
    client_name: 'Described',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
  }
  await signIns.open('/sign-ins')
  const config = await client.discovery(
    new URL(sandbox.url),
    clientId,
    undefined,
    client.None(),
    insecure,
  )
  await signIn(context, config)
  await expect(signIns.flow).toContainText('completed')
  await expect(signIns.flow).toContainText('Described')
  await expect(signIns.step('metadata document request').first()).toBeVisible()
  await signIns
    .step(/metadata document(?! request)/)
    .first()
    .click()
  await expect(signIns.details).toContainText('Described')
  await new Promise((resolve) => site.close(resolve))
})
