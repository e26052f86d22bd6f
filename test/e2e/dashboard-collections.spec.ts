import { expect, test as base } from './fixtures.ts'
import { brokenRules } from './pages/accessibility.ts'
import { Dashboard } from './pages/dashboard.ts'

const test = base.extend<{ dashboard: Dashboard }>({
  dashboard: async ({ page, sandbox }, provide) => provide(new Dashboard(page, sandbox.url)),
})

test.use({
  sandboxOptions: {
    fixtures: {
      users: [
        { username: 'alice', tokens: [{ token: 'hf_sandbox_alice', role: 'write' }] },
        { username: 'bob' },
      ],
      organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }],
      repos: [
        { type: 'model', name: 'acme/tagger' },
        { type: 'dataset', name: 'acme/hidden', private: true },
      ],
    },
  },
})

test('a collection is created, filled, ordered, annotated and deleted', async ({
  dashboard,
  sandbox,
}) => {
  const { page } = dashboard
  await dashboard.open('/collections')
  await expect(page.getByText('No collections yet')).toBeVisible()
  await dashboard.button('Create collection').click()
  const dialog = dashboard.dialog('Create collection')
  await dialog.getByRole('textbox', { name: 'Owner' }).fill('nowhere')
  await dialog.getByLabel('Title').fill('Best models')
  await dialog.getByRole('button', { name: 'Create collection' }).click()
  await expect(dialog.getByRole('alert')).toContainText('no user or organization nowhere')
  await dialog.getByRole('textbox', { name: 'Owner' }).fill('acme')
  await dialog.getByRole('button', { name: 'Create collection' }).click()
  await expect(dashboard.heading('Best models')).toBeVisible()

  const addItem = async (kind: string, name: string, note: string) => {
    await dashboard.button('Add item').first().click()
    const add = dashboard.dialog('Add item')
    await add.getByRole('button', { name: kind, exact: true }).click()
    await add.getByLabel('Name').fill(name)
    await add.getByLabel('Note').fill(note)
    expect(await brokenRules(page)).toEqual([])
    await add.getByRole('button', { name: 'Add item' }).click()
    await expect(add).toBeHidden()
  }
  await addItem('Model', 'acme/tagger', 'the old one')
  await addItem('Paper', '2307.09288', '')
  const rows = dashboard.table('Items')
  await expect(rows).toHaveCount(3)
  await dashboard.button('Move 2307.09288 up').click()
  await expect(rows.nth(1)).toContainText('2307.09288')
  await dashboard.button('Edit the note of 2307.09288').click()
  const note = dashboard.dialog('Note of 2307.09288')
  await note.getByLabel('Note').fill('read this')
  expect(await brokenRules(page)).toEqual([])
  await note.getByRole('button', { name: 'Save' }).click()
  await expect(rows.nth(1)).toContainText('read this')

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const edit = dashboard.dialog('Edit collection')
  await edit.getByRole('textbox', { name: 'Title' }).fill('Better models')
  await dashboard.choose(edit.getByRole('combobox', { name: 'Color' }), 'pink')
  await expect(page.getByRole('listbox')).toBeHidden()
  expect(await brokenRules(page)).toEqual([])
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(dashboard.heading('Better models')).toBeVisible()

  // The same as on the Hub.
  const { items } = await sandbox.control<{ items: { slug: string }[] }>('GET', 'collections')
  const onHub = await fetch(`${sandbox.url}/api/collections/${items[0]?.slug}`)
  const { items: hubItems } = (await onHub.json()) as { items: { id: string; note?: object }[] }
  expect(hubItems.map(({ id }) => id)).toEqual(['2307.09288', 'acme/tagger'])

  await rows.getByRole('link', { name: 'acme/tagger' }).click()
  await expect(dashboard.heading('acme/tagger')).toBeVisible()
  await page.goBack()
  await dashboard.button('Remove acme/tagger').click()
  await expect(rows).toHaveCount(2)
  await dashboard.button('Delete').first().click()
  await page.getByRole('button', { name: 'Delete collection' }).click()
  await expect(page.getByText('No collections yet')).toBeVisible()
})

test('a collection is shown as another user sees it', async ({ dashboard, sandbox }) => {
  const make = (body: object) =>
    sandbox.control<{ id: string }>('POST', 'collections', { owner: 'acme', ...body })
  const { id } = await make({ title: 'Open' })
  await make({ title: 'Inside', private: true })
  await sandbox.control('POST', `collections/${id}/items`, {
    type: 'dataset',
    target: 'acme/hidden',
  })
  await sandbox.control('POST', `collections/${id}/items`, { type: 'model', target: 'acme/tagger' })
  const { page } = dashboard
  await dashboard.open('/collections')
  const rows = dashboard.table('Collections')
  await expect(rows).toHaveCount(3)
  await dashboard.choose(page.getByLabel('View and act as'), 'bob')
  await expect(rows).toHaveCount(2)
  await rows.getByRole('button', { name: 'Open' }).click()
  await expect(dashboard.table('Items')).toHaveCount(2)
  await expect(page.getByText('1 item not shown: bob may not see them')).toBeVisible()
  await expect(page.getByText('bob may see this collection, but not change it.')).toBeVisible()
  await expect(dashboard.button('Add item')).toHaveCount(0)
  await expect(page.locator('main')).not.toContainText('acme/hidden')
  await dashboard.choose(page.getByLabel('View and act as'), 'alice')
  await expect(dashboard.table('Items')).toHaveCount(3)
  await expect(dashboard.button('Add item')).toBeVisible()
})

test('a collection that a client creates appears at once', async ({ dashboard, sandbox }) => {
  await dashboard.open('/collections')
  await expect(dashboard.page.getByText('No collections yet')).toBeVisible()
  const answer = await fetch(`${sandbox.url}/api/collections`, {
    method: 'POST',
    headers: { authorization: 'Bearer hf_sandbox_alice', 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'From a client', namespace: 'alice' }),
  })
  expect(answer.status).toBe(200)
  await expect(dashboard.table('Collections').filter({ hasText: 'From a client' })).toBeVisible()
})
