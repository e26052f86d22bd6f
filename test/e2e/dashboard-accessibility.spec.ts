import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'
import { startReceiver } from './pages/receiver.ts'

const paths = [
  '/',
  '/tokens',
  '/apps',
  '/connected',
  '/requests',
  '/requests?view=sign-ins',
  '/deliveries',
  '/webhooks',
  '/webhooks?new',
  '/jobs',
  '/people',
  '/people?view=organizations',
  '/organizations/acme/audit-log',
  '/repos',
  '/settings',
]

const looks = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 390 },
] as const

for (const { colorScheme, width } of looks) {
  test(`no page breaks an accessibility rule or the policy: ${colorScheme}, ${width} px`, async ({
    page,
    sandbox,
  }) => {
    test.setTimeout(240_000)
    const receiver = await startReceiver()
    await sandbox.control('POST', 'webhooks', {
      user: 'alice',
      url: receiver.url,
      watched: [{ type: 'org', name: 'acme' }],
    })
    await sandbox.trigger({ event: 'repo.content', repo: 'datasets/acme/corpus' })
    await sandbox.idle()
    await fetch(`${sandbox.url}/oauth/authorize?client_id=nobody`)

    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))

    const dashboard = new Dashboard(page, sandbox.url)
    for (const path of paths) {
      await dashboard.open(path)
      await expect(page.getByText(/^Loading/)).toHaveCount(0)
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => `${path} ${id}: ${nodes[0]?.html}`)).toEqual([])
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow, `${path} scrolls sideways`).toBeLessThanOrEqual(0)
    }

    await dashboard.open('/deliveries')
    await page.locator('[role="row"][aria-selected]').first().click()
    for (const pane of ['Timeline', 'Request', 'Response', 'Why', 'Diff', 'Code']) {
      await page.getByRole('tab', { name: pane }).click()
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => `${pane} ${id}: ${nodes[0]?.html}`)).toEqual([])
    }
    for (const key of ['t', '?', 'Control+k']) {
      await page.keyboard.press(key)
      await expect(page.getByRole('dialog').first()).toBeVisible()
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => `${key} ${id}: ${nodes[0]?.html}`)).toEqual([])
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    expect(complaints).toEqual([])
    await receiver.close()
  })
}
