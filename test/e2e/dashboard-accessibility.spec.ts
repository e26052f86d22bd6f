import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { longest, makeBusy } from './busy-sandbox.ts'
import { expect, test } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'
import { fixedPages, pagesOfThings } from './pages/every-page.ts'

const looks = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 480 },
  { colorScheme: 'light', width: 320 },
] as const

for (const { colorScheme, width } of looks) {
  test(`no busy page breaks an accessibility rule, the policy or the width: ${colorScheme}, ${width} px`, async ({
    page,
    sandbox,
  }) => {
    test.setTimeout(480_000)
    await sandbox.control('POST', 'snapshots', { name: 'before' })
    const end = await makeBusy(sandbox)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))

    const dashboard = new Dashboard(page, sandbox.url)
    async function check(place: string): Promise<void> {
      await expect(page.getByText(/^Loading/)).toHaveCount(0)
      const { violations } = await axeOf(page).analyze()
      expect(violations.map(({ id, nodes }) => `${place} ${id}: ${nodes[0]?.html}`)).toEqual([])
      // What opens or closes may take a moment to find its place.
      await expect
        .poll(() => page.evaluate(findSideways), { message: `${place} scrolls sideways` })
        .toEqual([])
    }
    for (const path of fixedPages) {
      await dashboard.open(path)
      await check(path)
    }

    const things = await pagesOfThings(sandbox)
    for (const name of ['app', 'repo', 'token']) {
      const path = things[name] ?? ''
      await dashboard.open(path)
      await expect(page.getByRole('dialog').first()).toBeVisible()
      await check(path)
    }
    const { items: webhooks } = await sandbox.control<{ items: { id: string }[] }>(
      'GET',
      'webhooks',
    )
    for (const { id } of webhooks) {
      await dashboard.open(`/webhooks/${id}/activity?view=statistics`)
      await check('the statistics of a webhook')
    }
    for (const view of ['files', 'commits', 'discussions', 'refs', 'discussions&num=1']) {
      await dashboard.open(`/repos/dataset/${longest.repo}?view=${view}`)
      await check(`the ${view} of a repo`)
    }
    await dashboard.open(`/repos/dataset/${longest.repo}?path=activity.txt`)
    await check('a file')
    await dashboard.button('Edit').click()
    await check('the form of a commit')
    await dashboard.open('/people')
    await dashboard.button(`Edit ${longest.account}`).click()
    await check('the form of a user')
    await dashboard.open('/people?view=organizations')
    await dashboard.button(`Edit ${longest.organization}`).click()
    await check('the form of an organization')
    await dashboard.open('/webhooks')
    await dashboard.button(/^More for H/).click()
    await page.getByRole('menuitem', { name: 'Edit…' }).click()
    await check('the form of a webhook')
    await dashboard.open('/tokens')
    await dashboard.button('Mint a token').click()
    await check('the form of a token')
    await dashboard.open('/requests?q=is:refused')
    await dashboard.table('Requests').nth(1).getByRole('button').click()
    await check('a request')
    await dashboard.open('/requests?q=elsewhere')
    await dashboard.table('Requests').nth(1).getByRole('button').click()
    await expect(page.getByRole('region', { name: 'What would help' })).toBeVisible()
    await check('a refused request and what would help')
    await dashboard.button('Allow it…').click()
    await check('the question before a mend')
    await dashboard.open('/devices')
    await dashboard.choose(page.getByRole('combobox', { name: 'As' }).first(), longest.account)
    await check('the answer for a device')
    await dashboard.open('/audit-log')
    await dashboard.table('Audit log').nth(1).getByRole('button').first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await check('a line of the audit log')
    await dashboard.open('/settings')
    await dashboard.button(/^Restore s/).click()
    await check('the question before a restore')

    await dashboard.open('/sign-ins')
    await page.getByRole('list', { name: 'Sign-ins' }).getByRole('link').last().click()
    await page.getByRole('list', { name: 'Steps' }).getByRole('button').last().click()
    await expect(page.getByRole('complementary', { name: 'Details of the step' })).toBeVisible()
    await check('a step of a sign-in')

    await dashboard.open('/deliveries')
    await dashboard.button('Choose').click()
    await dashboard.button(/^Choose all/).click()
    await check('the choice of deliveries')
    await dashboard.button('Duplicate…').click()
    await check('the form of duplicates')
    await page.keyboard.press('Escape')
    await page.locator('[role="row"][aria-selected]').first().click()
    for (const pane of [
      'Timeline',
      'Request',
      'Response',
      'Why',
      'Cause and effect',
      'Diff',
      'Code',
    ]) {
      await page.getByRole('tab', { name: pane }).click()
      await check(pane)
    }
    for (const key of ['t', '?', 'Control+k']) {
      await page.keyboard.press(key)
      await expect(page.getByRole('dialog').first()).toBeVisible()
      await check(key)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    expect(complaints).toEqual([])
    await end()
  })
}

test('no busy page breaks an accessibility rule in forced colours', async ({ page, sandbox }) => {
  test.setTimeout(240_000)
  await sandbox.control('POST', 'snapshots', { name: 'before' })
  const end = await makeBusy(sandbox)
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  const dashboard = new Dashboard(page, sandbox.url)
  const things = Object.values(await pagesOfThings(sandbox))
  for (const path of [...fixedPages, ...things]) {
    await dashboard.open(path)
    await expect(page.getByText(/^Loading/)).toHaveCount(0)
    // The colours are the system's then, and axe reckons with those of the page.
    const { violations } = await axeOf(page).disableRules('color-contrast').analyze()
    expect(violations.map(({ id, nodes }) => `${path} ${id}: ${nodes[0]?.html}`)).toEqual([])
  }
  await end()
})

/** Tells of violations alone, and without a page of its own to sum up in: no page of the dashboard has frames. */
function axeOf(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
}

/** Runs in the page: what of it scrolls sideways as a whole, or stands beyond the screen. */
function findSideways(): string[] {
  const wholes = ['html', 'main', '[role="dialog"]', '[role="alertdialog"]', '[data-scroller]']
  return wholes.flatMap((selector) =>
    Array.from(document.querySelectorAll(selector)).flatMap((element) => {
      const { left, right } = element.getBoundingClientRect()
      const excess = element.scrollWidth - element.clientWidth
      const fits = excess <= 0 && left >= 0 && right <= window.innerWidth
      return fits ? [] : [`${selector}: ${excess} px too wide, from ${left} to ${right}`]
    }),
  )
}
