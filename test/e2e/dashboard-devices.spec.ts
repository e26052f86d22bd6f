import type { DeviceList } from '../../server/contract/control-sign-in.ts'
import type { TokenList } from '../../server/contract/control-tokens.ts'
import { deviceCodeGrant } from '../../server/contract/words/oauth-words.ts'
import type { Sandbox } from '../../server/index.ts'
import { expect, test as base } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

interface Device {
  device_code: string
  user_code: string
}

const clientId = '11111111-2222-4333-8444-555555555555'

const test = base.extend<{ dashboard: Dashboard }>({
  sandboxOptions: {
    fixtures: {
      users: [{ username: 'alice' }, { username: 'bob' }],
      organizations: [
        { name: 'acme', members: [{ user: 'bob' }] },
        { name: 'labs', members: [{ user: 'bob' }] },
      ],
      apps: [{ name: 'Television', clientId, scopes: ['openid', 'read-repos'] }],
    },
  },
  dashboard: async ({ page, sandbox }, provide) => provide(new Dashboard(page, sandbox.url)),
})

const post = (sandbox: Sandbox, path: string, form: Record<string, string>) =>
  fetch(sandbox.url + path, { method: 'POST', body: new URLSearchParams(form) })

async function ask(sandbox: Sandbox): Promise<Device> {
  const answer = await post(sandbox, '/oauth/device', {
    client_id: clientId,
    scope: 'openid read-repos',
  })
  return (await answer.json()) as Device
}

const poll = (sandbox: Sandbox, { device_code }: Device) =>
  post(sandbox, '/oauth/token', { grant_type: deviceCodeGrant, client_id: clientId, device_code })

test('a pending device appears, is approved with an organization, and links to its sign-in', async ({
  page,
  sandbox,
  dashboard,
}) => {
  await dashboard.open('/devices')
  await expect(page.getByText('No device codes yet')).toBeVisible()
  const device = await ask(sandbox)
  const row = page.getByRole('listitem').filter({ hasText: device.user_code })
  await expect(row).toContainText('Television')
  await expect(row).toContainText(/expires in 4m|expires in 5m/)

  await dashboard.choose(row.getByRole('combobox', { name: 'As' }), 'bob')
  await row.getByRole('button', { name: 'acme' }).click()
  await row.getByRole('button', { name: 'Approve' }).click()
  await expect(row).toContainText('approved by bob with acme; token not requested yet')
  expect((await poll(sandbox, device)).status).toBe(200)
  await expect(row).toContainText('token delivered')
  const { items } = await sandbox.control<TokenList>('GET', 'tokens')
  expect(items[0]).toMatchObject({
    user: { username: 'bob' },
    grant: 'device_code',
    organizations: [{ name: 'acme' }],
  })

  await row.getByRole('link', { name: 'view flow' }).click()
  await expect(page.getByRole('heading', { name: 'Device sign-in' })).toBeVisible()
})

test('organizations ticked for another user are not granted', async ({
  page,
  sandbox,
  dashboard,
}) => {
  const device = await ask(sandbox)
  await dashboard.open('/devices')
  const row = page.getByRole('listitem').filter({ hasText: device.user_code })
  const user = row.getByRole('combobox', { name: 'As' })
  await dashboard.choose(user, 'bob')
  await row.getByRole('button', { name: 'labs' }).click()
  await dashboard.choose(user, 'alice')
  await expect(row.getByRole('button', { name: 'labs' })).toBeHidden()
  await row.getByRole('button', { name: 'Approve' }).click()
  await expect(row).toContainText('approved by alice; token')
  const { items } = await sandbox.control<DeviceList>('GET', 'device')
  expect(items[0]?.organizations).toEqual([])
})

test('a device is denied, another expires on screen, and past and pending ones are listed apart', async ({
  page,
  sandbox,
  dashboard,
}) => {
  const denied = await ask(sandbox)
  await dashboard.open('/devices')
  const rows = page.getByRole('list', { name: 'Device codes' }).getByRole('listitem')
  await rows.first().getByRole('button', { name: 'Deny' }).click()
  await expect(rows.first()).toContainText('denied by alice')
  await sandbox.clock.advance('2m')
  const late = await ask(sandbox)
  await expect(rows.first()).toContainText(late.user_code)

  await page.getByRole('button', { name: /^Pending/ }).click()
  await expect(rows).toHaveCount(1)
  await expect(page).toHaveURL(/state=pending/)
  await sandbox.clock.advance('6m')
  await expect(page.getByText('No matching device codes')).toBeVisible()
  await page.getByRole('button', { name: /^Past/ }).click()
  await expect(rows.filter({ hasText: late.user_code })).toContainText('expired without a decision')
  await page
    .getByRole('searchbox', { name: 'Filter device codes' })
    .fill(denied.user_code.replace('-', '').toLowerCase())
  await expect(rows).toHaveCount(1)
  await expect(rows.first()).toContainText(denied.user_code)
})
