import type { FlowList } from '../../server/contract/control-requests.ts'
import type { Sandbox } from '../../server/index.ts'
import { expect, test } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'
import { startServerApp } from './pages/server-app.ts'

test('an app signs in with its secret, loses it, and signs in with PKCE', async ({
  page,
  sandbox,
  context,
}) => {
  const app = await startServerApp(sandbox.url)
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/apps')
  await dashboard.button('Register app').click()
  await dashboard.button('With a secret').click()
  await page.getByLabel('Name').fill('Team board')
  await page.getByLabel('Redirect URIs').fill(app.redirectUri)
  await page.getByLabel('Scopes').fill('openid profile')
  await dashboard.button('Register').click()

  await expect(dashboard.heading('Team board')).toBeVisible()
  await page.getByRole('tab', { name: 'Settings' }).click()
  const settings = page.getByRole('tabpanel', { name: 'Settings' })
  const copied = async (what: string) =>
    (await settings
      .getByRole('button', { name: `Copy ${what}` })
      .getAttribute('aria-label'))!.slice(`Copy ${what} `.length)
  const clientId = await copied('Client ID')
  const clientSecret = await copied('Secret')

  const browser = await context.newPage()
  app.register({ clientId, clientSecret })
  await browser.goto(app.url)
  await browser.getByRole('button', { name: /alice@/ }).click()
  await expect(browser.getByRole('heading', { name: 'Allow Team board' })).toBeVisible()
  await browser.getByRole('button', { name: 'Allow' }).click()
  await expect(browser.getByRole('status')).toHaveText('Hello alice')

  await settings.getByRole('button', { name: 'Remove secret' }).click()
  await dashboard.button('Remove secret').click()
  await expect(settings.getByText('public, uses PKCE')).toBeVisible()
  await browser.goto(app.url)
  await expect(browser.getByRole('status')).toHaveText('401 invalid_client')

  app.register({ clientId })
  await browser.goto(app.url)
  await expect(browser.getByRole('status')).toHaveText('Hello alice')
  await app.close()
})

/** Sends an authorization request as an app would; the browser is not signed in. */
async function requestSignIn(
  sandbox: Sandbox,
  clientId: string,
  redirectUri: string,
  scope = 'openid',
): Promise<void> {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
  })
  await fetch(`${sandbox.url}/oauth/authorize?${query.toString()}`, { redirect: 'manual' })
}

const appOf = (sandbox: Sandbox, kind: 'public' | 'secret') => {
  const app = sandbox.fixtures.apps.find(
    ({ clientSecret }) => (clientSecret === undefined) === (kind === 'public'),
  )
  if (app === undefined) throw new Error(`the fixtures have no ${kind} app`)
  return app
}

async function newestFlow(sandbox: Sandbox): Promise<string> {
  const { items } = await sandbox.control<FlowList>('GET', 'flows')
  return items[0]?.id ?? ''
}

test.describe('the Connect tab', () => {
  test('is where a registration ends, with the values of the app', async ({ page, sandbox }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const dashboard = new Dashboard(page, sandbox.url)
    await dashboard.open('/apps?new')
    await dashboard.button('With a secret').click()
    await page.getByLabel('Name').fill('Mine')
    await dashboard.button('Register').click()
    await expect(page.getByRole('tab', { name: 'Connect', selected: true })).toBeVisible()
    const { items } = await sandbox.control<{
      items: { name: string; clientId: string; clientSecret: string }[]
    }>('GET', 'apps')
    const app = items.find(({ name }) => name === 'Mine')

    const environment = page.getByLabel('.env', { exact: true })
    await expect(environment).toContainText(`OPENID_PROVIDER_URL=${sandbox.url}`)
    await expect(environment).toContainText(`OAUTH_CLIENT_ID=${app?.clientId}`)
    await expect(environment).not.toContainText(app?.clientSecret ?? '')
    await dashboard.button('Copy .env').click()
    await expect(page.getByText('.env copied')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      `OAUTH_CLIENT_SECRET=${app?.clientSecret}`,
    )
    await dashboard.button('Reveal secret').click()
    await expect(environment).toContainText(`OAUTH_CLIENT_SECRET=${app?.clientSecret}`)
  })

  test('remembers the framework, also for another app', async ({ page, sandbox }) => {
    const dashboard = new Dashboard(page, sandbox.url)
    await dashboard.open(`/apps/${appOf(sandbox, 'secret').clientId}`)
    await dashboard.button('FastAPI').click()
    await expect(page.getByLabel('app.py')).toContainText('from fastapi import FastAPI')
    await dashboard.open(`/apps/${appOf(sandbox, 'public').clientId}`)
    await expect(page.getByLabel('app.py')).toContainText('from fastapi import FastAPI')
    await expect(page.getByLabel('.env', { exact: true })).not.toContainText('OAUTH_CLIENT_SECRET')
    await expect(dashboard.button('Reveal secret')).toHaveCount(0)
  })

  test('adds the redirect URI of the framework', async ({ page, sandbox }) => {
    const { clientId, redirectUris } = appOf(sandbox, 'public')
    const dashboard = new Dashboard(page, sandbox.url)
    await dashboard.open(`/apps/${clientId}`)
    await dashboard.button('Passport').click()
    await expect(page.getByText('Not registered: its path differs')).toBeVisible()
    await dashboard.button('Add redirect URI').click()
    await expect(page.getByText('registered', { exact: true })).toBeVisible()
    const app = await sandbox.control<{ redirectUris: string[] }>('GET', `apps/${clientId}`)
    expect(app.redirectUris).toEqual([
      ...(redirectUris ?? []),
      'http://localhost:3000/auth/huggingface/callback',
    ])
  })

  test('names a framework that the app cannot use', async ({ page, sandbox }) => {
    const dashboard = new Dashboard(page, sandbox.url)
    await dashboard.open(`/apps/${appOf(sandbox, 'secret').clientId}`)
    await dashboard.button('huggingface.js').click()
    await expect(page.getByText('huggingface.js cannot sign in as this app')).toBeVisible()
  })

  test('shows the first request when it arrives, and leads to it', async ({ page, sandbox }) => {
    const { clientId } = appOf(sandbox, 'public')
    const dashboard = new Dashboard(page, sandbox.url)
    await dashboard.open(`/apps/${clientId}`)
    await expect(page.getByText('Listening for the first request of this app…')).toBeVisible()
    await requestSignIn(sandbox, appOf(sandbox, 'secret').clientId, 'http://localhost/callback')
    await requestSignIn(sandbox, clientId, 'http://localhost:5000/callback')
    const first = page.getByRole('link', { name: /First request at \d\d:\d\d:\d\d/ })
    await expect(first).toHaveAttribute('href', `/_sandbox/sign-ins/${await newestFlow(sandbox)}`)
    await first.click()
    await expect(page.getByRole('heading', { name: 'Browser sign-in' })).toBeVisible()
  })
})

