import type { Page } from '@playwright/test'
import { makeBusy } from './busy-sandbox.ts'
import { expect, test as base } from './fixtures.ts'
import { DeliveriesPage } from './pages/deliveries.ts'
import { Dashboard } from './pages/dashboard.ts'
import { fixedPages, pagesOfThings } from './pages/every-page.ts'
import { startReceiver } from './pages/receiver.ts'

const test = base.extend<{ dashboard: Dashboard }>({
  dashboard: async ({ page, sandbox }, provide) => provide(new Dashboard(page, sandbox.url)),
})

interface NumberLink {
  href: string
  text: string
  count: number
}

/** Links of the page whose text begins with a number: `12 deliveries`. */
function numberLinks(page: Page): Promise<NumberLink[]> {
  return page.locator('main a[href]').evaluateAll((links) =>
    links.flatMap((link) => {
      const text = link.textContent?.trim() ?? ''
      const [, digits] = /^([\d,]+)(?: [a-z]|$)/.exec(text) ?? []
      const href = link.getAttribute('href') ?? ''
      return digits === undefined ? [] : [{ href, text, count: Number(digits.replaceAll(',', '')) }]
    }),
  )
}

/** Number of rows of the first list of the page, whatever it shows of them. */
async function rowsOf(page: Page): Promise<number> {
  const list = page
    .locator('main :is([aria-rowcount], [aria-setsize], ul[aria-label] > li)')
    .first()
  await expect(list).toBeVisible()
  return list.evaluate((element) => {
    const rows = element.getAttribute('aria-rowcount')
    if (rows !== null) return Number(rows) - 1
    return Number(element.getAttribute('aria-setsize') ?? element.parentElement?.children.length)
  })
}

test('a number that is a link leads to exactly that many rows, on every page', async ({
  dashboard,
  sandbox,
}) => {
  test.setTimeout(240_000)
  await sandbox.control('POST', 'snapshots', { name: 'before' })
  const end = await makeBusy(sandbox)
  // No retry changes a number while it is looked at.
  await sandbox.clock.freeze()
  const { page } = dashboard
  const found = new Map<string, NumberLink & { from: string }>()
  for (const path of [...fixedPages, ...Object.values(await pagesOfThings(sandbox))]) {
    await dashboard.open(path)
    await expect(page.getByText(/^Loading/)).toHaveCount(0)
    for (const link of await numberLinks(page)) found.set(link.href, { ...link, from: path })
  }
  expect(found.size).toBeGreaterThan(5)
  for (const { href, text, count, from } of found.values()) {
    await dashboard.open(href.replace(/^\/_sandbox/, ''))
    if (count === 0) {
      await expect(page.getByText(/^No matching/)).toBeVisible()
      continue
    }
    await expect(async () => {
      expect({ from, text, rows: await rowsOf(page) }).toEqual({ from, text, rows: count })
    }).toPass({ timeout: 10_000 })
  }
  await end()
})

test('a line about failing deliveries leads to exactly these, and to no other of the webhook', async ({
  dashboard,
  sandbox,
}) => {
  const receiver = await startReceiver()
  await sandbox.control('POST', 'webhooks', {
    owner: 'alice',
    name: 'ci trigger',
    url: receiver.url,
    watched: [{ type: 'org', name: 'acme' }],
  })
  const push = () => sandbox.trigger({ event: 'repo.content', repo: 'datasets/acme/corpus' })
  await push()
  await push()
  await sandbox.idle()
  receiver.answer(503)
  await sandbox.clock.freeze()
  for (const _ of [1, 2, 3]) await push()
  await sandbox.idle()

  const { page } = dashboard
  await dashboard.open('/activity')
  await page.getByRole('link', { name: /Deliveries to ci trigger: 3 failing/ }).click()
  const grid = page.getByRole('grid', { name: 'Deliveries' })
  await expect(grid).toHaveAttribute('aria-rowcount', '4')
  await expect(new DeliveriesPage(page, sandbox.url).withStatus(503)).toHaveCount(3)
  await receiver.close()
})

test('the fault badge counts the rules that the page shows, used-up ones apart', async ({
  dashboard,
  sandbox,
}) => {
  const { page } = dashboard
  await sandbox.faults.add({ match: { route: '/api/whoami-v2' }, status: 503, times: 1 })
  await sandbox.faults.add({ match: { route: '/api/models' }, status: 503 })
  await fetch(`${sandbox.url}/api/whoami-v2`)
  await dashboard.open('/')
  await page.getByRole('list', { name: 'Active overrides' }).getByRole('link').click()
  await expect(dashboard.table('Faults')).toHaveCount(2)
  await expect(dashboard.table('Faults').nth(1)).toContainText('/api/models')
  await dashboard.button(/^Used up/).click()
  await expect(dashboard.table('Faults')).toHaveCount(2)
  await expect(dashboard.table('Faults').nth(1)).toContainText('/api/whoami-v2')
})
