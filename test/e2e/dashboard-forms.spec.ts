import { expect, test as base } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

interface Items<Item> {
  items: Item[]
}

const test = base.extend<{
  dashboard: Dashboard
  list: <Item>(path: string) => Promise<Item[]>
}>({
  dashboard: async ({ page, sandbox }, provide) => provide(new Dashboard(page, sandbox.url)),
  list: async ({ sandbox }, provide) => {
    await provide(
      async <Item>(path: string) => (await sandbox.control<Items<Item>>('GET', path)).items,
    )
  },
})

test('a webhook watches the typed name without a click on Add', async ({ dashboard, list }) => {
  await dashboard.open('/webhooks?new')
  const dialog = dashboard.dialog('Create webhook')
  await dialog.getByRole('textbox', { name: 'URL' }).fill('http://localhost:9/typed')
  await dialog.getByRole('button', { name: 'Do not watch alice' }).click()
  await expect(dialog.getByRole('button', { name: /^Do not watch/ })).toHaveCount(0)
  await dialog.getByRole('combobox', { name: 'Name' }).fill('acme')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog).toBeHidden()
  const webhooks = await list<{ url?: string; watched: object[] }>('webhooks')
  expect(webhooks.find(({ url }) => url?.endsWith('/typed'))?.watched).toEqual([
    { type: 'org', name: 'acme' },
  ])
})

test('a cleared name is not reported as saved', async ({ dashboard, page }) => {
  for (const [view, account, fields] of [
    ['users', 'bob', ['Full name', 'Email']],
    ['organizations', 'acme', ['Full name']],
  ] as const) {
    for (const field of fields) {
      await dashboard.open(`/people?view=${view}`)
      await dashboard.button(`Edit ${account}`).click()
      const dialog = dashboard.dialog(`Edit ${account}`)
      await dialog.getByLabel(field, { exact: true }).fill('')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(dialog.getByLabel(field, { exact: true })).toBeFocused()
      await expect(page.getByText(/saved$/)).toHaveCount(0)
    }
  }
})

test.describe('changes by others are kept while a form is open', () => {
  test('for an app', async ({ dashboard, sandbox, list, page }) => {
    const [app] = sandbox.fixtures.apps
    await dashboard.open(`/apps/${app?.clientId}?tab=settings`)
    const name = page.getByLabel('Name')
    await expect(name).toBeVisible()
    const redirectUris = ['http://localhost:4000/elsewhere']
    await sandbox.control('PATCH', `apps/${app?.clientId}`, { redirectUris })
    await name.fill('Renamed')
    await dashboard.button('Save').click()
    await expect(page.getByText('App saved')).toBeVisible()
    const apps = await list<{ clientId: string; name: string; redirectUris: string[] }>('apps')
    expect(apps.find(({ clientId }) => clientId === app?.clientId)).toMatchObject({
      name: 'Renamed',
      redirectUris,
    })
  })

  test('for a user and an organization', async ({ dashboard, sandbox, list }) => {
    for (const [view, account, change] of [
      ['users', 'bob', { isPro: true }],
      ['organizations', 'acme', { plan: 'plus' }],
    ] as const) {
      await dashboard.open(`/people?view=${view}`)
      await dashboard.button(`Edit ${account}`).click()
      const dialog = dashboard.dialog(`Edit ${account}`)
      await expect(dialog).toBeVisible()
      await sandbox.control('PATCH', `${view}/${account}`, change)
      await dialog.getByLabel('Full name').fill('Renamed')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(dialog).toBeHidden()
      expect(await list<object>(view)).toContainEqual(
        expect.objectContaining({ fullname: 'Renamed', ...change }),
      )
    }
  })

  test('for a webhook', async ({ dashboard, sandbox, list, page }) => {
    const { id } = await sandbox.control<{ id: string }>('POST', 'webhooks', {
      user: 'alice',
      name: 'mine',
      url: 'http://localhost:9/one',
      watched: [{ type: 'user', name: 'alice' }],
    })
    await dashboard.open('/webhooks')
    await dashboard.button('More for mine').click()
    await page.getByRole('menuitem', { name: 'Edit…' }).click()
    const dialog = dashboard.dialog('Edit webhook')
    await expect(dialog).toBeVisible()
    await sandbox.control('PATCH', `webhooks/${id}`, { url: 'http://localhost:9/two' })
    await dialog.getByRole('textbox', { name: 'Name' }).first().fill('ours')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    expect(await list<object>('webhooks')).toContainEqual(
      expect.objectContaining({ name: 'ours', url: 'http://localhost:9/two' }),
    )
  })
})

test('Back does not reopen a closed panel', async ({ dashboard, page }) => {
  await dashboard.open('/')
  await dashboard.go('/tokens')
  await dashboard
    .button(/^Open token/)
    .first()
    .click()
  await expect(dashboard.beside('Token')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dashboard.beside('Token')).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(`${dashboard.url}/tokens`)
  await expect(dashboard.beside('Token')).toHaveCount(0)
})
