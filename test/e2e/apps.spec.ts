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

  const dialog = dashboard.dialog('Team board')
  const copied = async (what: string) =>
    (await dialog.getByRole('button', { name: `Copy ${what}` }).getAttribute('aria-label'))!.slice(
      `Copy ${what} `.length,
    )
  const clientId = await copied('Client ID')
  const clientSecret = await copied('Secret')

  const browser = await context.newPage()
  app.register({ clientId, clientSecret })
  await browser.goto(app.url)
  await browser.getByRole('button', { name: /alice@/ }).click()
  await expect(browser.getByRole('heading', { name: 'Allow Team board' })).toBeVisible()
  await browser.getByRole('button', { name: 'Allow' }).click()
  await expect(browser.getByRole('status')).toHaveText('Hello alice')

  await dialog.getByRole('button', { name: 'Remove secret' }).click()
  await dashboard.button('Remove secret').click()
  await expect(dialog.getByText('public, uses PKCE')).toBeVisible()
  await browser.goto(app.url)
  await expect(browser.getByRole('status')).toHaveText('401 invalid_client')

  app.register({ clientId })
  await browser.goto(app.url)
  await expect(browser.getByRole('status')).toHaveText('Hello alice')
  await app.close()
})
