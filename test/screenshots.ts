// The pictures of the README, from a sandbox that somebody has worked with, and one of every page to look at:
// `npm run screenshots`.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { chromium, expect, type Page } from '@playwright/test'
import { type Sandbox, startSandbox } from '../server/index.ts'
import { prepare } from '../server/tools/launch/prepare.mjs'
import { createWebhooks } from '../server/receiver/index.ts'
import { shootEveryPage } from './helpers/every-page.ts'
import { findBrowser } from './helpers/find-browser.mjs'
import { DeliveriesPage } from './e2e/pages/deliveries.ts'
import { SignInsPage } from './e2e/pages/sign-ins.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const commandLine = '26be6b09-91c5-47da-9861-d2d2bb7a7e36'

async function shoot(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: `${root}.github/screenshots/${name}.png`, animations: 'disabled' })
}

/** Deliveries that went well, failed and are tried again. */
async function causeDeliveries(sandbox: Sandbox): Promise<void> {
  const webhooks = createWebhooks({
    secret: 'sandbox',
    autoStart: false,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  })
  webhooks.on('repo', () => undefined)
  webhooks.on('discussion', () => {
    throw new Error('The moderation service does not answer')
  })
  const receiver = await webhooks.listen({ port: 0 })
  await sandbox.control('POST', 'webhooks', {
    user: 'alice',
    name: 'moderator',
    url: `${receiver.url}/webhooks/events`,
    watched: [{ type: 'org', name: 'acme' }],
    secret: 'sandbox',
  })
  const repo = 'datasets/acme/corpus'
  for (const event of ['repo.content', 'repo.config', 'discussion.create', 'repo.content']) {
    await sandbox.trigger({ event, repo })
  }
  await sandbox.trigger({ event: 'repo.content', kind: 'tag-create', repo })
  await sandbox.idle()
  await receiver.close()
}

async function shootDashboard(page: Page, sandbox: Sandbox): Promise<void> {
  const deliveries = new DeliveriesPage(page, sandbox.url)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await deliveries.open('/deliveries?pane=timeline')
    await deliveries.rows.filter({ hasText: 'discussion' }).first().click()
    await expect(deliveries.detail.getByText('Attempt 1')).toBeVisible()
    await shoot(page, `deliveries-${colorScheme}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Somebody signs in with a browser. */
async function playSignIn(page: Page, { url, fixtures }: Sandbox): Promise<void> {
  const app = fixtures.apps.find(({ clientSecret }) => clientSecret === undefined)
  // A redirect cannot be answered by the test kit alone.
  const server = createServer((_request, response) => response.end('Signed in'))
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const redirectUri = `http://localhost:${(server.address() as AddressInfo).port}/callback`
  // The checks report a verifier that documents give as an example.
  const verifier = createHash('sha256').update('a picture').digest('base64url')
  const query = new URLSearchParams({
    client_id: app?.clientId ?? '',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email',
    state: 'af0ifjsldkj',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  await page.goto(`${url}/oauth/authorize?${query}`)
  await page.getByRole('button', { name: /alice@/ }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(({ pathname }) => pathname === '/callback')
  server.close()
  const answer = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: app?.clientId ?? '',
      code: new URL(page.url()).searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  await fetch(`${url}/oauth/userinfo`, { headers: { authorization: `Bearer ${token}` } })
}

/** A sign-in as it is drawn, the token response opened. */
async function shootSignIn(page: Page, sandbox: Sandbox): Promise<void> {
  const signIns = new SignInsPage(page, sandbox.url)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await signIns.open('/sign-ins')
    await signIns.step('token response').click()
    await expect(signIns.details.getByRole('article', { name: 'id_token' })).toBeVisible()
    await shoot(page, `sign-ins-${colorScheme}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

/** A finding of the checks: an app that signs in without PKCE. */
async function shootChecks(page: Page, sandbox: Sandbox): Promise<void> {
  const { url, fixtures } = sandbox
  const app = fixtures.apps.find(({ name }) => name === 'Team Dashboard')
  const client = { client_id: app?.clientId ?? '', redirect_uri: 'http://localhost/callback' }
  const ask = { ...client, response_type: 'code', scope: 'openid profile', state: 'af0ifjsldkj' }
  const callback = await sandbox.authorize(`${url}/oauth/authorize?${new URLSearchParams(ask)}`)
  await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...client,
      client_secret: app?.clientSecret ?? '',
      grant_type: 'authorization_code',
      code: new URL(callback).searchParams.get('code') ?? '',
    }),
  })
  await new SignInsPage(page, url).open(`/findings?subject=${client.client_id}`)
  await expect(page.getByText('sign-in/no-code-binding').first()).toBeVisible()
  await shoot(page, 'checks')
}

async function shootConsent(page: Page, { url, fixtures }: Sandbox): Promise<void> {
  const app = fixtures.apps.find(({ clientSecret }) => clientSecret !== undefined)
  const query = new URLSearchParams({
    client_id: app?.clientId ?? '',
    redirect_uri: 'http://localhost:3000/callback',
    response_type: 'code',
    scope: 'openid profile email',
  })
  await page.goto(`${url}/oauth/authorize?${query}`)
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
  await shoot(page, 'consent')
}

async function shootDevice(page: Page, { url }: Sandbox): Promise<void> {
  const answer = await fetch(`${url}/oauth/device`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: commandLine }),
  })
  const { user_code: userCode } = (await answer.json()) as { user_code: string }
  await page.setViewportSize({ width: 560, height: 360 })
  await page.goto(`${url}/oauth/device?user_code=${userCode}`)
  await shoot(page, 'device')
}

await prepare(root, ['renderer'])
const executablePath = findBrowser({ playwrightPath: chromium.executablePath() })
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath })
const sandbox = await startSandbox({ seed: 1 })
try {
  const page = await browser.newPage({ viewport: { width: 1180, height: 620 } })
  await causeDeliveries(sandbox)
  await shootDashboard(page, sandbox)
  await playSignIn(page, sandbox)
  await page.setViewportSize({ width: 1520, height: 760 })
  await shootSignIn(page, sandbox)
  await page.setViewportSize({ width: 1180, height: 580 })
  await shootChecks(page, sandbox)
  await page.context().clearCookies()

  const { name, value } = await sandbox.control<{ name: string; value: string }>(
    'POST',
    'sessions',
    { user: 'alice' },
  )
  await page.context().addCookies([{ name, value, url: sandbox.url }])
  await page.setViewportSize({ width: 560, height: 690 })
  await shootConsent(page, sandbox)
  await shootDevice(page, sandbox)

  const folder = `${root}test-results/pages`
  const count = await shootEveryPage(browser, folder)
  process.stdout.write(`${count} pictures of pages are in ${folder}\n`)
} finally {
  await browser.close()
  await sandbox.close()
}
