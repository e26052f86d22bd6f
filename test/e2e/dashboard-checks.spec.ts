import type { Page } from '@playwright/test'
import type { Advice } from '../../server/contract/control-advice.ts'
import type { Sandbox } from '../../server/index.ts'
import { expect, test } from './fixtures.ts'
import { brokenRules } from './pages/accessibility.ts'
import { findClipped } from './pages/clipped.ts'
import { Dashboard } from './pages/dashboard.ts'
import { startReceiver } from './pages/receiver.ts'

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
  await expect(page.getByRole('link', { name: /^Tests 1/ })).toBeVisible()
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
  await expect(page.getByRole('link', { name: /^Tests/ })).toHaveText('Tests')
  await finding.getByRole('button', { name: 'Stop ignoring' }).click()
  await expect(finding.getByRole('button', { name: 'Ignore token/secret-in-url' })).toBeVisible()

  await dashboard.open('/')
  await page.getByRole('link', { name: 'The checks found a mistake' }).click()
  await expect(finding).toBeVisible()
})

test('the page of a check explains it and lists its findings', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/findings')
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
  await dashboard.open('/findings/rules/token/unknown')
  await expect(page.getByText('No check has the id token/unknown.')).toBeVisible()
})

test('each module of an audit has a page', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/findings/modules/again/same')
  await expect(dashboard.heading('again/same')).toBeVisible()
  await expect(page.getByText('Audit of a receiver')).toBeVisible()
  await expect(page.getByText('The receiver accepts both, and does the work once.')).toBeVisible()
  expect(await brokenRules(page)).toEqual([])
  await dashboard.open('/findings/modules/again/never')
  await expect(page.getByText('No module has the id again/never.')).toBeVisible()
})

test('the findings are saved for a pipeline', async ({ page, sandbox }) => {
  await mistake(sandbox.url)
  await new Dashboard(page, sandbox.url).open('/findings')
  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'SARIF, for code scanning' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('hub-sandbox-checks.sarif')
})

