import { readFileSync } from 'node:fs'
import type { Sandbox } from '../../server/index.ts'
import { startAuditedApp } from '../helpers/audited-app.ts'
import { createTestReceiver, startShownReceiver } from '../helpers/receivers.ts'
import { serveFunctions } from '../../server/client/serve-functions.ts'
import type { Page } from '@playwright/test'
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
  await dashboard.open(`/apps/${app.clientId}?tab=tests`)
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
  await first.getByRole('link', { name: 'Open request' }).click()
  await expect(dashboard.requestPanel).toContainText('/oauth/userinfo')
  await page.goBack()

  const saved = page.waitForEvent('download')
  await dashboard.button('Export').click()
  await page.getByRole('menuitem', { name: 'Markdown, for a job summary' }).click()
  const report = readFileSync(await (await saved).path(), 'utf8')
  expect(report).toContain('id-token/garbage')
  await expect(page.getByRole('menu')).toHaveCount(0)

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
  await dashboard.open(`/apps/${app.clientId}?tab=tests`)
  await page.getByLabel('URL that starts a sign-in').fill('localhost:3000')
  await dashboard.button('Start audit').click()
  await expect(
    page.getByText('localhost:3000 is not a URL: use http:// or https://.'),
  ).toBeVisible()
  await page.getByLabel('URL that starts a sign-in').fill(app.signedIn)
  await dashboard.button('Start audit').click()
  await expect(page.getByRole('alert')).toContainText('without a redirect to the Hub')
  await expect(page.getByText(/^Could not judge · /)).toBeVisible()
  await expect(dashboard.button('Start audit')).toBeEnabled()
  // The next audit often has the same fields.
  await expect(page.getByLabel('URL that starts a sign-in')).toHaveValue(app.signedIn)
  app.close()
})

/** Opens the audit of a receiver from the menu of its webhook. */
async function openAudit(page: Page, sandbox: Sandbox, url: string) {
  await sandbox.control('POST', 'webhooks', {
    owner: 'alice',
    name: 'Audited receiver',
    url: `${url}/webhooks/retrain`,
    secret: 'a secret',
    watched: [{ type: 'org', name: 'acme' }],
  })
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/webhooks')
  await page.getByRole('button', { name: 'More for Audited receiver' }).click()
  await page.getByRole('menuitem', { name: 'Audit this receiver' }).click()
  return { dashboard, dialog: page.getByRole('dialog', { name: 'Audit this receiver' }) }
}

/** A receiver that counts its work, and does that of a delivery as often as it arrives. */
async function startForgetful() {
  const { receive, effects } = createTestReceiver(['no-dedupe'], {
    secret: 'a secret',
    path: '/webhooks/retrain',
  })
  return serveFunctions({
    receive: async (request) =>
      new URL(request.url).pathname === '/count'
        ? new Response(String(effects()))
        : receive(request),
  })
}

test('a storm shows work that was done twice, and replays the order by its seed', async ({
  page,
  sandbox,
}, info) => {
  test.slow()
  const receiver = await startForgetful()
  const { dashboard, dialog } = await openAudit(page, sandbox, receiver.url)
  await dashboard.choose(dialog.getByLabel('Plan'), 'Storm')
  await dialog.getByLabel('Orders', { exact: true }).fill('2')
  await dialog.getByLabel('Events in each order').fill('20')
  await dialog.getByLabel('Effects').fill(`${receiver.url}/count`)
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await findClipped(page)).toEqual([])
    await page.screenshot({ path: info.outputPath(`storm-${width}-${colorScheme}.png`) })
  }
  await dialog.getByRole('button', { name: 'Start audit' }).click()
  await expect(dialog.getByRole('heading', { name: 'Storm' })).toBeVisible()
  const once = dialog.getByRole('article', { name: 'storm/once' })
  await expect(once).toContainText('handled events twice', { timeout: 60_000 })
  const seed = /with the seed (\S+)\.$/m.exec(await once.innerText())?.[1] ?? ''
  expect(seed).not.toBe('')

  await dialog.getByLabel('Orders', { exact: true }).fill('')
  await dialog.getByLabel('Seed').fill(seed)
  await dialog.getByRole('button', { name: 'Start audit' }).click()
  await expect(dialog.getByText(/^Finished · 3 of 3/)).toBeVisible({ timeout: 60_000 })
  await expect(once).toContainText(`with the seed ${seed}.`)
  await receiver.close()
})

