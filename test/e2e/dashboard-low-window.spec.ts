import { expect, test } from './fixtures.ts'
import { DeliveriesPage } from './pages/deliveries.ts'

/** A screen of 1280 by 1024 that is enlarged four times, and a phone that is turned. */
for (const viewport of [
  { width: 320, height: 256 },
  { width: 640, height: 360 },
]) {
  const size = `${viewport.width} by ${viewport.height}`

  test(`in a window of ${size} the list of deliveries is readable, and so is a delivery`, async ({
    page,
    sandbox,
  }) => {
    await page.setViewportSize(viewport)
    await sandbox.control('POST', 'webhooks', {
      user: 'alice',
      url: 'http://localhost:9/hook',
      watched: [{ type: 'org', name: 'acme' }],
    })
    for (const _ of Array.from({ length: 5 })) {
      await sandbox.trigger({ event: 'repo.content', repo: 'datasets/acme/corpus' })
    }
    const deliveries = new DeliveriesPage(page, sandbox.url)
    await deliveries.open('/deliveries')
    const grid = page.getByRole('grid', { name: 'Deliveries' })
    expect((await grid.boundingBox())?.height).toBeGreaterThan(200)
    await deliveries.rows.nth(4).click()
    const pane = deliveries.detail.getByRole('tabpanel')
    await expect(pane).toBeVisible()
    expect((await pane.boundingBox())?.height).toBeGreaterThan(150)
  })

  test(`in a window of ${size} a dialog can be read to its end`, async ({ page, sandbox }) => {
    await page.setViewportSize(viewport)
    const dashboard = new DeliveriesPage(page, sandbox.url)
    await dashboard.open('/')
    await dashboard.press('t')
    const dialog = dashboard.dialog('Trigger an event')
    const events = await dialog.getByRole('listbox').boundingBox()
    expect(events?.height).toBeGreaterThan(150)
    const send = dialog.getByRole('button', { name: 'Apply' }).last()
    await send.scrollIntoViewIfNeeded()
    const form = await dialog.locator('form').boundingBox()
    const footer = await dialog.locator('footer').boundingBox()
    expect(form?.height).toBeGreaterThan(150)
    expect((form?.y ?? 0) + (form?.height ?? 0)).toBeLessThanOrEqual((footer?.y ?? 0) + 1)
    await send.click()
    await expect(dialog).toBeHidden()

    await dashboard.open('/webhooks?new')
    const webhook = dashboard.dialog('Create webhook')
    const secret = webhook.getByLabel('Secret')
    await secret.fill('sesame')
    await expect(secret).toBeInViewport()
    await webhook.getByRole('textbox', { name: 'URL' }).fill('http://localhost:9/low')
    await webhook.getByRole('button', { name: 'Create' }).click()
    await expect(webhook).toBeHidden()
  })
}