test('the sign-ins of an app have their pass rate and lead to their drawings', async ({
  page,
  sandbox,
}) => {
  const { clientId } = appOf(sandbox, 'public')
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open(`/apps/${clientId}?tab=sign-ins`)
  await expect(page.getByText('No sign-ins of this app yet')).toBeVisible()
  await requestSignIn(sandbox, clientId, 'http://localhost:5000/wrong')
  const refused = await newestFlow(sandbox)
  await sandbox.control('POST', 'authorize', {
    client_id: clientId,
    redirect_uri: 'http://localhost:5000/callback',
    response_type: 'code',
    scope: 'openid',
    user: 'alice',
    decision: 'deny',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  await requestSignIn(sandbox, appOf(sandbox, 'secret').clientId, 'http://localhost/callback')
  await expect(page.getByRole('tab', { name: 'Sign-ins' })).toHaveText('Sign-ins2')
  await expect(page.getByText('0 % passed')).toBeVisible()
  await expect(page.getByText('0 of 1 sign-ins')).toBeVisible()
  await expect(page.getByText('1 denied')).toBeVisible()
  await dashboard.table('Sign-ins').filter({ hasText: 'invalid_redirect_uri' }).click()
  await expect(page).toHaveURL(`${dashboard.url}/sign-ins/${refused}`)
})

test.describe('a refused sign-in leads to the setting', () => {
  test('of its redirect URI, with the new one typed in', async ({ page, sandbox }) => {
    const { clientId } = appOf(sandbox, 'public')
    const wrong = 'http://localhost:5000/wrong'
    await requestSignIn(sandbox, clientId, wrong)
    const dashboard = new Dashboard(page, sandbox.url)
    await dashboard.open(`/sign-ins/${await newestFlow(sandbox)}`)
    await page.getByRole('link', { name: 'Edit the redirect URIs of the app' }).click()
    const field = page.getByLabel('Redirect URIs')
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveAccessibleDescription(/Refused/)
    await expect(field).toHaveValue(new RegExp(`\n${wrong}$`))
    // Nothing has changed yet: a page that sent the request cannot change the app.
    const uris = async () =>
      (await sandbox.control<{ redirectUris: string[] }>('GET', `apps/${clientId}`)).redirectUris
    expect(await uris()).not.toContain(wrong)
    await dashboard.button('Save').click()
    await expect(page.getByText('App saved')).toBeVisible()
    expect(await uris()).toContain(wrong)
    await expect(field).not.toHaveAttribute('aria-invalid')
    await expect(page).toHaveURL(`${dashboard.url}/apps/${clientId}?tab=settings`)
  })

  test('of its secret', async ({ page, sandbox }) => {
    const { clientId } = appOf(sandbox, 'secret')
    await fetch(`${sandbox.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: 'x',
        client_id: clientId,
        client_secret: 'another',
        redirect_uri: 'http://localhost/callback',
      }),
    })
    const dashboard = new Dashboard(page, sandbox.url)
    await dashboard.open(`/sign-ins/${await newestFlow(sandbox)}`)
    await page.getByRole('link', { name: 'Show the secret of the app' }).click()
    await expect(page.getByRole('alert')).toHaveText(/Copy this secret into its settings/)
  })
})

test('settings that are typed stay while another tab is open', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open(`/apps/${appOf(sandbox, 'public').clientId}?tab=settings`)
  await page.getByLabel('Name').fill('Half typed')
  await page.getByRole('tab', { name: 'Connect' }).click()
  await page.getByRole('tab', { name: 'Settings' }).click()
  await expect(page.getByLabel('Name')).toHaveValue('Half typed')
})
