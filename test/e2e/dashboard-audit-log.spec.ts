import { tokenExchangeGrant } from '../../server/contract/words/oauth-words.ts'
import type { Sandbox } from '../../server/index.ts'
import { expect, test } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

/** Exchanges of an app of an organization, by the e-mail addresses of their subjects. */
async function exchange(sandbox: Sandbox, organization: string, emails: string[]): Promise<void> {
  const { clientId } = await sandbox.control<{ clientId: string }>('POST', 'apps', {
    name: `Pipeline of ${organization}`,
    clientSecret: 'sesame',
    organization,
    privileges: ['token-exchange'],
  })
  for (const email of emails) {
    await fetch(`${sandbox.url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:sesame`)}`, 'user-agent': 'pipeline/1' },
      body: new URLSearchParams({
        grant_type: tokenExchangeGrant,
        subject_token: email,
        subject_token_type: 'urn:service:token-type:user-email',
      }),
    })
  }
}

test('the audit log is in the navigation, for all organizations or one, and is filtered', async ({
  page,
  sandbox,
}) => {
  await sandbox.control('PATCH', 'organizations/labs', { plan: 'enterprise' })
  await exchange(sandbox, 'acme', ['alice@example.com', 'nobody@example.com'])
  await exchange(sandbox, 'labs', ['bob@example.com'])
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/')
  await dashboard.visit('Audit log')
  const lines = dashboard.table('Audit log').filter({ hasText: /token for|Refused/ })
  await expect(lines).toHaveCount(3)
  await expect(lines.first()).toContainText('labs')

  await dashboard.choose(page.getByRole('combobox', { name: 'Organization' }), 'acme')
  await expect(dashboard.heading('Audit log of acme')).toBeVisible()
  await expect(page).toHaveURL(`${dashboard.url}/audit-log?organization=acme`)
  await expect(lines).toHaveCount(2)
  await page.getByRole('button', { name: 'Refused', exact: true }).click()
  await expect(lines).toHaveCount(1)
  await expect(lines).toContainText('Refused a token')
  await lines.getByRole('button', { name: /^Refused a token/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('pipeline/1')
  await expect(dialog.getByLabel('Data')).toContainText('nobody@example.com')
  await dialog.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Any outcome' }).click()
  await dashboard.choose(page.getByRole('combobox', { name: 'Actor' }), 'alice')
  await expect(lines).toHaveCount(1)
  await expect(page).toHaveURL(/user=alice/)
  await page.reload()
  await expect(lines).toHaveCount(1)
  await dashboard.choose(page.getByRole('combobox', { name: 'Event' }), 'oauth.token')
  await expect(lines).toHaveCount(1)
  await page.getByRole('button', { name: 'Refused', exact: true }).click()
  await expect(page.getByText('No matching entries')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await expect(page).not.toHaveURL(/user=|type=|outcome=/)
  await expect(lines.nth(1)).toBeVisible()
})

test('the old URL of the log of an organization redirects to the new one', async ({
  page,
  sandbox,
}) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/organizations/acme/audit-log')
  await expect(page).toHaveURL(`${dashboard.url}/audit-log?organization=acme`)
  await expect(page.getByText('No entries yet')).toBeVisible()
})

test('a new row appears while the log is open', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/audit-log')
  await expect(page.getByText('No entries yet')).toBeVisible()
  await exchange(sandbox, 'acme', ['alice@example.com'])
  await expect(dashboard.table('Audit log').filter({ hasText: 'granted' })).toHaveCount(1)
})
