import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test as shipped } from './package.ts'

const hub = 'https://hub.invalid'

/** An app with the Hub's address built in: it sends the browser there, and asks there for the tokens. */
function createApp(clientId: string): Server {
  return createServer((request, response) => {
    const { pathname, searchParams, origin } = new URL(
      request.url ?? '/',
      `http://${request.headers.host}`,
    )
    const redirectUri = `${origin}/callback`
    if (pathname !== '/callback') {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'openid profile',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      })
      response.writeHead(302, { Location: `${hub}/oauth/authorize?${query}` }).end()
      return
    }
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code: searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      client_id: clientId,
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    })
    const signIn = async () => {
      const tokens = (await (
        await fetch(`${hub}/oauth/token`, { method: 'POST', body })
      ).json()) as {
        access_token: string
      }
      const headers = { Authorization: `Bearer ${tokens.access_token}` }
      return (await fetch(`${hub}/oauth/userinfo`, { headers })).json() as Promise<{
        preferred_username: string
      }>
    }
    signIn().then(
      ({ preferred_username: name }) => response.end(`Hello ${name}`),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
}

const test = shipped.extend<{ app: string }>({
  sandboxOptions: { intercept: hub },
  app: async ({ sandbox }, provide) => {
    const { apps } = sandbox.fixtures
    const { clientId = '' } =
      apps.find((app) => app.redirectUris.length > 0 && !app.clientSecret) ?? {}
    const server = createApp(clientId)
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
    await provide(`http://localhost:${(server.address() as AddressInfo).port}`)
    server.closeAllConnections()
    server.close()
  },
})

test('a user signs in to an app with the URL of the Hub built in', async ({ page, app }) => {
  await page.goto(app)
  await expect(page).toHaveURL(/^https:\/\/hub\.invalid\/login/)
  await page.getByRole('button', { name: /alice/i }).click()
  await expect(page).toHaveURL(/^https:\/\/hub\.invalid\//)
  await page.getByRole('button', { name: /allow|authorize/i }).click()
  await expect(page.getByText('Hello alice')).toBeVisible()
})

test('the login page is skipped for a signed-in user', async ({ page, app, signInAs }) => {
  await signInAs('bob')
  await page.goto(app)
  await expect(page).toHaveURL(/^https:\/\/hub\.invalid\/oauth\/authorize/)
  await expect(page.getByText('bob', { exact: false }).first()).toBeVisible()
})

test('the browser reaches no other host, and no dashboard under the host of the Hub', async ({
  page,
  sandbox,
}) => {
  // Before what fails: its page comes late, and would get in the way.
  const dashboard = await page.goto(sandbox.dashboardUrl)
  expect(dashboard?.ok()).toBe(true)
  const refused = await page.goto(`${hub}/_sandbox/`)
  expect(refused?.status()).toBe(403)
  await expect(page.getByText('The Hub has no /_sandbox')).toBeVisible()
  await expect(page.goto('https://other.invalid/')).rejects.toThrow('ERR_TUNNEL_CONNECTION_FAILED')
})

test.describe('with a fork for each test requested', () => {
  test.use({ sandboxPerTest: 'fork' })
  test.fail()
  test('the intercepted origin has a single sandbox', async ({ page }) => {
    await page.goto(hub)
  })
})
