import { expect, test } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

test.use({ sandboxOptions: { controlToken: 'open-sesame' } })

test('the printed URL opens a working dashboard', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(sandbox.dashboardUrl)
  await expect(dashboard.heading('Home')).toBeVisible()
  await expect(page.locator('[data-live="open"]')).toBeVisible()
  expect(page.url()).not.toContain('open-sesame')

  await dashboard.open('/people')
  await sandbox.control('POST', 'users', { username: 'zoe' })
  await expect(dashboard.table('Users').filter({ hasText: 'zoe' })).toBeVisible()
  await dashboard.open('/tokens')
  await dashboard.button('Create token').click()
  await dashboard.dialog().getByRole('button', { name: 'Create token' }).click()
  await expect(dashboard.dialog().getByLabel('Token response')).toContainText('access_token')
  expect(complaints).toEqual([])
})

test('a link on a page of another site opens the dashboard', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  const links = `<a href="${sandbox.dashboardUrl}">First</a><a href="${sandbox.url}/_sandbox/deliveries">Later</a>`
  await page.route('http://chat.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: links }),
  )
  for (const [link, heading] of [
    ['First', 'Home'],
    ['Later', 'Deliveries'],
  ] as const) {
    await page.goto('http://chat.example/')
    await page.getByRole('link', { name: link }).click()
    await expect(dashboard.heading(heading)).toBeVisible()
    await expect(page.locator('[data-live="open"]')).toBeVisible()
  }
})

test('without the token nothing opens, and the page explains what to do', async ({
  page,
  sandbox,
}) => {
  for (const path of ['/', '/deliveries', '/?token=wrong']) {
    const answer = await page.goto(`${sandbox.url}/_sandbox${path}`)
    expect(answer?.status()).toBe(401)
    await expect(page.getByRole('heading', { name: 'requires a token' })).toBeVisible()
    await expect(page.getByText('that the sandbox printed when it started')).toBeVisible()
  }
})

test('a dashboard with an outdated token says so', async ({ page, sandbox, context }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  let cut = (): unknown => undefined
  await page.routeWebSocket(/\/_sandbox\/live/, (socket) => {
    cut = () => socket.close()
    socket.connectToServer()
  })
  await page.goto(sandbox.dashboardUrl)
  await expect(page.locator('[data-live="open"]')).toBeVisible()

  const cookies = await context.cookies()
  await context.clearCookies()
  cut()
  await expect(page.getByText('requires its control token')).toBeVisible()

  await context.addCookies(cookies)
  // It tries again by itself, too, and may be first: then there is no button any more.
  await expect(async () => {
    const again = dashboard.button('Retry now')
    if (await again.isVisible()) await again.click({ timeout: 1000 })
    await expect(page.getByText('requires its control token')).toBeHidden({ timeout: 1000 })
  }).toPass()
  await expect(page.locator('[data-live="open"]')).toBeVisible()
})
