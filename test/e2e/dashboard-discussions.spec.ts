import { createWebhooks } from '../../server/receiver/index.ts'
import type { Sandbox } from '../../server/index.ts'
import { expect, test as base } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

const dataset = '/api/datasets/acme/corpus'

const test = base.extend<{ dashboard: Dashboard }>({
  dashboard: async ({ page, sandbox }, provide) => provide(new Dashboard(page, sandbox.url)),
})

/** Calls the Hub's API as the program of a user. */
async function call<T>(sandbox: Sandbox, user: string, path: string, body: object): Promise<T> {
  const response = await fetch(`${sandbox.url}${dataset}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer hf_sandbox_${user}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

test('a bot answers in the open discussion without a reload', async ({
  dashboard,
  page,
  sandbox,
}) => {
  const bot = createWebhooks({ secret: 'secret of the bot' })
  bot.on('discussion.comment.create', async ({ comment, discussion }) => {
    if (discussion === undefined || comment?.content?.includes('@bot') !== true) return
    await call(sandbox, 'bob', `discussions/${discussion.num}/comment`, {
      comment: 'Use the first **shard**.',
    })
  })
  const { port, close } = await bot.listen({ port: 0 })
  await sandbox.control('POST', 'webhooks', {
    owner: 'alice',
    url: `http://127.0.0.1:${port}/webhooks/events`,
    secret: 'secret of the bot',
    watched: [{ type: 'org', name: 'acme' }],
    domains: ['discussion'],
    actsAs: 'bob',
  })
  const { num } = await call<{ num: number }>(sandbox, 'carol', 'discussions', {
    title: 'How do I load it?',
    description: 'It is large.',
  })
  await dashboard.open(`/repos/dataset/acme/corpus?view=discussions&num=${num}`)
  await page.evaluate(() => document.body.setAttribute('data-same-page', ''))
  await page.getByLabel('Comment as alice').fill('@bot, can you help?')
  await dashboard.button('Comment').click()
  const comments = page.getByLabel('Comments')
  await expect(comments.getByText('@bot, can you help?')).toBeVisible()
  await expect(comments.getByText('Use the first shard.')).toBeVisible()
  await expect(page.locator('[data-same-page]')).toHaveCount(1)
  await sandbox.idle()
  await close()
})

test('a pull request in conflict is merged once its branch has been corrected', async ({
  dashboard,
  page,
  sandbox,
}) => {
  const commit = (user: string, revision: string, content: string) =>
    call<{ pullRequestUrl?: string }>(sandbox, user, `commit/${revision}`, {
      summary: 'Change the notes',
      files: [{ path: 'notes.txt', content }],
    })
  await commit('alice', 'main', 'one\n')
  const { pullRequestUrl = '' } = await commit('bob', 'main?create_pr=1', 'two, by bob\n')
  const num = pullRequestUrl.split('/').at(-1)
  await dashboard.open(`/repos/dataset/acme/corpus?view=discussions&num=${num}`)
  const warning = page.getByText(/^Cannot be merged:/)
  const merge = dashboard.button('Merge')
  await expect(merge).toBeVisible()
  await expect(warning).toHaveCount(0)

  await commit('alice', 'main', 'two, by alice\n')
  await expect(warning).toContainText('notes.txt')
  await merge.click()
  await expect(page.getByRole('alert')).toContainText('notes.txt')
  await expect(page.getByText('open', { exact: true })).toBeVisible()

  await commit('bob', `refs%2Fpr%2F${num}`, 'two, by alice\n')
  await expect(warning).toHaveCount(0)
  await merge.click()
  await expect(page.getByText('merged', { exact: true })).toBeVisible()
  const text = await fetch(`${sandbox.url}/datasets/acme/corpus/raw/main/notes.txt`, {
    headers: { authorization: 'Bearer hf_sandbox_alice' },
  })
  expect(await text.text()).toBe('two, by alice\n')
})
