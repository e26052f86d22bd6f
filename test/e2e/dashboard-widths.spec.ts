import { makeBusy } from './busy-sandbox.ts'
import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { brokenRules } from './pages/accessibility.ts'
import { findClipped } from './pages/clipped.ts'
import { Dashboard } from './pages/dashboard.ts'
import { everyDialog, takeWay } from './pages/every-dialog.ts'
import { fixedPages, pagesOfThings } from './pages/every-page.ts'

for (const width of [1280, 1024, 480, 320]) {
  test(`at ${width} px no page scrolls sideways or cuts a control`, async ({ page, sandbox }) => {
    test.slow()
    const end = await makeBusy(sandbox)
    await sandbox.snapshot('before')
    const dashboard = new Dashboard(page, sandbox.url)
    await page.setViewportSize({ width, height: 900 })
    await dashboard.open('/')
    const paths = [...fixedPages, ...Object.values(await pagesOfThings(sandbox))]
    const findings: string[] = []
    for (const path of paths) {
      await dashboard.go(path)
      await expect(page.locator('main h1')).toBeAttached()
      await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
      findings.push(...(await findClipped(page)).map((finding) => `${path}: ${finding}`))
    }
    expect(findings).toEqual([])
    await end()
  })
}

for (const width of [1280, 320]) {
  test(`at ${width} px no dialog scrolls sideways, cuts a control or hinders assistive technology`, async ({
    page,
    sandbox,
  }) => {
    test.setTimeout(400_000)
    await sandbox.snapshot('before')
    const end = await makeBusy(sandbox)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const dashboard = new Dashboard(page, sandbox.url)
    await page.setViewportSize({ width, height: 900 })
    await dashboard.open('/')
    const findings: string[] = []
    for (const [name, way] of Object.entries(await everyDialog(sandbox))) {
      await takeWay(dashboard, way)
      // A menu lies outside of the landmarks of its page, and may open a moment later.
      const part = name === 'run-demo' ? '[role="menu"]' : 'html'
      await expect(page.locator(part)).toHaveCount(1)
      const found = [...(await findClipped(page)), ...(await brokenRules(page, 'all', part))]
      findings.push(...found.map((finding) => `${name}: ${finding}`))
    }
    expect(findings).toEqual([])
    await end()
  })
}

test('at 320 px the texts of a tooltip and of a select do not widen the page', async ({
  page,
  sandbox,
}) => {
  const end = await makeBusy(sandbox)
  const dashboard = new Dashboard(page, sandbox.url)
  await page.setViewportSize({ width: 320, height: 900 })
  const excess = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await dashboard.open('/settings')
  await dashboard.button(/^Delete s/).hover()
  await expect(page.getByText(/^Delete s+$/)).toBeVisible()
  expect(await excess()).toBe(0)
  await dashboard.go('/requests')
  await page.getByRole('combobox', { name: 'App' }).click()
  await expect(page.getByRole('option').nth(1)).toBeVisible()
  expect(await excess()).toBe(0)
  await end()
})

test('no width cuts the columns of deliveries, also while they are selected', async ({
  page,
  sandbox,
}) => {
  const end = await makeBusy(sandbox)
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/deliveries')
  await dashboard.button('Select').click()
  await expect(page.getByRole('checkbox', { name: /^Select / }).first()).toBeVisible()
  const grid = page.getByRole('grid', { name: 'Deliveries' })
  for (let width = 660; width <= 1300; width += 20) {
    await page.setViewportSize({ width, height: 800 })
    const excess = await grid.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect([width, excess]).toEqual([width, 0])
  }
  // Beside an open delivery.
  await grid.getByRole('row').nth(1).click()
  await expect(page.getByRole('tab', { name: 'Summary' })).toBeVisible()
  for (let width = 1300; width >= 1024; width -= 23) {
    await page.setViewportSize({ width, height: 800 })
    const excess = await grid.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect(['open', width, excess]).toEqual(['open', width, 0])
  }
  await end()
})

test('what stands for an empty or missing list has one frame, with a margin, on each page', async ({
  page,
  sandbox,
}) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/')
  for (const [path, title] of [
    ['/issues', 'No issues'],
    ['/audits', 'No audits yet'],
    ['/scheduled-jobs', 'No scheduled jobs yet'],
    ['/sign-ins', 'No sign-ins yet'],
    ['/deliveries', 'No deliveries yet'],
    ['/requests', 'No requests yet'],
    ['/people/nobody', 'User not found'],
    ['/apps/nowhere', 'Could not find this app'],
    ['/repos/model/acme/nowhere', 'Could not find the model acme/nowhere'],
    ['/findings/rules/no/rule', 'Unknown check'],
    ['/audit-log?organization=nobody', 'Organization not found'],
    ['/nowhere', 'Page not found'],
  ] as const) {
    await dashboard.go(path)
    const { frames, margin } = await page
      .locator('#main')
      .getByText(title, { exact: true })
      .evaluate((element) => {
        const found = { frames: 0, margin: 0 }
        const edge = element.closest('#main')?.getBoundingClientRect().left ?? 0
        for (let at = element.parentElement; at && at.id !== 'main'; at = at.parentElement) {
          const { borderTopWidth, borderLeftWidth } = getComputedStyle(at)
          if (borderTopWidth === '0px' || borderLeftWidth === '0px') continue
          found.frames += 1
          found.margin = at.getBoundingClientRect().left - edge
        }
        return found
      })
    expect([path, frames]).toEqual([path, 1])
    expect(margin).toBeGreaterThanOrEqual(16)
  }
})

test('a notice lies over the page, which keeps its height, and can be dismissed', async ({
  page,
  sandbox,
}) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await page.setViewportSize({ width: 480, height: 500 })
  await dashboard.open('/settings')
  const heightOf = async (selector: string) => (await page.locator(selector).boundingBox())?.height
  const before = await heightOf('main')
  await dashboard.button(/^Rotate$/).click()
  const notice = dashboard.notice('Signing key rotated')
  await expect(notice).toBeVisible()
  // It stays while the pointer is over it.
  await notice.hover()
  expect(await heightOf('main')).toBe(before)
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice).toHaveCount(0)
})

test('a notice goes away by itself, and moves off what has the focus', async ({
  page,
  sandbox,
}) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await page.setViewportSize({ width: 480, height: 500 })
  await dashboard.open('/settings')
  await dashboard.button(/^Rotate$/).click()
  const notice = dashboard.notice('Signing key rotated')
  await expect(notice).toBeVisible()
  const boxOf = async (of: Locator) =>
    (await of.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  // Each control of the page in turn, also those at its foot.
  for (let step = 0; step < 40 && (await notice.isVisible()); step++) {
    await notice.hover({ timeout: 1000 }).catch(() => {})
    await page.keyboard.press('Tab')
    const focused = page.locator(':focus')
    if ((await page.locator('[data-toasts] :focus').count()) > 0) break
    const [own, other] = [await boxOf(focused), await boxOf(notice)]
    const across = Math.min(own.x + own.width, other.x + other.width) - Math.max(own.x, other.x)
    const down = Math.min(own.y + own.height, other.y + other.height) - Math.max(own.y, other.y)
    const covered = Math.max(0, across) * Math.max(0, down)
    expect(covered).toBeLessThanOrEqual((own.width * own.height) / 2)
  }
  await page.mouse.move(0, 0)
  await dashboard.heading('Settings').click()
  await expect(notice).toHaveCount(0, { timeout: 15_000 })
})
