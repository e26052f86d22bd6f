import type { Locator, Page } from '@playwright/test'
import { expect, test as base } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

const test = base.extend<{ dashboard: Dashboard }>({
  dashboard: async ({ page, sandbox }, provide) => provide(new Dashboard(page, sandbox.url)),
})

async function press(button: Locator): Promise<void> {
  await button.focus()
  await button.press('Enter')
}

/** Whether a key goes on from somewhere, and not from the top of the page. */
const expectFocusKept = (page: Page) =>
  expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)

test('removing an item moves focus to the next one, and after the last to the element beside the list', async ({
  dashboard,
  sandbox,
}) => {
  for (const route of ['/api/one', '/api/two', '/api/three']) {
    await sandbox.faults.add({ match: { route }, status: 503 })
  }
  await dashboard.open('/faults')
  const remove = (route: string) => dashboard.button(`Remove the fault of ${route}`)
  await press(remove('/api/two'))
  await expect(remove('/api/two')).toHaveCount(0)
  await expect(remove('/api/three')).toBeFocused()
  await dashboard.page.keyboard.press('Enter')
  await expect(remove('/api/three')).toHaveCount(0)
  await expect(remove('/api/one')).toBeFocused()
  await dashboard.page.keyboard.press('Enter')
  await expect(dashboard.button('Add fault')).toBeFocused()
})

test('removing an item after a confirmation moves focus to the element beside it', async ({
  dashboard,
  sandbox,
  page,
}) => {
  await sandbox.snapshot('first')
  await sandbox.snapshot('second')
  await dashboard.open('/settings')
  await press(dashboard.button('Delete first'))
  await press(dashboard.question('Delete first?').getByRole('button', { name: /^Delete/ }))
  await expect(dashboard.button('Delete first')).toHaveCount(0)
  await expectFocusKept(page)
  await expect(dashboard.panel('Snapshots').locator(':focus')).toHaveCount(1)

  for (const name of ['one', 'two']) {
    await sandbox.control('POST', 'webhooks', {
      user: 'alice',
      name,
      url: 'http://localhost:9/hook',
      watched: [{ type: 'user', name: 'alice' }],
    })
  }
  await dashboard.open('/webhooks')
  await press(dashboard.button('More for one'))
  await press(page.getByRole('menuitem', { name: 'Delete…' }))
  await press(
    dashboard.question('Delete this webhook?').getByRole('button', { name: 'Delete webhook' }),
  )
  await expect(dashboard.button('More for one')).toHaveCount(0)
  await expect(dashboard.table('Webhooks').locator(':focus')).toHaveCount(1)
})

test('removing an entry of a form keeps focus in the form', async ({ dashboard }) => {
  await dashboard.open('/webhooks?new')
  const dialog = dashboard.dialog('Create webhook')
  await press(dialog.getByRole('button', { name: 'Do not watch alice' }))
  await expect(dialog.getByRole('combobox', { name: 'Kind' })).toBeFocused()
  const name = dialog.getByRole('combobox', { name: 'Name' })
  await name.fill('acme')
  await press(dialog.getByRole('button', { name: 'Add', exact: true }))
  await expect(name).toBeFocused()
})

test('approving a device or switching to presentation keeps the place of the focus', async ({
  dashboard,
  sandbox,
  page,
}) => {
  const app = sandbox.fixtures.apps.find(({ clientSecret }) => clientSecret === undefined)
  const body = new URLSearchParams({ client_id: app?.clientId ?? '', scope: 'openid' })
  await fetch(`${sandbox.url}/oauth/device`, { method: 'POST', body })
  await dashboard.open('/devices')
  await press(dashboard.button(/^Approve/).first())
  await expect(dashboard.button(/^Approve/)).toHaveCount(0)
  await expectFocusKept(page)

  await dashboard.open('/sign-ins')
  await press(dashboard.button('Present'))
  await expect(dashboard.button('Leave the presentation')).toBeVisible()
  await expectFocusKept(page)
})

test('clicking outside any control does not move focus', async ({ dashboard, sandbox, page }) => {
  const { id } = await sandbox.faults.add({ match: { route: '/api/one' }, status: 503 })
  await dashboard.open('/faults')
  const remove = dashboard.button('Remove the fault of /api/one')
  await remove.focus()
  await dashboard.heading('Faults').click()
  await expect(remove).not.toBeFocused()
  await sandbox.control('DELETE', `faults/${id}`)
  await expect(remove).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
})

test('a link to something on another page shows it: the focus does not scroll away', async ({
  dashboard,
  sandbox,
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 600 })
  for (const name of ['one', 'two', 'three']) {
    await sandbox.control('POST', 'webhooks', {
      owner: 'alice',
      name,
      url: 'http://localhost:9/',
      watched: [{ type: 'org', name: 'acme' }],
    })
  }
  await sandbox.trigger({ event: 'repo.content', repo: 'datasets/acme/corpus' })
  await dashboard.open('/webhooks')
  const row = dashboard.table('Webhooks').filter({ hasText: 'one' })
  await row.getByRole('link', { name: /^Check: / }).click()
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page.locator('article[id]').nth(2)).toBeAttached()
  const opened = new URL(page.url()).searchParams.get('finding') ?? ''
  await expect(page.locator(`[id="${opened}"]`)).toBeInViewport()
})
