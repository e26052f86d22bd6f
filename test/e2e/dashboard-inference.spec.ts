import { expect, test as base } from './fixtures.ts'
import { brokenRules } from './pages/accessibility.ts'
import { Dashboard } from './pages/dashboard.ts'

const test = base.extend<{
  dashboard: Dashboard
  /** Sends a message to a model. */
  chat: (content: string, more?: object) => Promise<number>
}>({
  dashboard: async ({ page, sandbox }, provide) => provide(new Dashboard(page, sandbox.url)),
  chat: async ({ sandbox }, provide) => {
    await provide(async (content, more = {}) => {
      const answer = await fetch(`${sandbox.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: 'Bearer hf_sandbox_alice', 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'acme/tagger',
          messages: [{ role: 'user', content }],
          ...more,
        }),
      })
      await answer.text()
      return answer.status
    })
  },
})

test.use({
  sandboxOptions: {
    fixtures: {
      users: [{ username: 'alice', canPay: true, tokens: [{ token: 'hf_sandbox_alice' }] }],
      repos: [{ type: 'model', name: 'alice/tagger' }],
      inference: {
        rules: [
          { lastMessage: 'weather', reply: 'Sunny' },
          { lastMessage: 'quota', error: { status: 429, message: 'Too many requests' } },
        ],
      },
    },
  },
})

test('the log shows model, rule, status and streaming of each request, live', async ({
  dashboard,
  chat,
}) => {
  const { page } = dashboard
  await dashboard.open('/inference')
  await expect(page.getByText('No requests to models yet')).toBeVisible()
  expect(await chat('hello')).toBe(200)
  expect(await chat('the weather?', { stream: true })).toBe(200)
  expect(await chat('my quota')).toBe(429)
  const rows = dashboard.table('Requests')
  await expect(rows).toHaveCount(4)
  await expect(rows.nth(1)).toContainText(/429.*acme\/tagger.*rule 2.*no/s)
  await expect(rows.nth(2)).toContainText(/200.*acme\/tagger.*rule 1.*yes/s)
  await expect(rows.nth(3)).toContainText(/200.*acme\/tagger.*no rule.*no/s)

  await dashboard.button('rule:0').click()
  await expect(rows).toHaveCount(2)
  await rows.nth(1).getByRole('button').click()
  await expect(dashboard.requestPanel).toContainText('no rule')
  await expect(page).toHaveURL(/\/inference\/[^?]+\?q=rule/)
})

test('the number of requests of a rule leads to exactly these', async ({ dashboard, chat }) => {
  for (const text of ['weather', 'the weather', 'weather!', 'quota', 'hello']) await chat(text)
  const { page } = dashboard
  await dashboard.open('/inference?view=rules')
  const rules = dashboard.table('Rules')
  await expect(rules).toHaveCount(4)
  expect(await brokenRules(page)).toEqual([])
  await expect(rules.nth(1)).toContainText('last message with “weather”')
  await expect(rules.nth(2)).toContainText('429 Too many requests')
  await expect(rules.nth(3)).toContainText('the last message')
  for (const [rule, count] of [
    ['rule 1', 3],
    ['rule 2', 1],
    ['no rule', 1],
  ] as const) {
    await dashboard.open('/inference?view=rules')
    await page.getByRole('link', { name: new RegExp(`Show ${count} requests? of ${rule}`) }).click()
    await expect(dashboard.table('Requests')).toHaveCount(count + 1)
    await expect(dashboard.table('Requests').filter({ hasText: rule })).toHaveCount(count)
  }
})

test.describe('inference endpoints', () => {
  test('an endpoint is created, starts, pauses, resumes, scales to zero and is deleted', async ({
    dashboard,
    sandbox,
  }) => {
    const { page } = dashboard
    await sandbox.clock.freeze()
    await dashboard.open('/endpoints?new')
    const dialog = dashboard.dialog('Create inference endpoint')
    await dialog.getByLabel('Owner').fill('alice')
    await dialog.getByLabel('Name').fill('Not valid')
    await dialog.getByLabel('Model repo').fill('alice/tagger')
    await dialog.getByRole('button', { name: 'Create endpoint' }).click()
    await expect(dialog.getByRole('alert').first()).toBeVisible()
    await dialog.getByLabel('Name').fill('chat')
    await dialog.getByLabel(/Scale to zero after/).fill('15')
    await dialog.getByRole('button', { name: 'Create endpoint' }).click()

    const panel = page.getByRole('complementary', { name: 'Inference endpoint' })
    const present = panel.getByRole('list', { name: 'States' }).locator('[aria-current="step"]')
    await expect(present).toContainText('pending')
    await sandbox.clock.advance('1s')
    await expect(present).toContainText('initializing')
    await sandbox.clock.advance('2s')
    await expect(present).toContainText('running')
    await expect(panel.getByLabel('Call it')).toContainText('/v1/chat/completions')
    expect(await brokenRules(page)).toEqual([])
    await expect(dashboard.table('Inference endpoints').nth(1)).toContainText(
      'scales to zero in 15m',
    )
    await sandbox.clock.advance('15m')
    await expect(present).toContainText('scaled to zero')
    await panel.getByRole('button', { name: 'Resume' }).click()
    await expect(present).toContainText('pending')
    await panel.getByRole('button', { name: 'Pause' }).click()
    await expect(present).toContainText('paused')
    await expect(panel).toContainText('It responds while it is running.')
    const { items } = await sandbox.control<{ items: { state: string }[] }>(
      'GET',
      'inference-endpoints',
    )
    expect(items.map(({ state }) => state)).toEqual(['paused'])

    await panel.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete endpoint' }).click()
    await expect(page.getByText('No inference endpoints yet')).toBeVisible()
  })

  test('a state that time changes is shown without a reload', async ({ dashboard, sandbox }) => {
    await sandbox.control('POST', 'inference-endpoints', {
      namespace: 'alice',
      name: 'chat',
      repository: 'alice/tagger',
    })
    await dashboard.open('/endpoints')
    const row = dashboard.table('Inference endpoints').nth(1)
    await expect(row.getByText('running', { exact: true })).toBeVisible({ timeout: 10_000 })
  })
})