test('the receiver of a webhook is audited from its menu, start to report', async ({
  page,
  sandbox,
}, info) => {
  test.slow()
  const receiver = await startShownReceiver()
  const { dashboard, dialog } = await openAudit(page, sandbox, receiver.url)
  await dashboard.choose(dialog.getByLabel('Event'), 'discussion.comment.create')
  await dialog.getByLabel('Effects').fill('localhost:8000/count')
  await dialog.getByRole('button', { name: 'Start audit' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(/^Invalid URL: use one that starts with/)
  await dialog.getByLabel('Effects').fill(`${receiver.url}/count`)
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await brokenRules(page)).toEqual([])
    expect(await findClipped(page)).toEqual([])
    await page.screenshot({ path: info.outputPath(`dialog-${width}-${colorScheme}.png`) })
  }
  await dialog.getByRole('button', { name: 'Start audit' }).click()
  await expect(dialog.getByText(/^Finished · 14 of 14/)).toBeVisible({ timeout: 60_000 })
  await expect(dialog.getByRole('article', { name: 'secret/missing' })).toContainText('passed')
  // Judged by the effects.
  await expect(dialog.getByRole('article', { name: 'again/same' })).toContainText('passed')
  expect(await brokenRules(page)).toEqual([])
  expect(await page.content()).not.toContain('a secret')
  for (const [format, name] of [
    ['Text', 'hub-sandbox-audit.txt'],
    ['JSON', 'hub-sandbox-audit.json'],
    ['SARIF, for code scanning', 'hub-sandbox-audit.sarif'],
    ['JUnit', 'hub-sandbox-audit.xml'],
    ['Markdown, for a job summary', 'hub-sandbox-audit.md'],
  ] as const) {
    const saved = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: format, exact: true }).click()
    const download = await saved
    expect(download.suggestedFilename()).toBe(name)
    const report = readFileSync(await download.path(), 'utf8')
    // What a person reads names only the modules that did not pass.
    expect(report).toMatch(/14 modules: 14 passed\.|secret\/missing/)
    expect(report).not.toContain('a secret')
  }
  await receiver.close()
})

test('an attempt of an audit opens from its verdict, and counts in no chart', async ({
  page,
  sandbox,
}, info) => {
  test.slow()
  const receiver = await startForgetful()
  const { dashboard, dialog } = await openAudit(page, sandbox, receiver.url)
  await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
  await sandbox.idle()
  await dialog.getByLabel('Effects').fill(`${receiver.url}/count`)
  await dialog.getByRole('button', { name: 'Start audit' }).click()
  await expect(dialog.getByText(/^Finished · /)).toBeVisible({ timeout: 60_000 })
  const verdict = dialog.getByRole('article', { name: 'again/same' })
  await verdict.getByRole('link', { name: 'Open attempt' }).first().click()

  const delivery = page.getByRole('article', { name: 'Delivery', exact: true })
  await expect(delivery).toContainText('Audit: again/same')
  await expect(delivery.getByRole('button', { name: /^Replay/ })).toBeDisabled()
  await delivery.getByRole('tab', { name: 'Request' }).click()
  await expect(delivery).toContainText('updatedRefs')
  await delivery.getByRole('tab', { name: 'Related' }).click()
  await expect(delivery).toContainText('counts nowhere')

  const grid = page.getByRole('grid', { name: 'Deliveries' })
  const count = () => grid.getAttribute('aria-rowcount').then(Number)
  await expect.poll(count).toBeGreaterThan(50)
  const chart = page.getByRole('figure', { name: /^1 delivery over time: 1 succeeded/ })
  await expect(chart).toBeVisible()
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await brokenRules(page)).toEqual([])
    expect(await findClipped(page)).toEqual([])
    await page.screenshot({ path: info.outputPath(`attempt-${width}-${colorScheme}.png`) })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('switch', { name: 'Audits' }).click()
  // The header and the delivery of the user.
  await expect.poll(count).toBe(2)
  await expect(chart).toBeVisible()
  await dashboard.go('/')
  await receiver.close()
})
