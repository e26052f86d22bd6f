import { expect, test as base } from './fixtures.ts'
import { brokenRules } from './pages/accessibility.ts'
import { Dashboard } from './pages/dashboard.ts'

const test = base.extend<{ dashboard: Dashboard }>({
  dashboard: async ({ page, sandbox }, provide) => provide(new Dashboard(page, sandbox.url)),
})

test('an access request appears on the open page, and is accepted or rejected there', async ({
  dashboard,
  sandbox,
}) => {
  const { items } = await sandbox.control<{
    items: { type: string; name: string; gated: string | false }[]
  }>('GET', 'repos')
  const repo = items.find(({ gated }) => gated === 'manual')
  const address = `${repo?.type}s/${repo?.name}`.replace(/^models\//, '')
  const cookie = await sandbox.control<{ name: string; value: string }>('POST', 'sessions', {
    user: 'bob',
  })
  await dashboard.open(`/repos/${repo?.type}/${repo?.name}?view=access`)
  const { page } = dashboard
  const row = page
    .getByRole('list', { name: 'Access requests' })
    .getByRole('listitem')
    .filter({ hasText: 'bob' })
  await expect(row).toHaveCount(0)
  const asked = await fetch(`${sandbox.url}/${address}/ask-access`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: `${cookie.name}=${cookie.value}`, origin: sandbox.url },
    body: new URLSearchParams({ Affiliation: 'University of Nowhere' }),
  })
  expect(asked.status).toBeLessThan(400)
  await expect(row).toContainText('pending')
  await expect(row).toContainText('Affiliation: University of Nowhere')
  expect(await brokenRules(page)).toEqual([])

  await row.getByRole('button', { name: 'Reject bob' }).click()
  await dashboard.dialog('Reject bob').getByLabel('Reason').fill('No student project')
  await dashboard.dialog('Reject bob').getByRole('button', { name: 'Reject' }).click()
  await expect(row).toContainText('rejected')
  await expect(row).toContainText('Reason: No student project')
  await row.getByRole('button', { name: 'Accept bob' }).click()
  await expect(row).toContainText('accepted')
  const read = await fetch(`${sandbox.url}/${address}/resolve/main/README.md`, {
    headers: { authorization: 'Bearer hf_sandbox_bob' },
  })
  expect(read.status).toBe(200)
  await dashboard.go('/activity')
  await expect(page.getByText(`bob has access to ${repo?.name}`)).toBeVisible()
})
