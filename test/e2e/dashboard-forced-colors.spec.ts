import type { Locator } from '@playwright/test'
import { expect, test as base } from './fixtures.ts'
import { DeliveriesPage } from './pages/deliveries.ts'
import { startReceiverOfAcme } from './pages/receiver.ts'

const test = base.extend<{ deliveries: DeliveriesPage }>({
  deliveries: async ({ page, sandbox }, provide) => {
    await page.emulateMedia({ forcedColors: 'active' })
    const receiver = await startReceiverOfAcme(sandbox, { name: 'mine' })
    for (const _ of [1, 2]) {
      await sandbox.trigger({ event: 'repo.content', repo: 'datasets/acme/corpus' })
    }
    await sandbox.idle()
    await provide(new DeliveriesPage(page, sandbox.url))
    await receiver.close()
  },
})

const ground = (what: Locator) =>
  what.evaluate((element) => getComputedStyle(element).backgroundColor)

/** What one sees is the ground alone: a ring, say, is of what has the focus. */
async function expectToldApart(chosen: Locator, other: Locator): Promise<void> {
  await expect.poll(async () => (await ground(chosen)) === (await ground(other))).toBe(false)
}

test('with forced colours the dashboard still shows the selection', async ({ deliveries }) => {
  const { page } = deliveries
  await deliveries.open('/deliveries')
  await expect(deliveries.rows.first()).toBeVisible()
  await deliveries.press('j')
  await expect(deliveries.selected).toHaveCount(1)
  const link = (name: string) =>
    page.getByRole('navigation', { name: 'Pages of Webhooks' }).getByRole('link', { name })
  await expectToldApart(link('Deliveries'), link('Endpoints'))
  await expectToldApart(deliveries.rows.nth(0), deliveries.rows.nth(1))
  await expectToldApart(deliveries.pane('Summary'), deliveries.pane('Request'))

  await deliveries.open('/webhooks?new')
  const dialog = deliveries.dialog('Create webhook')
  await expectToldApart(
    dialog.getByRole('button', { name: 'Send a request' }),
    dialog.getByRole('button', { name: 'Start a job' }),
  )
})

test('with forced colours a switch shows that it is on', async ({ deliveries }) => {
  await deliveries.open('/webhooks')
  const onOff = deliveries.page.getByRole('switch', { name: 'mine enabled' })
  await expect(onOff).toBeChecked()
  await expectToldApart(onOff.locator('span').first(), onOff)
  const before = await ground(onOff)
  await onOff.click()
  await expect(onOff).not.toBeChecked()
  await expect.poll(() => ground(onOff)).not.toBe(before)
  await expectToldApart(onOff.locator('span').first(), onOff)
})

test('the phases of an attempt keep their colours', async ({ deliveries }) => {
  await deliveries.open('/deliveries')
  await expect(deliveries.rows.first()).toBeVisible()
  await deliveries.press('j')
  await deliveries.pane('Timeline').click()
  const phases = deliveries.detail.getByRole('list', { name: 'Phases' }).getByRole('listitem')
  await expect(phases.first()).toBeVisible()
  await expectToldApart(phases.first().locator('span'), phases.last().locator('span'))
})
