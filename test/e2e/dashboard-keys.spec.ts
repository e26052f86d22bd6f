import type { Page } from '@playwright/test'
import { expect, test as base } from './fixtures.ts'
import { DeliveriesPage } from './pages/deliveries.ts'
import { startReceiverOfAcme, type TestReceiver } from './pages/receiver.ts'

const test = base.extend<{ deliveries: DeliveriesPage; receiver: TestReceiver }>({
  deliveries: async ({ page, sandbox }, provide) => provide(new DeliveriesPage(page, sandbox.url)),
  receiver: async ({ sandbox }, provide) => {
    const receiver = await startReceiverOfAcme(sandbox)
    await provide(receiver)
    await receiver.close()
  },
})

test.beforeEach(async ({ sandbox, receiver }) => {
  for (const _ of Array.from({ length: 6 })) {
    await sandbox.trigger({ event: 'repo.content', repo: 'datasets/acme/corpus' })
  }
  await sandbox.idle()
  expect(receiver.received.length).toBeGreaterThanOrEqual(6)
})

test('holding a key repeats the move and no other action', async ({
  deliveries,
  receiver,
  page,
  sandbox,
}) => {
  await deliveries.open('/deliveries')
  await expect(deliveries.rows.first()).toBeVisible()
  const sent = receiver.received.length
  for (const _ of Array.from({ length: 4 })) await page.keyboard.down('j')
  await page.keyboard.up('j')
  await expect(deliveries.rows.nth(3)).toHaveAttribute('aria-selected', 'true')
  await expect(deliveries.button(/^Replay/).first()).toBeEnabled()
  for (const _ of Array.from({ length: 5 })) {
    await page.keyboard.down('r')
    await sandbox.idle()
  }
  await page.keyboard.up('r')
  await expect.poll(() => receiver.received.length).toBe(sent + 1)
  // The receiver knows of it before the page does, which replays nothing twice.
  await expect(deliveries.button(/^Replay/).first()).toBeEnabled()
  await page.keyboard.press('r')
  await expect.poll(() => receiver.received.length).toBe(sent + 2)
})

test('arrows move like j and k, d opens like Enter, and Escape keeps the place', async ({
  deliveries,
}) => {
  await deliveries.open('/deliveries')
  await expect(deliveries.rows.first()).toBeVisible()
  const isSelected = (index: number) =>
    expect(deliveries.rows.nth(index)).toHaveAttribute('aria-selected', 'true')
  await deliveries.press('d')
  await isSelected(0)
  await deliveries.press('ArrowDown')
  await isSelected(1)
  await deliveries.press('j')
  await isSelected(2)
  await deliveries.press('ArrowUp')
  await isSelected(1)
  await deliveries.press('j')
  await deliveries.press('j')
  await isSelected(3)
  for (const key of ['Enter', 'd']) {
    await deliveries.press('Escape')
    await expect(deliveries.selected).toHaveCount(0)
    await deliveries.press(key)
    await isSelected(3)
  }
  await deliveries.press('Escape')
  await deliveries.press('ArrowDown')
  await isSelected(4)
})

test.describe('keys that are pressed before the dashboard is ready', () => {
  /** Opens a page whose code is held back; the returned function lets it come. */
  async function openSlowly(page: Page, url: string): Promise<() => void> {
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/assets/index-*.js', async (route) => {
      await released
      await route.continue()
    })
    await page.goto(url, { waitUntil: 'commit' })
    // Not as a text, which the page's policy does not evaluate.
    await page.waitForFunction(() => Reflect.has(globalThis, 'earlyKeys'))
    return release
  }

  for (const [key, dialog] of [
    ['t', 'Trigger an event'],
    ['?', 'Keyboard shortcuts'],
  ] as const) {
    test(`${key} opens its dialog, and is not repeated`, async ({ page, sandbox }) => {
      const release = await openSlowly(page, `${sandbox.url}/_sandbox/requests`)
      await page.keyboard.press(key)
      release()
      const opened = page.getByRole('dialog', { name: dialog })
      await expect(opened).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(opened).toBeHidden()
      // Longer than the time in which kept keys find their part.
      await page.waitForTimeout(3500)
      await expect(page.getByRole('dialog')).toBeHidden()
      expect(await page.evaluate('globalThis.earlyKeys')).toBeUndefined()
    })
  }

  test('those of the page and of the palette work too, and letters without a meaning do nothing', async ({
    page,
    sandbox,
  }) => {
    const release = await openSlowly(page, `${sandbox.url}/_sandbox/sign-ins`)
    await page.keyboard.press('y')
    await page.keyboard.press('p')
    release()
    await expect(page).toHaveURL(/[?&]present/)

    await page.unrouteAll()
    const again = await openSlowly(page, `${sandbox.url}/_sandbox/requests`)
    await page.keyboard.press('Control+k')
    again()
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  })
})
