import { startAuditedApp } from '../helpers/audited-app.ts'
import { startShownReceiver } from '../helpers/receivers.ts'
import { expect, test } from './fixtures.ts'
import { brokenRules } from './pages/accessibility.ts'
import { findClipped } from './pages/clipped.ts'
import { Dashboard } from './pages/dashboard.ts'

const looks = [
  { width: 1440, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const

test('an audit by hand goes from its start to the report', async ({
  page,
  sandbox,
  context,
}, info) => {
  test.slow()
  const app = await startAuditedApp(sandbox)
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open(`/apps/${app.clientId}?tab=audit`)
  await expect(page.getByRole('heading', { name: 'Audit this app' })).toBeVisible()
  expect(await brokenRules(page)).toEqual([])
  await dashboard.button('Start audit').click()

  const waiting = page.getByText(/^Sign in to Audited as \w+, in a fresh browser session\.$/)
  await expect(waiting).toBeVisible()
  const banner = page.getByRole('region', { name: 'Running audit' })
  await expect(banner).toContainText('An audit gives Audited wrong responses on purpose.')
  expect(await brokenRules(page)).toEqual([])
  await page.screenshot({ path: info.outputPath('waiting.png') })

  // A person signs in; the audit notices without a button.
  async function signIn() {
    const login = await fetch(app.start, { redirect: 'manual' })
    const callback = await sandbox.authorize(login.headers.get('location'))
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
    await fetch(callback, { headers: { cookie } })
  }
  const first = page.getByRole('article', { name: 'id-token/garbage' })
  await signIn()
  await expect(page.getByRole('button', { name: 'Skip' })).toBeVisible()
  await signIn()
  await expect(first).toContainText('failed')

  // The banner is on other pages, too, and leads back.
  await dashboard.go('/requests')
  await banner.getByRole('link', { name: 'Show audit' }).click()
  await dashboard.button('Skip').click()
  await dashboard.button('Stop audit').click()
  await expect(page.getByText(/^Stopped · /)).toBeVisible()
  await expect(banner).toBeHidden()
  await expect(first).toContainText('Fix:')
  expect(await sandbox.faults.list()).toEqual([])

  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await brokenRules(page)).toEqual([])
    expect(await findClipped(page)).toEqual([])
    await page.screenshot({ path: info.outputPath(`report-${width}-${colorScheme}.png`) })
  }
  await context.close()
  app.close()
})

test('an audit in the browser of the sandbox names what keeps it from judging', async ({
  page,
  sandbox,
}) => {
  const app = await startAuditedApp(sandbox)
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open(`/apps/${app.clientId}?tab=audit`)
  await page.getByLabel('URL that starts a sign-in').fill('localhost:3000')
  await dashboard.button('Start audit').click()
  await expect(
    page.getByText('localhost:3000 is not a URL: use http:// or https://.'),
  ).toBeVisible()
  await page.getByLabel('URL that starts a sign-in').fill(app.signedIn)
  await dashboard.button('Start audit').click()
  await expect(page.getByRole('alert')).toContainText('without a redirect to the hub')
  await expect(page.getByText(/^Could not judge · /)).toBeVisible()
  await expect(dashboard.button('Start audit')).toBeEnabled()
  app.close()
})

test('the receiver of a webhook is audited from its menu, start to report', async ({
  page,
  sandbox,
}) => {
  test.slow()
  const receiver = await startShownReceiver()
  await sandbox.control('POST', 'webhooks', {
    owner: 'alice',
    name: 'Audited receiver',
    url: `${receiver.url}/webhooks/retrain`,
    secret: 'a secret',
    watched: [{ type: 'org', name: 'acme' }],
  })
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/webhooks')
  await page.getByRole('button', { name: 'More for Audited receiver' }).click()
  await page.getByRole('menuitem', { name: 'Audit this receiver' }).click()
  const dialog = page.getByRole('dialog', { name: 'Audit this receiver' })
  await dialog.getByRole('button', { name: 'Start audit' }).click()
  await expect(dialog.getByText(/^Finished · 14 of 14/)).toBeVisible({ timeout: 60_000 })
  await expect(dialog.getByRole('article', { name: 'secret/missing' })).toContainText('passed')
  expect(await brokenRules(page)).toEqual([])
  expect(await page.content()).not.toContain('a secret')
  await receiver.close()
})
