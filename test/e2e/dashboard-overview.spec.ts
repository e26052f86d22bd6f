import type { Page } from '@playwright/test'
import type { Sandbox } from '../../server/index.ts'
import { expect, test as base } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

const test = base.extend<{ dashboard: Dashboard }>({
  dashboard: async ({ page, sandbox }, provide) => {
    await provide(new Dashboard(page, sandbox.url))
  },
})

const lines = (page: Page) => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')

const refuse = (sandbox: Sandbox) =>
  fetch(`${sandbox.url}/api/whoami-v2`, { headers: { authorization: 'Bearer hf_nobody' } })

test('an empty sandbox shows the first steps until something happens', async ({
  dashboard,
  sandbox,
  page,
}) => {
  await dashboard.open('/')
  const steps = page.getByRole('list', { name: 'First steps' })
  await expect(steps.getByRole('listitem')).toHaveCount(4)
  await sandbox.signIn({ user: 'alice', clientId: sandbox.fixtures.apps[0]?.clientId ?? '' })
  await expect(steps).toHaveCount(0)
  await expect(lines(page).filter({ hasText: 'alice authorized' })).toHaveCount(1)
  await sandbox.reset()
  await expect(steps).toBeVisible()
})

test('settings for each common client are shown, and copied as shown', async ({
  dashboard,
  sandbox,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await dashboard.open('/')
  const panel = dashboard.panel('Connect your app')
  const text = panel.getByLabel('Client settings')
  const marks = {
    Shell: `export HF_ENDPOINT=${sandbox.url}`,
    'huggingface.js': "from '@huggingface/hub'",
    huggingface_hub: 'from huggingface_hub import HfApi',
    'openid-client': 'client.discovery(',
    'MCP client': `serverUrl: '${sandbox.url}'`,
    'Gradio Space': 'SYSTEM=',
    curl: `curl ${sandbox.url}/api/whoami-v2`,
  }
  for (const [name, mark] of Object.entries(marks)) {
    await panel.getByRole('button', { name, exact: true }).click()
    await expect(text).toContainText(mark)
    await panel.getByRole('button', { name: 'Copy' }).click()
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(await text.innerText())
  }
})

test('failures are linked, and shown alone by a URL', async ({ dashboard, sandbox, page }) => {
  await dashboard.open('/')
  await sandbox.control('POST', 'sessions', { user: 'alice' })
  await refuse(sandbox)
  await expect(page.getByText(/^1 failed since/)).toBeVisible()
  await dashboard.button('Show failures only').click()
  await expect(lines(page)).toHaveCount(1)
  await expect(lines(page)).toContainText('GET /api/whoami-v2 refused: 401')
  await expect(page).toHaveURL(/\?failed=1$/)

  await page.reload()
  await expect(lines(page)).toHaveCount(1)
  await dashboard.button('Show all').click()
  await expect(lines(page).filter({ hasText: 'alice signed in' })).toHaveCount(1)
})

test('period and kinds are selectable, follow the sandbox clock, and stay in the URL', async ({
  dashboard,
  sandbox,
  page,
}) => {
  await sandbox.control('POST', 'sessions', { user: 'alice' })
  await sandbox.faults.add({ match: { route: '/nowhere' }, status: 503 })
  await sandbox.clock.advance('30m')
  await sandbox.control('POST', 'sessions', { user: 'bob' })
  await dashboard.open('/?last=5m')
  await expect(lines(page).filter({ hasText: 'bob signed in' })).toHaveCount(1)
  await expect(lines(page).filter({ hasText: 'alice signed in' })).toHaveCount(0)
  await dashboard.button('Last hour').click()
  await expect(lines(page).filter({ hasText: 'alice signed in' })).toHaveCount(1)
  await dashboard.button('faults').click()
  await expect(lines(page)).toHaveText([/Fault added: \/nowhere/])
  await expect(page).toHaveURL(/\?last=1h&kinds=faults$/)
  await sandbox.clock.advance('2h')
  await expect(page.getByText('No matching activity in this period.')).toBeVisible()
})

test('earlier facts are shown when the page opens, and thousands scroll', async ({
  dashboard,
  sandbox,
  page,
}) => {
  const users = ['alice', 'bob']
  for (let index = 0; index < 700; index += 1) {
    await sandbox.control('POST', 'sessions', { user: users[index % 2] ?? '' })
  }
  await dashboard.open('/')
  const list = page.getByRole('list', { name: 'Timeline' })
  await expect(list.getByRole('listitem').first()).toHaveAttribute('aria-setsize', /^70[1-9]$/)
  await page.locator('#main').evaluate((main) => main.scrollTo(0, main.scrollHeight))
  await expect(list.getByText('Sandbox started')).toBeVisible()
  expect(await list.getByRole('listitem').count()).toBeLessThan(100)
})
