import { expect, test as base } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'
import { startReceiver, type TestReceiver } from './pages/receiver.ts'

interface Fixtures {
  receiver: TestReceiver
  dashboard: Dashboard
  /** Makes a webhook of alice; returns its id. */
  make: (settings: object) => Promise<string>
}

const test = base.extend<Fixtures>({
  receiver: async ({ sandbox: _sandbox }, provide) => {
    const receiver = await startReceiver()
    await provide(receiver)
    await receiver.close()
  },
  dashboard: async ({ page, sandbox }, provide) => provide(new Dashboard(page, sandbox.url)),
  make: async ({ sandbox }, provide) =>
    provide(async (settings) => {
      const { id } = await sandbox.control<{ id: string }>('POST', 'webhooks', {
        user: 'alice',
        watched: [{ type: 'org', name: 'acme' }],
        ...settings,
      })
      return id
    }),
})

const push = { event: 'repo.content', repo: 'datasets/acme/corpus' }

test('each row has the state, the success rate, the times and the next retry of its webhook', async ({
  dashboard,
  sandbox,
  receiver,
  make,
}) => {
  await make({ url: receiver.url })
  const { host } = new URL(receiver.url)
  await dashboard.open('/webhooks')
  const row = dashboard.table('Webhooks').filter({ hasText: host })
  await expect(row).toContainText('no attempts')
  await sandbox.trigger({ ...push, repeat: { times: 3 } })
  await sandbox.idle()
  await expect(row).toContainText('healthy')
  await expect(row).toContainText('100 %')
  await expect(row).toContainText(/\d+ ms/)
  receiver.answer(503)
  await sandbox.trigger(push)
  await expect(row).toContainText('failing')
  await expect(row).toContainText('75 %')
  // Next retry.
  await expect(row.getByRole('cell').nth(5)).toHaveText(/^\d+[sm]/)
  // The number leads to its statistics.
  await row.getByRole('link', { name: '75 %' }).click()
  await expect(dashboard.button('Statistics')).toHaveAttribute('aria-pressed', 'true')
})

test('one click sends a test event and leads to exactly its deliveries', async ({
  dashboard,
  page,
  sandbox,
  receiver,
  make,
}) => {
  const id = await make({ url: receiver.url })
  await make({ url: receiver.url, name: 'second' })
  await sandbox.trigger(push)
  await sandbox.idle()
  const before = receiver.received.length
  await dashboard.open('/webhooks')
  const { host } = new URL(receiver.url)
  const row = dashboard.table('Webhooks').filter({ hasText: `Open ${host}` })
  await row.getByRole('button', { name: 'Send test event' }).click()
  const notice = dashboard.notice(/Commit pushed to datasets\/acme\//)
  await expect(notice).toContainText(`2 deliveries to ${host} and second`)
  await expect.poll(() => receiver.received.length).toBe(before + 2)
  await notice.getByRole('link', { name: 'Show these deliveries' }).click()
  await expect(page).toHaveURL(/deliveries\?q=event:/)
  await expect(page.getByRole('grid').getByRole('row').filter({ hasText: 'acme/' })).toHaveCount(2)
  // A real commit: the repo has it.
  const { items } = await sandbox.control<{ items: { webhookId: string; repo: string }[] }>(
    'GET',
    `deliveries?webhookId=${id}`,
  )
  expect(items).toHaveLength(2)
})

test('a test event that nobody would receive says why, and changes nothing', async ({
  dashboard,
  page,
  sandbox,
  make,
}) => {
  await sandbox.control('POST', 'users', { username: 'eve' })
  await make({ url: 'http://localhost:9/', name: 'off', disabled: true })
  await make({
    url: 'http://localhost:9/',
    name: 'lonely',
    watched: [{ type: 'user', name: 'eve' }],
  })
  await dashboard.open('/webhooks')
  for (const [name, reason] of [
    ['off', 'off is disabled: enable it first.'],
    ['lonely', 'lonely watches no repo that exists: create one, or edit what it watches.'],
  ] as const) {
    const row = dashboard.table('Webhooks').filter({ hasText: `Open ${name}` })
    await row.getByRole('button', { name: 'Send test event' }).click()
    await expect(page.locator('[data-toasts]').getByText(reason)).toBeVisible()
  }
  const { items } = await sandbox.control<{ items: object[] }>('GET', 'deliveries?state=skipped')
  expect(items).toEqual([])
})

test('an open webhook shows why it stopped, what it watches and its target', async ({
  dashboard,
  page,
  receiver,
  make,
}) => {
  const url = `${receiver.url}?${'long='.repeat(40)}`
  await make({ url, name: 'N'.repeat(200), watched: [{ type: 'user', name: 'alice' }] })
  await make({ url, watched: [{ type: 'dataset', name: 'acme/corpus' }], name: 'other' })
  await dashboard.open('/webhooks')
  const row = dashboard.table('Webhooks').filter({ hasText: 'other' })
  await row.getByRole('cell').nth(0).click()
  const panel = dashboard.beside('Webhook')
  await expect(panel).toContainText('dataset:acme/corpus')
  await expect(panel).toContainText(url)
  await expect(page).toHaveURL(/open=/)
  await page.reload()
  await expect(panel).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  // Its row is no part of a control in it.
  await row.getByRole('switch').click()
  await expect(row).toContainText('disabled')
  await expect(panel).toHaveCount(0)
  await page.setViewportSize({ width: 390, height: 800 })
  await dashboard.button('Open other').click()
  await expect(dashboard.dialog('Webhook')).toContainText('dataset:acme/corpus')
})

test.describe('many webhooks', () => {
  test.use({
    sandboxOptions: {
      fixtures: { config: { caps: { webhooks: 1100 } }, users: [{ username: 'alice' }] },
    },
  })

  test('the heads sort, the URL keeps it, and a thousand webhooks stay a page', async ({
    dashboard,
    page,
    sandbox,
    make,
  }) => {
    for (let batch = 0; batch < 20; batch++) {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          make({
            url: `http://localhost:9/${batch * 50 + index}`,
            name: `w-${batch * 50 + index}`,
            watched: [{ type: 'user', name: 'alice' }],
          }),
        ),
      )
    }
    await dashboard.open('/webhooks')
    const rows = dashboard.table('Webhooks')
    await expect(rows.nth(1)).toBeVisible()
    expect(await rows.count()).toBeLessThan(90)
    const head = page.getByRole('columnheader', { name: 'Webhook' })
    await expect(head).toHaveAttribute('aria-sort', 'none')
    await head.getByRole('button').click()
    await expect(head).toHaveAttribute('aria-sort', 'ascending')
    await head.getByRole('button').click()
    await expect(head).toHaveAttribute('aria-sort', 'descending')
    await expect(page).toHaveURL(/sort=-webhook/)
    await expect(rows.filter({ hasText: 'Open w-999' })).toBeVisible()
    await page.reload()
    await expect(rows.filter({ hasText: 'Open w-999' })).toBeVisible()
    await expect(
      rows.filter({ hasText: 'Open w-1' }).and(page.locator('[aria-rowindex="2"]')),
    ).toHaveCount(0)
    await sandbox.idle()
  })
})
