import type { Page } from '@playwright/test'
import type { Sandbox } from '../../server/index.ts'
import { longest, makeBusy } from './busy-sandbox.ts'
import { expect, test as base } from './fixtures.ts'
import { brokenRules } from './pages/accessibility.ts'
import { Dashboard } from './pages/dashboard.ts'
import { fixedPages, pagesOfThings } from './pages/every-page.ts'

const test = base.extend<{ dashboard: Dashboard }>({
  /** Of a busy sandbox. Nothing may complain while it is looked at. */
  dashboard: async ({ page, sandbox }, provide) => {
    await sandbox.control('POST', 'snapshots', { name: 'before' })
    const end = await makeBusy(sandbox)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await provide(new Dashboard(page, sandbox.url))
    expect(complaints).toEqual([])
    await end()
  },
})

/** One way to look at a page. */
interface Look {
  width: number
  media: NonNullable<Parameters<Page['emulateMedia']>[0]>
  /** Whether axe has nothing to say that it does not of another look. */
  isKnownToAxe?: true
}

const wide: Look = { width: 1440, media: { colorScheme: 'light' } }
const narrow: Look = { width: 320, media: { colorScheme: 'dark' } }
/** The colours are the system's then: axe reckons with those of the page, and finds the same page as without. */
const forced: Look = { width: 1440, media: { forcedColors: 'active' }, isKnownToAxe: true }

test.describe('no busy page breaks an accessibility rule, the policy or the width', () => {
  for (const [title, look] of [
    ['wide, in light', wide],
    ['narrow, in dark', narrow],
  ] as const) {
    test(title, async ({ dashboard, sandbox }) => {
      test.setTimeout(480_000)
      await dashboard.open('/')
      await visitEveryPage(dashboard, sandbox, look)
    })
  }

  test('a page in forced colours has no accessibility problem when loaded by URL', async ({
    dashboard,
    sandbox,
  }) => {
    test.setTimeout(240_000)
    for (const path of [...fixedPages, ...Object.values(await pagesOfThings(sandbox))]) {
      await dashboard.open(path)
      await check(dashboard.page, path, forced)
    }
  })
})

/** @param within what of the page has changed since it was looked at as a whole; absent = nobody has yet */
async function check(
  page: Page,
  place: string,
  { width, media, isKnownToAxe }: Look,
  within?: string,
): Promise<void> {
  await expect(page.locator('main h1')).not.toHaveCount(0)
  await page
    .getByText(/^Loading/)
    .filter({ visible: true })
    .first()
    .waitFor({ state: 'hidden' })
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia(media)
  // Colours fade into those of another look.
  await page.evaluate(endTransitions)
  const broken = isKnownToAxe ? [] : await brokenRules(page, 'all', within)
  expect(broken.map((rule) => `${place} ${rule}`)).toEqual([])
  // What opens or closes may take a moment to find its place.
  await expect
    .poll(() => page.evaluate(findSideways), { message: `${place} scrolls sideways` })
    .toEqual([])
}

const dialogs = '[role="dialog"], [role="alertdialog"]'

