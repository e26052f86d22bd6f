import { expect, test } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

test('pages of the Hub link to their dashboard pages', async ({ page, sandbox }) => {
  const places = {
    '/': 'Home',
    '/settings/applications': 'Apps',
    '/settings/connected-applications': 'Consents',
    '/settings/tokens': 'Tokens',
    '/settings/webhooks': 'Webhooks',
    '/organizations/acme/settings/audit-log': 'Audit log of acme',
  }
  const dashboard = new Dashboard(page, sandbox.url)
  for (const [path, heading] of Object.entries(places)) {
    await page.goto(`${sandbox.url}${path}`)
    await expect(dashboard.heading(heading)).toBeVisible()
  }
})

test('the navigation has seven places; Ctrl and a digit opens each', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/')
  const places = page.getByRole('navigation', { name: 'Places' }).getByRole('link')
  const firstPages = {
    Home: 'Home',
    'Sign-ins': 'Sign-ins',
    Webhooks: 'Deliveries',
    Apps: 'Apps',
    'Hub data': 'Repos',
    Tests: 'Findings',
    Requests: 'Requests',
  }
  await expect(places).toHaveText(Object.keys(firstPages))
  for (const [index, [name, heading]] of Object.entries(firstPages).entries()) {
    await page.keyboard.press(`Control+${index + 1}`)
    await expect(dashboard.heading(heading)).toBeVisible()
    await expect(places.filter({ hasText: name })).toHaveAttribute('aria-current', 'page')
  }
})

test('a page of something that nobody uses is behind “More…” until it is used', async ({
  page,
  sandbox,
}) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/apps')
  const pages = page.getByRole('navigation', { name: 'Pages of Apps' })
  await expect(pages.getByRole('link')).toHaveText(['All apps', 'MCP & agents'])
  await pages.getByRole('button', { name: 'More…' }).click()
  await page.getByRole('menuitem', { name: 'Trusted publishers' }).click()
  await expect(dashboard.heading('Trusted publishers')).toBeVisible()
  await expect(pages.getByRole('link', { name: 'Trusted publishers' })).toHaveAttribute(
    'aria-current',
    'page',
  )
  await dashboard.go('/apps')
  await expect(pages.getByRole('link')).toHaveCount(2)
  await sandbox.control('POST', 'space-frames', { target: 'http://localhost:9/' })
  await expect(pages.getByRole('link')).toHaveText(['All apps', 'MCP & agents', 'Space frames'])
})

test('former addresses lead to the pages of today, with their queries', async ({
  page,
  sandbox,
}) => {
  const dashboard = new Dashboard(page, sandbox.url)
  for (const [from, to] of [
    ['/overview', '/'],
    ['/checks?ignored=1', '/findings?ignored=1'],
    ['/checks/rules/token/unknown', '/findings/rules/token/unknown'],
    ['/connected', '/consents'],
  ]) {
    await dashboard.open(`${from}`)
    await expect(page).toHaveURL(`${dashboard.url}${to}`)
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Not found')
  }
})

test('a page opened for the first time appears with the click', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/')
  await page.waitForLoadState('networkidle')
  const names = { 'Hub data': 'Repos', 'Sign-ins': 'Sign-ins', Tokens: 'Tokens', Apps: 'Apps' }
  for (const [name, title] of Object.entries(names)) {
    const link = page.getByRole('navigation').getByRole('link', { name, exact: true })
    const heading = await link.evaluate(async (element: HTMLElement) => {
      element.click()
      for (const _ of ['drawn', 'shown']) await new Promise(requestAnimationFrame)
      return document.querySelector('main h1')?.textContent
    })
    expect(heading).toBe(title)
  }
})

test('a token is created, expires by the sandbox clock, and is revoked', async ({
  page,
  sandbox,
}) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/tokens')
  await dashboard.button('Create token').click()
  const dialog = dashboard.dialog('Create token')
  await dialog.getByLabel('Lifetime (seconds)').fill('3600')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const answer = JSON.parse(await dialog.getByLabel('Token response').innerText()) as {
    access_token: string
  }
  await dialog.getByRole('button', { name: 'Close' }).first().click()

  const whoami = () =>
    fetch(`${sandbox.url}/api/whoami-v2`, {
      headers: { authorization: `Bearer ${answer.access_token}` },
    })
  expect((await whoami()).status).toBe(200)
  const row = dashboard
    .table('Tokens')
    .filter({ has: page.getByRole('button', { name: `Copy Token ${answer.access_token}` }) })
  await expect(row).toContainText(/59m|1h/)

  await sandbox.clock.advance('2h')
  await expect(row).toContainText('expired')

  await sandbox.clock.set(new Date())
  await expect(row).toContainText(/59m|1h/)
  await row.getByRole('button', { name: /Revoke/ }).click()
  await dashboard.button('Revoke token').click()
  await expect(row).toContainText('revoked')
  expect((await whoami()).status).toBe(401)
})

test('a webhook is created; mistakes are reported beside their fields', async ({
  page,
  sandbox,
}) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await page.goto(`${sandbox.url}/_sandbox/webhooks?url=http%3A%2F%2Flocalhost%3A3000%2Fhook`)
  const dialog = dashboard.dialog('Create webhook')
  await expect(dialog.getByRole('textbox', { name: 'URL' })).toHaveValue(
    'http://localhost:3000/hook',
  )
  await dialog.getByRole('textbox', { name: 'URL' }).fill('ftp://localhost/hook')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()

  await dialog.getByRole('textbox', { name: 'URL' }).fill('http://localhost:3000/hook')
  await dialog.getByRole('textbox', { name: 'Name' }).first().fill('retrain')
  await dialog.getByRole('button', { name: 'Create' }).click()
  const row = dashboard.table('Webhooks').filter({ hasText: 'retrain' })
  await expect(row).toBeVisible()

  await page.getByRole('switch', { name: 'retrain enabled' }).click()
  await expect(row).toContainText('disabled')
})

