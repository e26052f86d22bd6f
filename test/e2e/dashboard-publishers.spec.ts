import { expect, test as base } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

const test = base.extend<{ dashboard: Dashboard }>({
  dashboard: async ({ page, sandbox }, provide) => provide(new Dashboard(page, sandbox.url)),
})

test('a trusted publisher is added, switched off, edited and removed', async ({
  dashboard,
  sandbox,
}) => {
  const repo = sandbox.fixtures.repos.find(({ type }) => type === 'model')?.name ?? ''
  const { page } = dashboard
  await dashboard.open('/publishers')
  await dashboard.button('Add publisher').click()
  const dialog = page.getByRole('dialog', { name: 'Add trusted publisher' })
  await dialog.getByLabel('Resource').fill(repo)
  await dialog.getByLabel('Claims').fill('repository')
  await expect(dialog).toContainText('“repository” is not name=value')
  await dialog.getByLabel('Claims').fill('repository=acme/train\nref=refs/heads/main')
  await dialog.getByRole('button', { name: 'Add publisher' }).click()
  await expect(page.getByRole('row', { name: /acme\/train/ })).toContainText(repo)

  const claims = { repository: 'acme/train', ref: 'refs/heads/main' }
  const exchange = async () => {
    const answer = await fetch(`${sandbox.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        subject_token: await sandbox.ciToken({ provider: 'github', claims }),
        resource: repo,
      }),
    })
    return answer.status
  }
  expect(await exchange()).toBe(200)
  await expect(page.getByRole('row', { name: /acme\/train/ })).not.toContainText('never')

  await page.getByRole('switch', { name: 'Enabled: acme/train' }).click()
  await expect.poll(exchange).toBe(400)

  await dashboard.button('Edit publisher acme/train').click()
  const edit = page.getByRole('dialog', { name: 'Trusted publisher acme/train' })
  await expect(edit).toContainText('https://token.actions.githubusercontent.com')
  await edit.getByLabel('Name').fill('nightly')
  await edit.getByRole('button', { name: 'Save' }).click()
  await dashboard.button('Edit publisher nightly').click()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove publisher' }).click()
  await expect(page.getByText('No trusted publishers yet')).toBeVisible()
})