async function visitEveryPage(dashboard: Dashboard, sandbox: Sandbox, as: Look): Promise<void> {
  const { page } = dashboard
  async function open(path: string): Promise<void> {
    // A dialog stays open while its page does.
    if ((await page.locator(dialogs).count()) > 0) await dashboard.go('/nowhere')
    await dashboard.go(path)
  }
  const look = (place: string, within?: string) => check(page, place, as, within)
  async function lookAtDialog(place: string): Promise<void> {
    await expect(page.locator(dialogs).last()).toBeVisible()
    await look(place, dialogs)
  }

  for (const path of fixedPages) {
    await open(path)
    await look(path)
  }

  const things = await pagesOfThings(sandbox)
  for (const name of ['app', 'app-sign-ins', 'app-settings']) {
    await open(things[name] ?? '')
    await look(name)
  }
  await open(things['app'] ?? '')
  for (const framework of ['Passport', 'Gradio']) {
    await dashboard.button(framework).click()
    await look(`the snippet for ${framework}`)
  }
  for (const name of ['repo', 'token']) {
    const path = things[name] ?? ''
    await open(path)
    if (name === 'repo') await lookAtDialog(path)
    // The page behind a dialog is out of reach; a token is a part of the page.
    await look(`${path} and the page behind it`)
  }
  const { items: webhooks } = await sandbox.control<{ items: { id: string }[] }>('GET', 'webhooks')
  for (const { id } of webhooks) {
    await open(`/webhooks/${id}/activity?view=statistics`)
    await look('the statistics of a webhook')
  }
  for (const view of ['files', 'commits', 'discussions', 'refs', 'discussions&num=1']) {
    await open(`/repos/dataset/${longest.repo}?view=${view}`)
    await look(`the ${view} of a repo`)
  }
  await open(`/repos/dataset/${longest.repo}?path=activity.txt`)
  await look('a file')
  await dashboard.button('Edit').click()
  await look('the form of a commit')
  await open('/people')
  await dashboard.button(`Edit ${longest.account}`).click()
  await lookAtDialog('the form of a user')
  await open('/people?view=organizations')
  await dashboard.button(`Edit ${longest.organization}`).click()
  await lookAtDialog('the form of an organization')
  await open('/webhooks')
  await dashboard.button(/^More for H/).click()
  await page.getByRole('menuitem', { name: 'Edit…' }).click()
  await lookAtDialog('the form of a webhook')
  await open('/tokens')
  await dashboard.button('Create token').click()
  await lookAtDialog('the form of a token')
  await open('/requests?q=is:refused')
  await dashboard.table('Requests').nth(1).getByRole('button').click()
  await look('a request')
  await open('/requests?q=elsewhere')
  await dashboard.table('Requests').nth(1).getByRole('button').click()
  await expect(page.getByRole('region', { name: 'How to fix this' })).toBeVisible()
  await look('a refused request and what would help')
  await dashboard.button('Allow this URI…').click()
  await lookAtDialog('the question before a fix')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Edit the redirect URIs of the app' }).click()
  await expect(page.getByText('A sign-in was refused')).toBeVisible()
  await look('the setting that refused a sign-in')
  await open('/devices')
  await dashboard.choose(page.getByRole('combobox', { name: 'As' }).first(), longest.account)
  await look('the answer for a device')
  await open('/audit-log')
  await dashboard.table('Audit log').nth(1).getByRole('button').first().click()
  await lookAtDialog('a line of the audit log')
  await open('/settings')
  await dashboard.button(/^Restore s/).click()
  await lookAtDialog('the question before a restore')

  await open('/sign-ins')
  await page.getByRole('list', { name: 'Sign-ins' }).getByRole('link').last().click()
  await page.getByRole('list', { name: 'Steps' }).getByRole('button').last().click()
  await expect(page.getByRole('complementary', { name: 'Step details' })).toBeVisible()
  await look('a step of a sign-in')

  await open('/deliveries')
  await dashboard.button('Select').click()
  await dashboard.button(/^Select all/).click()
  await look('the choice of deliveries')
  await dashboard.button('Duplicate…').click()
  await lookAtDialog('the form of duplicates')
  await page.keyboard.press('Escape')
  await page.locator('[role="row"][aria-selected]').first().click()
  for (const pane of ['Summary', 'Request', 'Response', 'Timeline', 'Related', 'Code']) {
    await page.getByRole('tab', { name: pane }).click()
    await look(pane, '[role="tabpanel"]')
  }
  for (const key of ['t', '?', 'Control+k']) {
    await page.keyboard.press(key)
    await lookAtDialog(key)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
}

/** Runs in the page, whose script hears of another look with the next frame. */
async function endTransitions(): Promise<void> {
  for (const _ of ['the next', 'one after its script']) await new Promise(requestAnimationFrame)
  for (const animation of document.getAnimations()) {
    if (animation instanceof CSSTransition) animation.finish()
  }
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
