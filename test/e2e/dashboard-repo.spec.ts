import { expect, test as base } from './fixtures.ts'
import { noise, uploadByXet } from '../helpers/xet-files.ts'
import { Dashboard } from './pages/dashboard.ts'
import { startReceiverOfAcme, type TestReceiver } from './pages/receiver.ts'

const path = '/repos/dataset/acme/corpus'
const commits = 'repos/dataset/acme/corpus/commits'

const test = base.extend<{ dashboard: Dashboard; receiver: TestReceiver }>({
  dashboard: async ({ page, sandbox }, provide) => provide(new Dashboard(page, sandbox.url)),
  receiver: async ({ sandbox }, provide) => {
    const receiver = await startReceiverOfAcme(sandbox)
    await provide(receiver)
    await receiver.close()
  },
})

/** Scope and action of what a receiver got. */
const eventsOf = ({ received }: TestReceiver) =>
  received.map((body) => {
    const { event } = JSON.parse(body) as { event: { scope: string; action: string } }
    return `${event.scope}.${event.action}`
  })

test('editing a file makes a commit and calls a webhook', async ({
  dashboard,
  page,
  sandbox,
  receiver,
}) => {
  await dashboard.open('/repos')
  await dashboard.table('Repos').getByRole('link', { name: 'acme/corpus' }).click()
  await expect(page).toHaveURL(/\/repos\/dataset\/acme\/corpus$/)
  await page.getByRole('button', { name: /^README.md/ }).click()
  await dashboard.button('Edit').click()
  const dialog = dashboard.dialog('Edit README.md')
  await dialog.getByLabel('Content').fill('# New words')
  await dialog.getByLabel('Commit title').fill('Say it anew')
  await dialog.getByRole('button', { name: 'Commit' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByLabel('README.md', { exact: true })).toHaveText('# New words')
  await sandbox.idle()
  expect(eventsOf(receiver)).toEqual(['repo.content.update'])

  await dashboard.button('Commits').click()
  await page.getByRole('button', { name: 'Say it anew' }).click()
  await expect(dashboard.dialog('Say it anew')).toContainText('modifiedREADME.md')
  await page.goBack()
  await expect(dashboard.dialog()).toHaveCount(0)
})

test('an edit that conflicts with another one keeps the typed text and can be committed', async ({
  dashboard,
  page,
  sandbox,
}) => {
  const commit = (path: string, content: string | null) =>
    sandbox.control('POST', 'repos/dataset/acme/corpus/commits', {
      user: 'alice',
      title: 'Meanwhile',
      files: { [path]: content },
    })
  await dashboard.open('/repos/dataset/acme/corpus?view=files&path=README.md')
  const shown = page.getByLabel('README.md', { exact: true })
  const dialog = dashboard.dialog('Edit README.md')
  const send = dialog.getByRole('button', { name: 'Commit' })
  const edit = async (text: string) => {
    await dashboard.button('Edit').click()
    await dialog.getByLabel('Content').fill(text)
  }

  await edit('# Mine')
  await commit('README.md', '# Theirs')
  await expect(dialog.getByRole('alert')).toContainText('This file has changed')
  await send.click()
  await expect(dialog.getByLabel('Content')).toHaveValue('# Mine')
  await dialog.getByText('Current content').click()
  await expect(dialog.getByLabel('README.md now')).toHaveText('# Theirs')
  await dialog.getByRole('button', { name: 'Overwrite' }).click()
  await send.click()
  await expect(dialog).toHaveCount(0)
  await expect(shown).toHaveText('# Mine')

  await edit('# Beside')
  await commit('other.txt', 'another file')
  await expect(async () => {
    await send.click({ timeout: 1000 })
    await expect(dialog).toHaveCount(0, { timeout: 1000 })
  }).toPass()
  await expect(shown).toHaveText('# Beside')

  await edit('# Kept')
  await commit('README.md', null)
  await expect(dialog.getByRole('alert')).toContainText('This file was deleted')
  await dialog.getByRole('button', { name: 'Overwrite' }).click()
  await send.click()
  await expect(dialog).toHaveCount(0)
  await expect(shown).toHaveText('# Kept')
})

test('a user without the right to commit gets the reason and can open a pull request', async ({
  dashboard,
  page,
  sandbox,
  receiver,
}) => {
  await sandbox.control('PATCH', 'repos/datasets/acme/corpus', { private: false })
  await sandbox.idle()
  receiver.received.length = 0
  await dashboard.open(`${path}?as=dave`)
  await dashboard.button('Add file').click()
  const dialog = dashboard.dialog('Add file')
  await dialog.getByLabel('Path').fill('idea.txt')
  await dialog.getByLabel('Content').fill('An idea')
  await dialog.getByRole('button', { name: 'Commit' }).click()
  await expect(dialog.getByRole('alert')).toContainText('dave')
  expect(receiver.received).toEqual([])

  await dialog.getByRole('checkbox', { name: 'As a pull request' }).click()
  await dialog.getByRole('button', { name: 'Commit' }).click()
  await expect(dialog).toHaveCount(0)
  await dashboard.button(/^Discussions/).click()
  await page.getByRole('button', { name: /Add idea.txt/ }).click()
  await dashboard.button('Merge').click()
  await expect(page.getByRole('alert')).toContainText('dave')
  await dashboard.choose(page.getByRole('combobox', { name: 'Acting as' }), 'alice')
  await dashboard.button('Merge').click()
  await expect(page.getByText('merged', { exact: true }).first()).toBeVisible()
  await dashboard.button('Files').click()
  await expect(page.getByRole('button', { name: /^idea.txt/ })).toBeVisible()
  await sandbox.idle()
  expect(eventsOf(receiver).toSorted()).toEqual([
    'discussion.create',
    'discussion.update',
    'repo.content.update',
    'repo.content.update',
  ])
})

test('a discussion is opened, commented and closed, and other pages show it at once', async ({
  dashboard,
  page,
  sandbox,
  receiver,
}) => {
  await dashboard.open(`${path}?view=discussions`)
  await dashboard.button('Open discussion').click()
  const dialog = dashboard.dialog('Open discussion')
  await dialog.getByLabel('Title').fill('no')
  await dialog.getByRole('button', { name: 'Open' }).click()
  await expect(dialog.getByRole('alert')).toContainText('3 to 200 characters')
  await dialog.getByLabel('Title').fill('Is <b>this</b> so?')
  await dialog.getByRole('button', { name: 'Open' }).click()
  await expect(page.getByRole('heading', { name: /^Is <b>this<\/b> so\? #/ })).toBeVisible()
  await page.getByLabel('Comment as alice').fill('It is.')
  await dashboard.button('Comment').click()
  await expect(page.getByLabel('Comments').getByText('It is.')).toBeVisible()
  const num = new URL(page.url()).searchParams.get('num')
  await sandbox.control('POST', `repos/dataset/acme/corpus/discussions/${num}/comments`, {
    user: 'bob',
    content: 'I agree.',
  })
  await expect(page.getByLabel('Comments').getByText('I agree.')).toBeVisible()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByText('alice changed the status to closed')).toBeVisible()
  await dashboard.button('Reopen').click()
  await expect(page.getByText('alice changed the status to open')).toBeVisible()
  await sandbox.idle()
  expect(eventsOf(receiver).filter((event) => event === 'discussion.update')).toHaveLength(2)
})

test('branches and tags are created and deleted', async ({ dashboard, page }) => {
  await dashboard.open(`${path}?view=refs`)
  const list = page.getByRole('list', { name: 'Branches and tags' })
  await page.getByRole('textbox', { name: 'Name' }).fill('a..b')
  await dashboard.button('Create').click()
  await expect(page.getByRole('alert')).toContainText('Invalid reference')
  await page.getByRole('textbox', { name: 'Name' }).fill('next')
  await dashboard.button('Create').click()
  await expect(list.getByText('next', { exact: true })).toBeVisible()
  await expect(dashboard.button('Delete branch main')).toBeDisabled()
  await dashboard.button('Delete branch next').click()
  await dashboard.question('Delete branch next?').getByRole('button', { name: 'Delete' }).click()
  await expect(list.getByText('next', { exact: true })).toHaveCount(0)
})

test('a file is shown as text whatever its content, and a long one is folded', async ({
  dashboard,
  page,
  sandbox,
}) => {
  const line = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
  await sandbox.control('POST', commits, {
    user: 'alice',
    title: line,
    files: { 'page.html': `${line}\n`.repeat(1000), 'one-line.txt': 'x'.repeat(100_000) },
  })
  await dashboard.open(`${path}?path=page.html`)
  const text = page.getByLabel('page.html', { exact: true })
  await expect(text).toContainText(line)
  await expect(page).toHaveTitle(/^acme\/corpus/)
  await dashboard.button('Show 600 more lines').click()
  await dashboard.button('Show less').click()
  await dashboard.open(`${path}?path=one-line.txt`)
  await expect(dashboard.button('Show all of 97.7 KiB')).toBeVisible()
  await dashboard.open(`${path}?view=commits`)
  await expect(page.getByRole('button', { name: line })).toBeVisible()
})

test('a missing repo, file or discussion is reported', async ({ dashboard, page }) => {
  await dashboard.open('/repos/dataset/acme/gone')
  await expect(page.getByText('Could not find the dataset acme/gone')).toBeVisible()
  await dashboard.open('/repos/bucket/acme/gone')
  await expect(page.getByText('Could not find the bucket acme/gone')).toBeVisible()
  await dashboard.open('/repos/notebook/acme/corpus')
  await expect(page.getByText('Page not found')).toBeVisible()
  await dashboard.open(`${path}?path=gone.txt`)
  await expect(page.getByText(/There is no file gone.txt/)).toBeVisible()
  await dashboard.open(`${path}?view=discussions&num=99`)
  await expect(page.getByText('Discussion not found: 99')).toBeVisible()
})

test('folders, the README, a clone command and changed lines are shown', async ({
  dashboard,
  page,
  sandbox,
}) => {
  await sandbox.control('POST', commits, {
    user: 'alice',
    title: 'Add notes',
    files: {
      'README.md': '---\nlicense: mit\n---\n# A corpus\n\n<b onclick="x">not bold</b>\n',
      'notes/deep/one.txt': 'one\n',
    },
  })
  await dashboard.open(path)
  await expect(page.getByRole('heading', { name: 'A corpus' })).toBeVisible()
  await expect(page.getByText('<b onclick="x">not bold</b>')).toBeVisible()
  await expect(dashboard.button('Clone')).toBeVisible()
  await page.getByRole('button', { name: 'notes/' }).click()
  await page.getByRole('button', { name: 'deep/' }).click()
  await page.getByRole('button', { name: /^one.txt/ }).click()
  await expect(page.getByLabel('one.txt')).toHaveText('one')
  const place = page.getByRole('navigation', { name: 'Path' })
  await expect(place).toHaveText('corpus/notes/deep/one.txt')
  await place.getByRole('button', { name: 'notes' }).click()
  await expect(page.getByRole('button', { name: 'deep/' })).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('one.txt')).toHaveText('one')

  await dashboard.button('Commits').click()
  await page.getByRole('button', { name: 'Add notes' }).click()
  const lines = page.getByLabel('Changes of notes/deep/one.txt')
  await expect(lines).toHaveText('@@ -0,0 +1,1 @@+one')

  const { pullRequest } = await sandbox.control<{ pullRequest: number }>('POST', commits, {
    user: 'bob',
    title: 'Say two',
    description: 'It was *one*.',
    files: { 'notes/deep/one.txt': 'two\n' },
    pullRequest: true,
  })
  await dashboard.open(`${path}?view=discussions&num=${pullRequest}`)
  await expect(lines).toContainText('-one+two')
  await dashboard.button('Merge').click()
  await expect(page.getByText('merged', { exact: true })).toBeVisible()
})

test('a large file has its own size and can be downloaded', async ({
  dashboard,
  page,
  sandbox,
}) => {
  test.slow()
  await uploadByXet(sandbox.url, noise(3 * 1024 * 1024), { name: 'alice/large', path: 'a/w.bin' })
  await dashboard.open('/repos/model/alice/large?folder=a')
  const file = page.getByRole('button', { name: /^w\.bin/ })
  await expect(file).toHaveText('w.binXet3.0 MiB')
  await file.click()
  await expect(page.getByText('Large file (3.0 MiB), stored by Xet.')).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('git-lfs.github.com')
  await expect(dashboard.button('Edit')).toBeDisabled()
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  expect((await downloading).suggestedFilename()).toBe('w.bin')
})

test('names and titles show bidi controls by their numbers', async ({
  dashboard,
  page,
  sandbox,
}) => {
  const lines = [
    { key: 'header', value: { summary: 'Change \u202Egnihton', description: '\u202Etxet' } },
    { key: 'file', value: { path: 'invoice\u202Efdp.exe', content: 'x' } },
  ]
  const committed = await fetch(`${sandbox.url}/api/datasets/acme/corpus/commit/main?create_pr=1`, {
    method: 'POST',
    headers: { authorization: 'Bearer hf_sandbox_alice', 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  })
  const { pullRequestUrl = '' } = (await committed.json()) as { pullRequestUrl?: string }
  const num = pullRequestUrl.split('/').at(-1)
  const name = String.raw`invoice\u202efdp.exe`
  const title = String.raw`Change \u202egnihton`

  await dashboard.open(`${path}?view=discussions`)
  await page.getByRole('button', { name: title }).click()
  await expect(page.getByRole('heading', { name: `${title} #${num}` })).toBeVisible()
  await expect(page.getByText(`committed “${title}”`)).toBeVisible()
  await expect(page.getByRole('figure').getByText(name)).toBeVisible()
  await page.getByRole('button', { name: 'Merge' }).click()

  await dashboard.open(path)
  await page.getByRole('button', { name }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
  await expect(page.getByLabel('Path').getByText(name)).toBeVisible()
  await dashboard.button('Commits').click()
  await page.getByRole('button', { name: title }).click()
  await expect(dashboard.dialog(title)).toContainText(`added${name}`)
})
