import type { FlowItem } from '../../server/contract/control-requests.ts'
import type { Sandbox } from '../../server/index.ts'
import { longest } from './busy-sandbox.ts'
import { expect, test } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

const many = 3000
const clientId = '11111111-2222-4333-8444-555555555555'
const fixtures = {
  config: { caps: { requests: 2 * many } },
  users: [{ username: 'alice', canPay: true, tokens: [{ token: 'hf_sandbox_alice' }] }],
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

async function makeCollections(sandbox: Sandbox): Promise<void> {
  await inBatches(many, (index) =>
    sandbox.control('POST', 'collections', {
      owner: 'alice',
      title: `${'C'.repeat(50)} ${index}`,
    }),
  )
}

async function callModels({ url }: Sandbox): Promise<void> {
  await inBatches(many, async (index) => {
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer hf_sandbox_alice', 'content-type': 'application/json' },
      body: JSON.stringify({
        model: `acme/${'m'.repeat(200)}${index}`,
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    })
    await answer.arrayBuffer()
  })
}

for (const { path, fill, row } of [
  { path: '/tokens', fill: mintTokens, row: 'tbody tr:not([aria-hidden])' },
  { path: '/requests', fill: askOften, row: 'tbody tr:not([aria-hidden])' },
  { path: '/sign-ins', fill: startDevices, row: 'li[aria-posinset]' },
  { path: '/collections', fill: makeCollections, row: 'tbody tr:not([aria-hidden])' },
  { path: '/inference', fill: callModels, row: 'tbody tr:not([aria-hidden])' },
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

test('ten thousand sign-ins scroll without an empty frame', async ({ page, sandbox }) => {
  const at = '2026-01-01T00:00:00.000Z'
  const flow = (index: number): FlowItem => ({
    id: `f${index}`,
    kind: 'authorization-code',
    app: { clientId, name: `App ${index}` },
    startedAt: at,
    lastAt: at,
    outcome: 'completed',
    explanation: 'The app got its tokens.',
    requestCount: 0,
    requests: [],
  })
  await page.route('**/_sandbox/api/flows?*', async (route) => {
    const { searchParams } = new URL(route.request().url())
    const from = Number(searchParams.get('cursor') ?? 0)
    const items = Array.from({ length: 1000 }, (_, index) => flow(from + index))
    const nextCursor = from + 1000 < 10_000 ? { nextCursor: String(from + 1000) } : {}
    await route.fulfill({ json: { items, kept: { requests: 0, received: 0 }, ...nextCursor } })
  })
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/sign-ins')
  const list = page.locator('main [data-scroller]').filter({ has: page.locator('[aria-posinset]') })
  await expect(list.locator('[aria-setsize="10000"]').first()).toBeVisible()
  const frames = await list.evaluate(async (element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const emptyAt: number[] = []
    for (let step = 0; step < 60; step += 1) {
      element.scrollTop += step < 40 ? 700 : 30_000
      // The next callback comes after the frame that follows the scroll was made.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      const middle = document.elementFromPoint(left + width / 2, top + height / 2)
      if (middle?.closest('[aria-posinset]') === null) emptyAt.push(element.scrollTop)
    }
    const drawn = element.querySelectorAll('[aria-posinset]').length
    return { emptyAt, end: element.scrollTop, drawn }
  })
  expect(frames.emptyAt).toEqual([])
  expect(frames.end).toBeGreaterThan(400_000)
  expect(frames.drawn).toBeLessThan(mostDrawn)
})