/** Signs alice in to Team Dashboard with nothing that binds the code to her browser. */
async function signInUnbound(sandbox: Sandbox): Promise<{ clientId: string; flowId: string }> {
  const app = sandbox.fixtures.apps.find(({ name }) => name === 'Team Dashboard')
  const { clientId = '', clientSecret = '' } = app ?? {}
  const client = { client_id: clientId, redirect_uri: 'http://localhost/callback' }
  const ask = new URLSearchParams({ ...client, response_type: 'code', scope: 'openid' })
  const callback = await sandbox.authorize(`${sandbox.url}/oauth/authorize?${ask}`)
  const answer = await fetch(`${sandbox.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...client,
      client_secret: clientSecret,
      grant_type: 'authorization_code',
      code: new URL(callback).searchParams.get('code') ?? '',
    }),
  })
  expect(answer.status).toBe(200)
  const flows = await sandbox.control<{ items: { id: string }[] }>('GET', 'flows')
  return { clientId, flowId: flows.items[0]?.id ?? '' }
}

/** A webhook without a secret, with a delivery. */
async function deliverOpenly(sandbox: Sandbox, url: string): Promise<string> {
  await sandbox.control('POST', 'webhooks', {
    user: 'alice',
    name: 'Open receiver',
    url,
    watched: [{ type: 'dataset', name: 'acme/corpus' }],
  })
  await sandbox.trigger({ event: 'repo.content', repo: 'datasets/acme/corpus' })
  await sandbox.idle()
  const { items } = await sandbox.control<{ items: { id: string; webhookId: string }[] }>(
    'GET',
    'deliveries?q=webhook:Open',
  )
  return items[0]?.id ?? ''
}

test('marks on a sign-in, its app, a webhook and a delivery lead to the finding', async ({
  page,
  sandbox,
}, info) => {
  test.slow()
  const dashboard = new Dashboard(page, sandbox.url)
  const receiver = await startReceiver()
  const { clientId, flowId } = await signInUnbound(sandbox)
  const deliveryId = await deliverOpenly(sandbox, receiver.url)
  const unbound = {
    mark: /^Check: error, sign-in\/no-/,
    finding: /^Nothing binds the authorization code/,
  }
  const open = { mark: 'Check: warning, webhook/no-secret', finding: /has no secret/ }
  const places = [
    { name: 'sign-in', path: `/sign-ins/${encodeURIComponent(flowId)}`, ...unbound },
    { name: 'apps', path: '/apps', ...unbound },
    { name: 'app', path: `/apps/${clientId}`, ...unbound },
    { name: 'webhooks', path: '/webhooks', ...open },
    { name: 'delivery', path: `/deliveries/${deliveryId}`, ...open },
  ]
  for (const { name, path, mark, finding } of places) {
    await dashboard.open(path)
    const link = page.getByRole('main').getByRole('link', { name: mark })
    await expect(link).toBeVisible()
    for (const [width, colorScheme] of [
      [1440, 'dark'],
      [480, 'light'],
      [320, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expect(link).toBeVisible()
      expect(await brokenRules(page)).toEqual([])
      expect(await findClipped(page)).toEqual([])
      await page.screenshot({ path: info.outputPath(`${name}-${width}.png`) })
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await link.click()
    await expect(page.getByRole('article', { name: finding })).toBeInViewport()
    await expect(page).toHaveURL(/\/findings\?finding=/)
  }
  // In the list of sign-ins, the row itself is the link.
  await dashboard.open('/sign-ins')
  const list = page.getByRole('list', { name: 'Sign-ins' })
  await expect(list.getByRole('listitem').first()).toContainText('Check: error, sign-in/no-')
  await receiver.close()
})

const many = 3000

/** Shows one finding for each of many apps. */
async function findMuch(page: Page, sandbox: Sandbox, length = many): Promise<void> {
  await mistake(sandbox.url)
  const advice = await sandbox.control<Advice>('GET', 'advice')
  const [finding] = advice.items
  if (finding === undefined) throw new Error('The mistake makes no finding')
  const items = Array.from({ length }, (_, index) => ({
    ...finding,
    id: `finding-${index}`,
    title: `Mistake number ${index}.`,
    app: { clientId: `client-${index}`, name: `App ${index}` },
  }))
  await page.route('**/_sandbox/api/advice', (route) =>
    route.fulfill({ json: { ...advice, items } }),
  )
}

test('of thousands of findings, those in sight are drawn, and the browser finds all', async ({
  page,
  sandbox,
}) => {
  test.slow()
  await findMuch(page, sandbox)
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/findings')
  const cards = page.getByRole('article')
  await expect(cards.first()).toContainText('Mistake number 0.')
  expect(await cards.count()).toBeLessThan(40)
  // One node for each of the others, and the page.
  expect(await page.locator('*').count()).toBeLessThan(many + 4000)

  // As the find bar of the browser does, which scrolls to what it finds.
  const last = page.getByRole('article', { name: `Mistake number ${many - 1}.` })
  const found = await page.evaluate(
    (text) => {
      const isFound = (window as unknown as { find: (text: string) => boolean }).find(text)
      getSelection()?.anchorNode?.parentElement?.scrollIntoView({ block: 'center' })
      return isFound
    },
    `Mistake number ${many - 1}.`,
  )
  expect(found).toBe(true)
  await expect(last).toBeInViewport()
  expect(await cards.count()).toBeLessThan(40)

  // The keyboard reaches the card before, and the one before that.
  await last.getByRole('link').first().focus()
  for (const before of [2, 3]) {
    const card = page.getByRole('article', { name: `Mistake number ${many - before}.` })
    await expect(async () => {
      await page.keyboard.press('Shift+Tab')
      await expect(card.locator(':focus')).toBeInViewport({ timeout: 200 })
    }).toPass()
  }
})

test('a link to one of thousands of findings shows it', async ({ page, sandbox }) => {
  test.slow()
  await findMuch(page, sandbox)
  await new Dashboard(page, sandbox.url).open('/findings?finding=finding-1789')
  const finding = page.getByRole('article', { name: 'Mistake number 1789.' })
  await expect(finding).toBeInViewport()
  await finding.hover()
  await page.mouse.wheel(0, -5000)
  await expect(finding).not.toBeInViewport()
  // More findings above it do not take the reader back.
  await page.getByRole('button', { name: 'Ignore token/secret-in-url' }).first().click()
  await page.getByLabel('Reason').fill('to load them again')
  await page.getByRole('dialog').getByRole('button', { name: 'Ignore' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(finding).not.toBeInViewport()
})

test('findings out of sight are accessible', async ({ page, sandbox }) => {
  await findMuch(page, sandbox, 40)
  await new Dashboard(page, sandbox.url).open('/findings')
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Mistake number 39.' })).toHaveCount(1)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await brokenRules(page)).toEqual([])
  }
})
