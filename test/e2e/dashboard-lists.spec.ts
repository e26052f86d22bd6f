import type { Sandbox } from '../../server/index.ts'
import { longest } from './busy-sandbox.ts'
import { expect, test } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

const many = 3000
const clientId = '11111111-2222-4333-8444-555555555555'
const fixtures = {
  config: { caps: { requests: 2 * many } },
  users: [{ username: 'alice' }],
  apps: [{ name: 'Command line', clientId, scopes: ['openid', 'profile'] }],
}
/** More than a screen of 720 pixels shows, with what is drawn around it. */
const mostDrawn = 90

async function inBatches(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  const size = 50
  for (let start = 0; start < count; start += size) {
    await Promise.all(
      Array.from({ length: Math.min(size, count - start) }, (_, index) => work(start + index)),
    )
  }
}

async function mintTokens(sandbox: Sandbox): Promise<void> {
  await inBatches(many, () =>
    sandbox.control('POST', 'tokens', { user: 'alice', clientId, scope: 'openid profile' }),
  )
}

async function askOften({ url }: Sandbox): Promise<void> {
  await inBatches(many, async (index) => {
    const answer = await fetch(`${url}/api/whoami-v2?number=${index}`)
    await answer.arrayBuffer()
  })
}

async function startDevices(sandbox: Sandbox): Promise<void> {
  await inBatches(many, async () => {
    const body = new URLSearchParams({ client_id: clientId, scope: 'openid' })
    const answer = await fetch(`${sandbox.url}/oauth/device`, { method: 'POST', body })
    await answer.arrayBuffer()
  })
}

async function addUsers(sandbox: Sandbox): Promise<void> {
  await inBatches(many, (index) =>
    sandbox.control('POST', 'users', { username: `${longest.account.slice(0, 30)}${index}` }),
  )
}

for (const { path, fill, row } of [
  { path: '/tokens', fill: mintTokens, row: 'tbody tr:not([aria-hidden])' },
  { path: '/requests', fill: askOften, row: 'tbody tr:not([aria-hidden])' },
  { path: '/sign-ins', fill: startDevices, row: 'li[aria-posinset]' },
  { path: '/people', fill: addUsers, row: 'tbody tr:not([aria-hidden])' },
]) {
  test.describe(path, () => {
    test.use({ sandboxOptions: { fixtures } })

    test(`of thousands of rows, ${path} renders only the visible ones, and the last is reachable`, async ({
      page,
      sandbox,
    }) => {
      test.setTimeout(180_000)
      await fill(sandbox)
      const dashboard = new Dashboard(page, sandbox.url)
      await dashboard.open(path)
      const rows = page.locator('main').locator(row)
      await expect(rows.first()).toBeVisible({ timeout: 30_000 })
      expect(await rows.count()).toBeLessThan(mostDrawn)

      const last = page
        .locator('main')
        .locator('[aria-posinset][aria-setsize], tr[aria-rowindex]')
        .last()
      await expect(async () => {
        // Rows are measured as they come into sight, so that the end may move away once or twice.
        await last.evaluate((row) => {
          const scroller = row.closest('[data-scroller]')
          scroller?.scrollTo(0, scroller.scrollHeight)
        })
        const [place, count] = await last.evaluate((element) => [
          element.getAttribute('aria-posinset') ?? element.getAttribute('aria-rowindex'),
          element.getAttribute('aria-setsize') ??
            element.closest('table')?.getAttribute('aria-rowcount'),
        ])
        expect(Number(count)).toBeGreaterThanOrEqual(many)
        expect(place).toBe(count)
        await expect(last).toBeInViewport({ timeout: 1000 })
      }).toPass({ timeout: 30_000 })
      expect(await rows.count()).toBeLessThan(mostDrawn)
    })
  })
}
