import { expect, test as base } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'
import { startReceiver, type TestReceiver } from './pages/receiver.ts'

const test = base.extend<{ receiver: TestReceiver; dashboard: Dashboard }>({
  // Playwright reads the names of what a fixture needs from its parameters.
  // oxlint-disable-next-line no-empty-pattern
  receiver: async ({}, provide) => {
    const receiver = await startReceiver()
    await provide(receiver)
    await receiver.close()
  },
  dashboard: async ({ page, sandbox }, provide) => {
    const dashboard = new Dashboard(page, sandbox.url)
    await dashboard.open('/webhooks')
    await provide(dashboard)
  },
})

const post = async (url: string) => (await fetch(url, { method: 'POST', body: '{}' })).status

/** The only link on the page. */
async function readLink({ page }: Dashboard) {
  const row = page.getByRole('list', { name: 'Links' }).getByRole('listitem')
  const name = await row.getByRole('button', { name: /^Copy Link/ }).getAttribute('aria-label')
  return { row, url: name?.replace('Copy Link ', '') ?? '' }
}

test('a temporary link is created, used for a webhook, and expires', async ({
  dashboard,
  sandbox,
  receiver,
}) => {
  const { page } = dashboard
  await page.getByLabel('Receiver URL').fill('ftp://localhost')
  await dashboard.button('Create link').click()
  await expect(page.getByRole('alert')).toContainText('not an http or https URL')
  await page.getByLabel('Receiver URL').fill(receiver.url)
  await dashboard.button('Create link').click()

  const { row, url } = await readLink(dashboard)
  await expect(row).toContainText(/expires in (3d|2d 23h)/)
  expect(await post(url)).toBe(200)
  await row.getByRole('link', { name: 'Create webhook' }).click()
  const address = dashboard.dialog('Create webhook').getByRole('textbox', { name: 'URL' })
  await expect(address).toHaveValue(url)
  await page.keyboard.press('Escape')

  await sandbox.clock.advance('72h')
  await expect(row).toContainText('expired, responds 410')
  expect(await post(url)).toBe(410)
  await expect(row.getByRole('button', { name: 'Wake' })).toHaveCount(0)
  await row.getByRole('button', { name: /^Delete the link/ }).click()
  await expect(row).toHaveCount(0)
})

test('the URL of a new link stays while the first webhook appears', async ({
  dashboard,
  sandbox,
  receiver,
}) => {
  const { page } = dashboard
  await page.getByRole('switch', { name: 'Hosted receiver' }).click()
  await page.getByLabel('Receiver URL').fill('http://localhost:3000/half')
  await sandbox.control('POST', 'webhooks', {
    owner: 'alice',
    url: receiver.url,
    watched: [{ type: 'org', name: 'acme' }],
  })
  await expect(dashboard.table('Webhooks')).toHaveCount(2)
  await expect(page.getByLabel('Receiver URL')).toHaveValue('http://localhost:3000/half')
  await expect(page.getByLabel('Receiver URL')).toBeFocused()
  await expect(page.getByRole('switch', { name: 'Hosted receiver' })).toBeChecked()
})

test('a hosted receiver stops without calls and is woken', async ({
  dashboard,
  sandbox,
  receiver,
}) => {
  await dashboard.page.getByLabel('Receiver URL').fill(receiver.url)
  await dashboard.page.getByRole('switch', { name: 'Hosted receiver' }).click()
  await dashboard.button('Create link').click()
  const { row, url } = await readLink(dashboard)
  await expect(row).toContainText(/stops in (2d|1d 23h)/)

  await sandbox.clock.advance('48h')
  await expect(row).toContainText('stopped, responds 503')
  expect(await post(url)).toBe(503)
  await row.getByRole('button', { name: 'Wake' }).click()
  await expect(row).toContainText(/stops in (2d|1d 23h)/)
  expect(await post(url)).toBe(200)
})
