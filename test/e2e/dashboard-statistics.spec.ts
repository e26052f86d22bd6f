import { expect, test as base } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'
import { startReceiver, type TestReceiver } from './pages/receiver.ts'

const test = base.extend<{ receiver: TestReceiver; webhookId: string }>({
  receiver: async ({ sandbox: _sandbox }, provide) => {
    const receiver = await startReceiver()
    await provide(receiver)
    await receiver.close()
  },
  webhookId: async ({ sandbox, receiver }, provide) => {
    const { id } = await sandbox.control<{ id: string }>('POST', 'webhooks', {
      user: 'alice',
      name: 'bot',
      url: receiver.url,
      watched: [{ type: 'org', name: 'acme' }],
    })
    await provide(id)
  },
})

const push = { event: 'repo.content', repo: 'datasets/acme/corpus' }

test('a webhook shows its statistics, which follow new deliveries', async ({
  page,
  sandbox,
  receiver,
  webhookId,
}) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open(`/webhooks/${webhookId}/activity`)
  await dashboard.button('Statistics').click()
  await expect(page.getByText('No deliveries in this period')).toBeVisible()

  receiver.answerNext(503, 404)
  await sandbox.trigger({ ...push, repeat: { times: 5 } })
  await expect(dashboard.panel('Over time').getByRole('table')).toContainText('succeeded')
  const tried = page.locator('dl > div').filter({ hasText: 'Attempted' }).getByRole('definition')
  await expect(tried).toHaveText('5')
  const errors = dashboard.panel('Errors').getByRole('row')
  await expect(errors.filter({ hasText: 'http_status 503' })).toContainText('1')
  await expect(errors.filter({ hasText: 'http_status 404' })).toContainText('1')
  await expect(dashboard.panel('Quota')).toContainText('5 / 1,000')
  await expect(dashboard.panel('Response time')).toContainText('5 attempts')

  await dashboard.panel('Errors').getByRole('link').first().click()
  await expect(page.getByRole('article', { name: 'Delivery' })).toBeVisible()
})

test('a chart is navigable by keyboard and describes its bars', async ({
  page,
  sandbox,
  webhookId,
}) => {
  await sandbox.trigger({ ...push, repeat: { times: 3 } })
  await sandbox.idle()
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open(`/webhooks/${webhookId}/activity?view=statistics`)
  const chart = page.getByRole('slider', { name: 'Deliveries over time' })
  await chart.focus()
  await page.keyboard.press('Home')
  await expect(chart).toHaveAttribute('aria-valuetext', /^From .*: 3 succeeded$/)
  const tooltip = dashboard.panel('Over time').getByText('succeeded').last()
  await expect(tooltip).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(chart).not.toHaveAttribute('aria-valuetext')
})

test('an open webhook shows its recent course, and nothing before the first delivery', async ({
  page,
  sandbox,
  webhookId,
}) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/webhooks')
  await dashboard.button('Open bot').click()
  const panel = dashboard.beside('Webhook')
  await expect(panel).toContainText('none yet')
  await expect(panel.getByText('p50')).toHaveCount(0)
  await sandbox.trigger({ ...push, repeat: { times: 3 } })
  await expect(panel.getByText('3 of 3 deliveries succeeded')).toBeAttached()
  await expect(panel.getByText(/^p50 .* p99/)).toBeVisible()
  await sandbox.control('DELETE', `webhooks/${webhookId}`)
  await dashboard.open(`/webhooks/${webhookId}/activity?view=statistics`)
  await expect(page.getByText(/Webhook .* does not exist/)).toBeVisible()
  await dashboard.open('/webhooks/0123456789abcdef01234567/activity')
  await expect(page.getByText(/No deliveries to it are kept/)).toBeVisible()
  await expect(page.getByText(/0123456789abcdef01234567/)).toHaveCount(1)
})
