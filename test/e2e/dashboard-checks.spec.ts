import { expect, test } from './fixtures.ts'
import { brokenRules } from './pages/accessibility.ts'
import { Dashboard } from './pages/dashboard.ts'

const mistake = (url: string) => fetch(`${url}/api/models?access_token=hf_sandbox_alice`)

test('a mark on a request leads to the finding, its fix and its ignored state', async ({
  page,
  sandbox,
}) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/requests')
  // Live: the page was there before.
  await mistake(sandbox.url)
  const mark = page.getByRole('link', { name: 'Check: error, token/secret-in-url' })
  await expect(mark).toBeVisible()
  await expect(page.getByRole('link', { name: /^Checks 1/ })).toBeVisible()
  await mark.click()

  const finding = page.getByRole('article', { name: /A token or secret is in the query/ })
  await expect(finding).toBeInViewport()
  await expect(finding).toContainText('Fix: Send tokens in the Authorization header')
  await expect(finding.getByRole('link', { name: /^GET \/api\/models/ })).toBeVisible()
  const parameters = finding.getByLabel(/^Parameters of GET/)
  await expect(parameters).toContainText('the mistake: access_token')
  await expect(parameters).not.toContainText('hf_sandbox_alice')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await brokenRules(page)).toEqual([])
  }

  await finding.getByRole('button', { name: 'Ignore token/secret-in-url' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ignore token/secret-in-url?' })
  const submit = dialog.getByRole('button', { name: 'Ignore' })
  await expect(submit).toBeDisabled()
  await dialog.getByLabel('Reason').fill('a test sends it on purpose')
  expect(await brokenRules(page)).toEqual([])
  await submit.click()
  await expect(finding).toContainText('Ignored: a test sends it on purpose')
  await expect(page.getByRole('link', { name: /^Checks/ })).toHaveText('Checks')
  await finding.getByRole('button', { name: 'Stop ignoring' }).click()
  await expect(finding.getByRole('button', { name: 'Ignore token/secret-in-url' })).toBeVisible()

  await dashboard.open('/')
  await page.getByRole('link', { name: 'The checks found a mistake' }).click()
  await expect(finding).toBeVisible()
})

test('the page of a check explains it and lists its findings', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/checks')
  await expect(page.getByText('Nothing to check yet')).toBeVisible()
  await mistake(sandbox.url)
  const finding = page.getByRole('article')
  await expect(finding).toHaveCount(1)
  await finding.getByRole('link', { name: 'token/secret-in-url' }).click()
  await expect(dashboard.heading('token/secret-in-url')).toBeVisible()
  await expect(page.getByText('Certain: the record proves it')).toBeVisible()
  await expect(page.getByRole('link', { name: 'RFC 6750, 2.3' }).first()).toHaveAttribute(
    'href',
    'https://www.rfc-editor.org/rfc/rfc6750#section-2.3',
  )
  await expect(page.getByRole('article')).toHaveCount(1)
  expect(await brokenRules(page)).toEqual([])
  await dashboard.open('/checks/rules/token/unknown')
  await expect(page.getByText('There is no check token/unknown.')).toBeVisible()
})

test('each module of an audit has a page', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/checks/modules/again/same')
  await expect(dashboard.heading('again/same')).toBeVisible()
  await expect(page.getByText('Audit of a receiver')).toBeVisible()
  await expect(page.getByText('The receiver accepts both, and does the work once.')).toBeVisible()
  expect(await brokenRules(page)).toEqual([])
  await dashboard.open('/checks/modules/again/never')
  await expect(page.getByText('There is no module again/never.')).toBeVisible()
})

test('the findings are saved for a pipeline', async ({ page, sandbox }) => {
  await mistake(sandbox.url)
  await new Dashboard(page, sandbox.url).open('/checks')
  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'SARIF, for code scanning' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('hub-sandbox-checks.sarif')
})