test('an event is triggered by keyboard alone', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/')
  await page.keyboard.press('t')
  const dialog = dashboard.dialog('Trigger an event')
  await expect(dialog.getByRole('combobox', { name: /push/ })).toBeFocused()
  await page.keyboard.type('pull request open')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Apply' }).last()).toBeFocused()
  await page.keyboard.press('Enter')

  await expect(dashboard.heading('Deliveries')).toBeVisible()
  const { items } = await sandbox.control<{ items: { discussions: number }[] }>('GET', 'repos')
  expect(items.some(({ discussions }) => discussions > 0)).toBe(true)
})

test('the palette offers commands of the desktop app only there', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('option', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'Open fixtures…' })).toHaveCount(0)

  await page.addInitScript(() => {
    const asked: string[] = []
    Object.assign(globalThis, {
      asked,
      hubSandboxDesktop: {
        openFixtures: async () => void asked.push('fixtures'),
        showDataFolder: async () => {
          throw new Error('the state is kept in memory only')
        },
        onGoTo: () => () => undefined,
      },
    })
  })
  await dashboard.open('/')
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'Open fixtures…' }).click()
  await expect(dashboard.dialog('Command palette')).toBeHidden()
  const asked = await page.evaluate(() => (globalThis as unknown as { asked: string[] }).asked)
  expect(asked).toEqual(['fixtures'])
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'Show data folder' }).click()
  await expect(page.getByRole('alert')).toContainText('kept in memory only')
})

test('an app is registered, edited and loses its secret', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/apps')
  await dashboard.button('Register app').click()
  await dashboard.button('With a secret').click()
  await page.getByLabel('Name').fill('My app')
  await dashboard.button('Register').click()

  await page.getByRole('tab', { name: 'Settings' }).click()
  const settings = page.getByRole('tabpanel', { name: 'Settings' })
  await settings.getByLabel('Redirect URIs').fill('http://localhost:4000/back')
  await settings.getByLabel('Scopes').fill('openid offline_access')
  await settings.getByRole('button', { name: 'Remove secret' }).click()
  await dashboard.button('Remove secret').click()
  await expect(settings.getByText('public, uses PKCE')).toBeVisible()
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('App saved. Unknown scope offline_access: left out.')).toBeVisible()

  const { items } = await sandbox.control<{
    items: { name: string; public: boolean; redirectUris: string[]; scopes: string[] }[]
  }>('GET', 'apps')
  expect(items.find(({ name }) => name === 'My app')).toMatchObject({
    public: true,
    scopes: ['openid'],
    redirectUris: ['http://localhost:4000/back'],
  })
})

test('a refused request shows the reason', async ({ page, sandbox }) => {
  await fetch(`${sandbox.url}/api/whoami-v2`, { headers: { authorization: 'Bearer hf_nobody' } })
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/requests?q=is:refused')
  const row = dashboard.table('Requests').filter({ hasText: '/api/whoami-v2' })
  await expect(row).toContainText('401')
  await row.getByRole('button').click()
  await expect(dashboard.requestPanel.getByText('no such token')).toBeVisible()
})

test('the theme is selected and remembered', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await page.emulateMedia({ colorScheme: 'light' })
  await dashboard.open('/')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await dashboard.button('Dark').click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await dashboard.button('System').click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
})

test('a reset is visible on every page at once', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await sandbox.control('POST', 'users', { username: 'zoe' })
  await dashboard.open('/people')
  await expect(dashboard.table('Users').filter({ hasText: 'zoe' })).toBeVisible()
  await sandbox.reset()
  await expect(dashboard.table('Users').filter({ hasText: 'zoe' })).toBeHidden()
  await expect(dashboard.table('Users').filter({ hasText: 'alice' })).toBeVisible()
})

test('the page of a receiver links to a prefilled form', async ({ page, sandbox }) => {
  const receiver = 'http://localhost:7860/webhooks/events'
  await page.goto(`${sandbox.url}/settings/webhooks?url=${encodeURIComponent(receiver)}`)
  const dialog = new Dashboard(page, sandbox.url).dialog('Create webhook')
  await expect(dialog.getByRole('textbox', { name: 'URL' })).toHaveValue(receiver)
})

test('each token shows its last characters', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  const { access_token: token } = await sandbox.control<{ access_token: string }>(
    'POST',
    'tokens',
    { user: 'bob' },
  )
  await dashboard.open('/tokens')
  const shown = dashboard.button(`Copy Token ${token}`).getByText(token.slice(-4))
  await expect(shown).toBeVisible()
  expect(await shown.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0)
})

test('a confirmation covers the form behind it, and Delete is not focused', async ({
  page,
  sandbox,
}) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/repos')
  await page.getByRole('button', { name: 'alice/tiny-sentiment' }).click()
  const form = dashboard.dialog('alice/tiny-sentiment')
  const remove = form.getByRole('button', { name: 'Delete' })
  await expect(remove).toBeVisible()
  await expect(remove).not.toBeFocused()
  const { x = 0, y = 0 } = (await form.boundingBox()) ?? {}
  const isFormOnTop = () =>
    page.evaluate(
      (at) => document.elementFromPoint(at.x, at.y)?.closest('[role="dialog"]') !== null,
      { x: x + 10, y: y + 10 },
    )
  expect(await isFormOnTop()).toBe(true)
  await remove.click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  expect(await isFormOnTop()).toBe(false)
})
