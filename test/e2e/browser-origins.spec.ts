import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { startSandbox } from './package.ts'

async function signIn(page: Page, url: string, user: string): Promise<void> {
  await page.goto(`${url}/login?next=/oauth/device`)
  await page.getByRole('button', { name: new RegExp(`${user}@`) }).click()
  await expect(page.getByRole('heading', { name: 'Connect a device' })).toBeVisible()
}

test('one browser is signed in to two sandboxes at once, with the control token of each', async ({
  page,
}) => {
  const sandboxes = [
    await startSandbox({ controlToken: 'the-first' }),
    await startSandbox({ controlToken: 'the-second' }),
  ]
  const users = ['alice', 'bob']
  try {
    for (const [index, sandbox] of sandboxes.entries()) {
      await signIn(page, sandbox.url, users[index]!)
      await page.goto(sandbox.dashboardUrl)
      await expect(page.locator('[data-live="open"]')).toBeVisible()
    }
    for (const [index, sandbox] of sandboxes.entries()) {
      await page.goto(`${sandbox.url}/login`)
      await expect(page.getByText(`you are signed in as ${users[index]}`)).toBeVisible()
      await page.goto(`${sandbox.url}/_sandbox/`)
      await expect(page.locator('[data-live="open"]')).toBeVisible()
    }
    const cookies = await page.context().cookies()
    expect(cookies).toHaveLength(4)
    for (const { value } of cookies) expect(value).not.toMatch(/the-first|the-second/)
  } finally {
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
  }
})

test('a page on another port cannot plant a session', async ({ page, sandbox }) => {
  const { port } = new URL(sandbox.url)
  const { value } = await sandbox.control<{ value: string }>('POST', 'sessions', { user: 'bob' })
  await page.context().addCookies([
    {
      name: `hub_sandbox_session_${port}`,
      value,
      domain: 'localhost',
      path: '/oauth',
    },
  ])
  await page.goto(`${sandbox.url}/login?next=/oauth/device`)
  await page.getByRole('button', { name: /alice@/ }).click()
  await expect(page.getByText(`several cookies named hub_sandbox_session_${port}`)).toBeVisible()
  await expect(page.getByText('Clear the cookies of this host')).toBeVisible()
})

test('a sign-in in a popup returns without its opener, as on the Hub', async ({
  page,
  sandbox,
}) => {
  const site = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<title>An app</title><h1>An app</h1>')
  }).listen(0, 'localhost')
  await once(site, 'listening')
  try {
    const { port } = site.address() as AddressInfo
    const app = sandbox.fixtures.apps.find(({ clientSecret, redirectUris }) => {
      return clientSecret === undefined && redirectUris.length > 0
    })
    const redirectUri = new URL(app!.redirectUris[0]!)
    redirectUri.port = String(port)
    const query = new URLSearchParams({
      client_id: app!.clientId,
      redirect_uri: redirectUri.href,
      scope: 'openid profile',
      state: 'the-state',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })
    await page.goto(redirectUri.origin)
    const opened = page.waitForEvent('popup')
    await page.evaluate((url) => {
      Object.assign(window, { popup: window.open(url, 'sign-in', 'popup') })
    }, `${sandbox.url}/oauth/authorize?${query}`)
    const popup = await opened
    await popup.getByRole('button', { name: /alice@/ }).click()
    await popup.getByRole('button', { name: 'Allow' }).click()
    await popup.waitForURL((url) => url.searchParams.get('state') === 'the-state')
    expect(new URL(popup.url()).searchParams.get('code')).toBeTruthy()
    expect(await popup.evaluate(() => window.opener === null)).toBe(true)
    const isClosed = () =>
      page.evaluate(() => (window as unknown as { popup: Window }).popup.closed)
    expect(await isClosed()).toBe(true)
  } finally {
    site.closeAllConnections()
    site.close()
  }
})

test('a page of a Chrome extension calls the Hub once its origin is allowed', async ({
  launchOptions,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'hub-sandbox-extension-'))
  await writeFile(
    join(folder, 'manifest.json'),
    JSON.stringify({
      manifest_version: 3,
      name: 'An app',
      version: '1',
      background: { service_worker: 'worker.js' },
    }),
  )
  await writeFile(join(folder, 'worker.js'), '')
  await writeFile(join(folder, 'page.html'), '<title>An app</title>')
  const context = await chromium.launchPersistentContext('', {
    ...launchOptions,
    args: [
      ...(launchOptions.args ?? []),
      `--disable-extensions-except=${folder}`,
      `--load-extension=${folder}`,
    ],
  })
  try {
    const [worker] = context.serviceWorkers()
    // A browser without extensions, such as the headless shell, never starts it.
    const started = () =>
      context.waitForEvent('serviceworker', { timeout: 20_000 }).catch(() => undefined)
    const url = (worker ?? (await started()))?.url()
    test.skip(url === undefined, 'this browser loads no extensions')
    const origin = new URL('/', url).href.replace(/\/$/, '')
    const page = await context.newPage()
    await page.goto(`${origin}/page.html`)
    const ask = (sandboxUrl: string) =>
      page.evaluate(async (hub) => {
        const headers = { authorization: 'Bearer hf_sandbox_alice' }
        return fetch(`${hub}/api/whoami-v2`, { headers }).then(
          async (answer) => ((await answer.json()) as { name: string }).name,
          () => 'refused',
        )
      }, sandboxUrl)

    for (const [allowOrigin, name] of [
      [[], 'refused'],
      [[origin], 'alice'],
    ] as const) {
      const sandbox = await startSandbox({ allowOrigin })
      expect(await ask(sandbox.url)).toBe(name)
      await sandbox.close()
    }
  } finally {
    await context.close()
    await rm(folder, { recursive: true })
  }
})
