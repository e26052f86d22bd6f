import { commit } from '@huggingface/hub'
import { noise } from '../helpers/xet-files.ts'
import { expect, test as base } from './fixtures.ts'
import { brokenRules } from './pages/accessibility.ts'
import { Dashboard } from './pages/dashboard.ts'
import { startReceiverOfAcme } from './pages/receiver.ts'

interface Repo {
  id: string
  type: string
  name: string
  private: boolean
  gated: string | false
}

const test = base.extend<{ dashboard: Dashboard; repos: () => Promise<Repo[]> }>({
  dashboard: async ({ page, sandbox }, provide) => provide(new Dashboard(page, sandbox.url)),
  repos: async ({ sandbox }, provide) => {
    await provide(async () => (await sandbox.control<{ items: Repo[] }>('GET', 'repos')).items)
  },
})

test('a repo is created with its README and calls a webhook', async ({
  dashboard,
  sandbox,
  repos,
}) => {
  const receiver = await startReceiverOfAcme(sandbox)
  await dashboard.open('/repos')
  await dashboard.button('Create repo').click()
  const dialog = dashboard.dialog('Create repo')
  await dialog.getByRole('button', { name: 'Dataset' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('acme/fresh')
  await dialog.getByLabel('README.md').fill('# Fresh “data”\n')
  await dialog.getByRole('checkbox', { name: 'Private' }).click()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog).toBeHidden()
  await expect(dashboard.heading('acme/fresh')).toBeVisible()
  await expect(dashboard.page.getByRole('main')).toContainText('private')

  const made = (await repos()).find(({ name }) => name === 'acme/fresh')
  expect(made).toMatchObject({ type: 'dataset', private: true })
  const { files } = await sandbox.control<{ files: object[] }>('GET', `repos/${made?.id}`)
  expect(files).toContainEqual(
    expect.objectContaining({ path: 'README.md', size: Buffer.byteLength('# Fresh “data”\n') }),
  )
  await sandbox.idle()
  expect(receiver.received.map((body) => JSON.parse(body) as unknown)).toContainEqual(
    expect.objectContaining({
      event: { scope: 'repo', action: 'create' },
      repo: expect.objectContaining({ name: 'acme/fresh', private: true }),
    }),
  )
  await receiver.close()
})

test('a taken name and an unknown owner are reported; cancelling creates nothing', async ({
  dashboard,
  repos,
}) => {
  const before = await repos()
  await dashboard.open('/repos')
  await dashboard.button('Create repo').click()
  const dialog = dashboard.dialog('Create repo')
  const name = dialog.getByLabel('Name', { exact: true })
  const create = dialog.getByRole('button', { name: 'Create' })
  for (const [bad, why] of [
    ['alice/tiny-sentiment', 'You already created this model repo'],
    ['nobody/x', 'Namespace not found: nobody'],
    ['alice/two words', 'Invalid repo name'],
  ] as const) {
    await name.fill(bad)
    await create.click()
    await expect(dialog.getByRole('alert')).toContainText(why)
  }
  // Not asked at all: the form knows that it has two parts.
  for (const bad of ['alone', 'a/b/c', '/x', 'x/']) {
    await name.fill(bad)
    expect(await name.evaluate((input: HTMLInputElement) => input.checkValidity())).toBe(false)
  }
  // The same name is free among the Spaces.
  await name.fill('alice/tiny-sentiment')
  await dialog.getByRole('button', { name: 'Space' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  expect((await repos()).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
})

test('visibility and gating of a repo are changed in its dialog', async ({ dashboard, repos }) => {
  const find = async () => (await repos()).find(({ name }) => name === 'alice/tiny-sentiment')
  const model = await find()
  expect(model).toMatchObject({ private: false, gated: false })
  await dashboard.open(`/repos?open=${model?.id}`)
  const dialog = dashboard.dialog('alice/tiny-sentiment')
  await dialog.getByRole('switch', { name: 'Private' }).click()
  await expect(dialog.getByRole('switch', { name: 'Private' })).toBeChecked()
  await expect.poll(async () => (await find())?.private).toBe(true)
  await dashboard.choose(dialog.getByRole('combobox', { name: 'Gate' }), 'Gated, manual approval')
  await expect.poll(async () => (await find())?.gated).toBe('manual')
})

test('deleting a repo closes its dialog', async ({ dashboard, repos }) => {
  const [model] = (await repos()).filter(({ name }) => name === 'dave/bird-calls')
  await dashboard.open(`/repos?open=${model?.id}`)
  const dialog = dashboard.dialog('dave/bird-calls')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dashboard
    .question('Delete dave/bird-calls?')
    .getByRole('button', { name: 'Delete repo' })
    .click()
  await expect(dashboard.notice('Repo deleted')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(dashboard.dialog('Repo')).toHaveCount(0)
  await expect(dashboard.page).toHaveURL(/\/repos$/)
  expect((await repos()).map(({ name }) => name)).not.toContain('dave/bird-calls')
})

test('the filters of the list are in the URL', async ({ dashboard, page }) => {
  await dashboard.open('/repos')
  const rows = dashboard.table('Repos')
  await dashboard.button('Datasets').click()
  await page.getByRole('searchbox', { name: 'Filter repos' }).fill('CORP')
  await expect(page).toHaveURL(/\/repos\?type=dataset&q=CORP$/)
  await expect(rows.filter({ hasText: 'acme/corpus' })).toBeVisible()
  await expect(rows.filter({ hasText: 'alice/tiny-sentiment' })).toHaveCount(0)

  await rows.getByRole('button', { name: 'Settings of acme/corpus' }).click()
  await expect(page).toHaveURL(/type=dataset&q=CORP&open=/)
  await page.reload()
  await expect(dashboard.dialog('acme/corpus')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/repos\?type=dataset&q=CORP$/)

  await page.getByRole('searchbox', { name: 'Filter repos' }).fill('nothing like it')
  await expect(page.getByText('No matching repos')).toBeVisible()
  await dashboard.button('Clear filter').click()
  await expect(dashboard.table('Repos').nth(2)).toBeVisible()
  await page.getByRole('searchbox', { name: 'Filter repos' }).fill('')
  await dashboard.button(/^All/).click()
  await expect(page).toHaveURL(/\/repos$/)
  await dashboard.open('/repos?type=nonsense')
  await expect(rows.filter({ hasText: 'alice/tiny-sentiment' })).toBeVisible()
})

test('a bucket is created, shows the files that arrive, and is deleted', async ({
  dashboard,
  page,
  sandbox,
}, info) => {
  await dashboard.open('/repos')
  await dashboard.button('Create repo').click()
  const dialog = dashboard.dialog('Create repo')
  await dialog.getByRole('button', { name: 'Bucket' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('alice/results')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dashboard.heading('alice/results')).toBeVisible()
  await expect(page.getByText('No files')).toBeVisible()

  const content = noise(70_000)
  await commit({
    repo: { type: 'bucket', name: 'alice/results' },
    accessToken: 'hf_sandbox_alice',
    hubUrl: sandbox.url,
    title: '',
    operations: ['a b/weights #1.bin', 'log.txt'].map((path) => ({
      operation: 'addOrUpdate' as const,
      path,
      content: new Blob([Uint8Array.from(content)]),
    })),
  })
  // Live: the page was open before.
  const files = page.getByRole('list', { name: 'Files' }).getByRole('link')
  await expect(files).toHaveText([/a b\/weights #1\.bin.*68\.4 KiB/, /log\.txt/])
  await expect(page.getByText('2 files')).toBeVisible()
  const answer = await page.request.get((await files.first().getAttribute('href')) ?? '')
  expect(content.equals(await answer.body())).toBe(true)
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [320, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await brokenRules(page)).toEqual([])
    await page.screenshot({ path: info.outputPath(`bucket-${width}.png`) })
  }

  await dashboard.open('/repos?type=bucket')
  const rows = dashboard.table('Repos')
  await expect(rows.filter({ hasText: 'alice/results' })).toBeVisible()
  await expect(rows.filter({ hasText: 'alice/tiny-sentiment' })).toHaveCount(0)
  await rows.getByRole('button', { name: 'Settings of alice/results' }).click()
  await dashboard.dialog('alice/results').getByRole('button', { name: 'Delete' }).click()
  const question = dashboard.question('Delete alice/results?')
  await question.getByRole('button', { name: /^Delete/ }).click()
  await expect(question).toBeHidden()
  await expect(rows.filter({ hasText: 'alice/results' })).toHaveCount(0)
})

test('a free name is proposed for a new repo, and taken where none is typed', async ({
  dashboard,
  sandbox,
}) => {
  await sandbox.control('POST', 'repos', { type: 'model', name: 'alice/my-model' })
  await dashboard.open('/repos?new')
  const dialog = dashboard.dialog('Create repo')
  const name = dialog.getByLabel('Name', { exact: true })
  await expect(name).toHaveAttribute('placeholder', 'alice/my-model-2')
  await dialog.getByRole('button', { name: 'Dataset' }).click()
  await expect(name).toHaveAttribute('placeholder', 'alice/my-dataset')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dashboard.heading('alice/my-dataset')).toBeVisible()
})
