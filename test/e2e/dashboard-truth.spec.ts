import type { Page } from '@playwright/test'
import { makeBusy } from './busy-sandbox.ts'
import { expect, test as base } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'
import { DeliveriesPage } from './pages/deliveries.ts'
import { fixedPages, pagesOfThings } from './pages/every-page.ts'
import { startReceiver } from './pages/receiver.ts'

const test = base.extend<{ dashboard: Dashboard }>({
  dashboard: async ({ page, sandbox }, provide) => provide(new Dashboard(page, sandbox.url)),
})

const push = { event: 'repo.content', repo: 'datasets/acme/corpus' }
const acme = [{ type: 'org', name: 'acme' }]

test('a failure rate of one half is shown as such', async ({ page, sandbox }) => {
  const receiver = await startReceiver()
  await sandbox.control('POST', 'webhooks', { user: 'alice', url: receiver.url, watched: acme })
  await sandbox.trigger(push)
  await sandbox.idle()
  receiver.answer(503)
  // Or the retry would come before it was looked at.
  await sandbox.clock.freeze()
  await sandbox.trigger(push)
  await sandbox.idle()

  const deliveries = new DeliveriesPage(page, sandbox.url)
  await deliveries.open('/deliveries')
  await expect(deliveries.fact('Success rate')).toHaveText('50 %')
  await expect(deliveries.fact('At first attempt')).toHaveText('50 %')
  await expect(deliveries.fact('Failing')).toHaveText('1')
  await expect(deliveries.fact('Failed')).toHaveText('0')

  await deliveries.withStatus(503).click()
  await deliveries.pane('Summary').click()
  await expect(deliveries.detail).toContainText('1 attempt failed in a row')
  await deliveries.visit('Endpoints')
  await deliveries.table('Webhooks').filter({ hasText: 'failing' }).click()
  const panel = page.getByRole('complementary').last()
  await expect(panel).toContainText('1 attempt failed in a row')
  await expect(panel).toContainText(/Last error: .*503/)
  await panel.getByRole('link', { name: 'Last error' }).click()
  await expect(deliveries.pane('Response')).toHaveAttribute('aria-selected', 'true')

  await deliveries.open('/deliveries')
  receiver.answer(200)
  await sandbox.clock.advance('1h')
  await expect(deliveries.fact('Success rate')).toHaveText('100 %')
  await expect(deliveries.fact('At first attempt')).toHaveText('50 %')
  await expect(deliveries.fact('Failing')).toHaveText('0')
  await receiver.close()
})

test('a device code ends as approved, denied or expired', async ({ dashboard, sandbox }) => {
  const app = sandbox.fixtures.apps.find(({ clientSecret }) => clientSecret === undefined)
  const ask = async () => {
    const body = new URLSearchParams({ client_id: app?.clientId ?? '', scope: 'openid' })
    const answer = await fetch(`${sandbox.url}/oauth/device`, { method: 'POST', body })
    return ((await answer.json()) as { user_code: string }).user_code
  }
  const [approved, denied, expired] = [await ask(), await ask(), await ask()]
  await dashboard.open('/devices')
  const card = (code: string) =>
    dashboard.page
      .getByRole('list', { name: 'Device codes' })
      .getByRole('listitem')
      .filter({ hasText: code })
  await expect(card(approved)).toContainText('expires in')
  await card(approved).getByRole('button', { name: 'Approve' }).click()
  await expect(card(approved)).toContainText('approved')
  await card(denied).getByRole('button', { name: 'Deny' }).click()
  await expect(card(denied)).toContainText('denied')
  await sandbox.clock.advance('6m')
  await expect(card(expired)).toContainText('expired')
  await expect(card(expired).getByRole('button', { name: 'Approve' })).toHaveCount(0)
  await expect(card(denied)).toContainText('denied')
})

test('a flood of requests does not push other activity out', async ({ dashboard, sandbox }) => {
  await sandbox.control('POST', 'sessions', { user: 'bob' })
  await dashboard.open('/activity')
  await expect(dashboard.page.getByText('bob signed in')).toBeVisible()
  const headers = { authorization: 'Bearer hf_sandbox_alice' }
  for (let round = 0; round < 30; round++) {
    const asked = Array.from({ length: 25 }, () =>
      fetch(`${sandbox.url}/api/whoami-v2`, { headers }),
    )
    await Promise.all(asked)
  }
  await sandbox.control('POST', 'sessions', { user: 'carol' })
  await expect(dashboard.page.getByText('carol signed in')).toBeVisible()
  await expect(dashboard.page.getByText('bob signed in')).toBeVisible()
  await dashboard.page.reload()
  await expect(dashboard.page.getByText('carol signed in')).toBeVisible()
  await expect(dashboard.page.getByText('bob signed in')).toBeVisible()
})

test('t and Enter trigger the event that the form shows', async ({ dashboard, sandbox }) => {
  const { page } = dashboard
  await dashboard.open('/')
  await page.keyboard.press('t')
  const dialog = dashboard.dialog('Trigger an event')
  await expect(dialog.getByRole('combobox', { name: /push/ })).toBeFocused()
  await expect(dialog.getByRole('heading', { level: 3 })).toHaveText(/push/i)
  await expect(
    dialog.getByRole('button', { name: 'Change the payload', exact: true }),
  ).toBeVisible()
  const repo = await dialog.getByLabel('Repo', { exact: true }).inputValue()
  const headOf = async () => {
    const { items } = await sandbox.control<{
      items: { type: string; name: string; headSha: string }[]
    }>('GET', 'repos')
    return items.find(({ type, name }) => `${type}s/${name}` === repo)?.headSha
  }
  const before = await headOf()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Triggered repo.content · update')).toBeVisible()
  await expect(dialog).toBeHidden()
  expect(await headOf()).not.toBe(before)

  await page.keyboard.press('t')
  await dialog.getByLabel('Repo', { exact: true }).fill('datasets/acme/corpus')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await page.keyboard.press('t')
  await expect(dialog.getByLabel('Repo', { exact: true })).toHaveValue('datasets/acme/corpus')
})

test('a trigger without receivers says so, with the reason', async ({ page, sandbox }) => {
  const deliveries = new DeliveriesPage(page, sandbox.url)
  await deliveries.open('/deliveries')
  const trigger = deliveries.button('Trigger repo.content update')
  await trigger.click()
  await expect(page.getByText('Triggered repo.content · update')).toBeVisible()
  await expect(page.getByText('Nothing was delivered: there are no webhooks.')).toBeVisible()

  await sandbox.control('POST', 'webhooks', {
    user: 'alice',
    name: 'sleeper',
    url: 'http://localhost:9/hook',
    watched: [{ type: 'user', name: 'alice' }],
    disabled: true,
  })
  await expect(page.getByText('Changes in watched repos')).toBeVisible()
  await trigger.click()
  await expect(page.getByText('Nothing was delivered: sleeper is disabled.')).toBeVisible()
  await page.getByRole('link', { name: 'Show skipped' }).click()
  await expect(deliveries.rows.filter({ hasText: 'sleeper' })).toContainText('disabled')
})

test('a restore asks for confirmation and names what will be lost', async ({
  dashboard,
  sandbox,
}) => {
  const { page } = dashboard
  await sandbox.snapshot('before')
  await sandbox.control('POST', 'users', { username: 'zoe' })
  await fetch(`${sandbox.url}/api/whoami-v2`)
  await dashboard.open('/settings')
  const restore = dashboard.button('Restore before')
  const question = page.getByRole('alertdialog', { name: 'Restore before?' })
  await restore.click()
  await expect(question).toContainText('The request log is cleared too: 1 request.')
  await question.getByRole('button', { name: 'Cancel' }).click()
  const names = async () => {
    const { items } = await sandbox.control<{ items: { username: string }[] }>('GET', 'users')
    return items.map(({ username }) => username)
  }
  expect(await names()).toContain('zoe')

  await restore.click()
  await question.getByRole('button', { name: 'Restore snapshot' }).click()
  await expect(question).toBeHidden()
  expect(await names()).not.toContain('zoe')
  await dashboard.visit('Activity')
  await expect(page.getByText('Snapshot before restored')).toBeVisible()
  await expect(page.getByText('Request log cleared: 1 request')).toBeVisible()
  await page.getByRole('link', { name: 'Requests', exact: true }).click()
  await expect(page.getByText('The log was cleared when before was restored')).toBeVisible()
})

test('a job that was not run is not green', async ({ page, sandbox }) => {
  await sandbox.control('POST', 'webhooks', {
    user: 'alice',
    name: 'retrain',
    job: { dockerImage: 'retrain:7' },
    watched: acme,
  })
  await sandbox.trigger(push)
  await sandbox.idle()
  const deliveries = new DeliveriesPage(page, sandbox.url)
  await deliveries.open('/deliveries')
  const row = deliveries.rows.filter({ hasText: 'retrain' })
  await expect(row).toContainText('not run')
  await expect(row.locator('.text-ok')).toHaveCount(0)
  await expect(deliveries.fact('Success rate')).toHaveText('–')
  await row.click()
  await expect(deliveries.detail.getByText('Not run').first()).toBeVisible()
  await expect(deliveries.detail.locator('.text-ok')).toHaveCount(0)
  for (const [pane, text] of [
    ['Request', 'so there is no request.'],
    ['Response', 'so there is no response.'],
  ] as const) {
    await deliveries.pane(pane).click()
    await expect(deliveries.detail).toContainText(`The webhook starts a job, ${text}`)
  }

  await deliveries.open('/jobs')
  const job = deliveries.table('Jobs').filter({ hasText: 'retrain:7' })
  await expect(job).toContainText('not run')
  await expect(job.locator('.text-ok')).toHaveCount(0)
})

test('a refusal links to its own request', async ({ page, sandbox }) => {
  await page.goto(`${sandbox.url}/oauth/authorize?client_id=somebody`)
  await fetch(`${sandbox.url}/oauth/authorize?client_id=another`)
  await page.getByRole('link', { name: 'See the request in the dashboard' }).click()
  const dialog = new Dashboard(page, sandbox.url).requestPanel
  await expect(dialog).toContainText('client_id=somebody')
  await expect(dialog).toContainText('invalid_client')
})

test('unknown things are reported as not found', async ({ dashboard }) => {
  const { page } = dashboard
  for (const path of [
    '/requests/nothing',
    '/jobs/nothing',
    '/deliveries/nothing',
    '/apps/nothing',
    '/repos?open=nothing',
    '/webhooks/nothing/activity',
    '/organizations/nothing/audit-log',
  ]) {
    await dashboard.open(path)
    await expect(page.getByText('deleted or cleared by a reset')).toBeVisible()
    await expect(page.getByText('Could not load this')).toHaveCount(0)
  }
})

test('a mistake in a form is reported once, at its field', async ({ dashboard }) => {
  await dashboard.open('/webhooks?new')
  const dialog = dashboard.dialog('Create webhook')
  const address = dialog.getByRole('textbox', { name: 'URL' })
  await address.fill('ftp://localhost/hook')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByRole('alert')).toHaveCount(1)
  await expect(address).toHaveAttribute('aria-invalid', 'true')
  await expect(address).toHaveAccessibleDescription(await dialog.getByRole('alert').innerText())
})

test('a refused trigger is explained once, beside its field', async ({ dashboard }) => {
  const { page } = dashboard
  await dashboard.open('/')
  await page.keyboard.press('t')
  const dialog = dashboard.dialog('Trigger an event')
  const refusal = page.getByText('There is no repo models/nobody/nothing.')
  const repo = dialog.getByLabel('Repo', { exact: true })
  await repo.fill('models/nobody/nothing')
  await expect(refusal).toHaveCount(1)
  const submit = dialog.getByRole('button', { name: 'Apply' }).last()
  const refused = page.waitForResponse(
    (response) => !(response.request().postData() ?? 'preview').includes('preview'),
  )
  await submit.click()
  expect((await refused).status()).toBe(404)
  await expect(submit).toBeEnabled()
  await expect(refusal).toHaveCount(1)
  await expect(repo).toHaveAccessibleDescription('There is no repo models/nobody/nothing.')

  await repo.fill('datasets/acme/corpus')
  await expect(dialog.getByRole('region', { name: 'Preview' })).toBeVisible()
  await expect(refusal).toHaveCount(0)
})

test('a request shows its start and end by the sandbox clock, and its duration', async ({
  dashboard,
  sandbox,
}) => {
  const { id } = await sandbox.control<{ id: string }>('POST', 'barriers', {
    match: { route: '/api/whoami-v2' },
    count: 2,
  })
  await sandbox.clock.freeze()
  await sandbox.clock.set('2030-01-02T10:00:00.000Z')
  const answer = fetch(`${sandbox.url}/api/whoami-v2`)
  await expect(async () => {
    const { items } = await sandbox.control<{ items: { held: string[] }[] }>('GET', 'barriers')
    expect(items[0]?.held).toHaveLength(1)
  }).toPass()
  await sandbox.clock.advance('2h')
  await sandbox.control('POST', `barriers/${id}/release`, {})
  await answer

  await dashboard.open('/requests?q=whoami')
  await dashboard.table('Requests').nth(1).getByRole('button').click()
  const dialog = dashboard.requestPanel
  const came = dialog.getByRole('term').filter({ hasText: 'Received' }).locator('+ dd')
  const ended = dialog.getByRole('term').filter({ hasText: 'Completed' }).locator('+ dd')
  await expect(came).toContainText(':00:00.000')
  await expect(ended).toContainText(':00:00.000')
  const [hourCame, hourEnded] = [await came.innerText(), await ended.innerText()].map((text) =>
    Date.parse(text),
  )
  expect((hourEnded ?? 0) - (hourCame ?? 0)).toBe(2 * 3_600_000)
  await expect(dialog).toContainText('in real time; the sandbox clock was changed meanwhile')
})

test('a page whose code fails to load says so, and the rest of the dashboard works', async ({
  dashboard,
}) => {
  const { page } = dashboard
  const later = /\/assets\/(?!index|rolldown|shared|vendor)[\w-]+\.js$/
  await page.route(later, (route) => route.abort())
  await dashboard.open('/repos')
  await expect(page.getByRole('alert')).toContainText('Could not load this')
  // The bar above is there, and so is the page that came at first.
  await expect(page.locator('[data-live="open"]')).toBeVisible()
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(dashboard.heading('Home')).toBeVisible()
  // In place of the status; the rest of the page is there.
  await expect(page.getByRole('alert')).toHaveCount(1)
  await expect(page.getByRole('heading', { name: 'Trigger an event' })).toBeVisible()

  await dashboard.visit('Hub data')
  await page.unroute(later)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(dashboard.heading('Repos')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('the link of each number opens exactly that many rows', async ({ dashboard, sandbox }) => {
  const end = await makeBusy(sandbox)
  for (const port of [9, 11, 13, 15, 17]) {
    const url = `http://localhost:${port}/hook`
    await sandbox.control('POST', 'webhooks', { user: 'alice', url, watched: acme })
  }
  const app = sandbox.fixtures.apps.find(({ clientSecret }) => clientSecret === undefined)
  for (const _ of [1, 2, 3]) {
    const body = new URLSearchParams({ client_id: app?.clientId ?? '', scope: 'openid' })
    await fetch(`${sandbox.url}/oauth/device`, { method: 'POST', body })
  }
  await sandbox.clock.freeze()
  await sandbox.trigger(push)
  await sandbox.idle()

  const { page } = dashboard
  await dashboard.open('/')
  const links = page
    .getByRole('list', { name: 'Contents' })
    .getByRole('link')
    .or(page.getByRole('list', { name: 'Active overrides' }).getByRole('link'))
    .or(page.getByRole('main').getByRole('link', { name: /^Show all \d+/ }))
  await expect(page.getByRole('link', { name: /^Show all \d+ issues/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Show all \d+ devices/ })).toBeVisible()
  const texts = await links.allInnerTexts()
  expect(texts.length).toBeGreaterThan(10)
  for (const [index, text] of texts.entries()) {
    const count = Number(/\d[\d,]*/.exec(text)?.[0].replaceAll(',', ''))
    await links.nth(index).click()
    const thing = Object.keys(listOf).find((name) => text.includes(name))
    const list = listOf[thing ?? '']
    const rows = () =>
      list === undefined
        ? page.getByRole('button', { name: /^Remove the fault/ }).count()
        : countRows(page, list)
    await expect.poll(rows, { message: `${text} opens ${page.url()}` }).toBe(count)
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
  }
  await end()
})

/** Lists that numbers link to, by the thing that is counted. */
const listOf: Readonly<Record<string, string>> = {
  token: 'Tokens',
  app: 'Apps',
  request: 'Requests',
  deliver: 'Deliveries',
  webhook: 'Webhooks',
  user: 'Users',
  repo: 'Repos',
  issue: 'Issues',
  device: 'Device codes',
  barrier: 'Barriers',
}

/** Rows of a table, grid or list, counted as assistive technology counts them: also those out of sight. */
async function countRows(page: Page, label: string): Promise<number> {
  const table = page.getByRole('region', { name: label, exact: true }).locator('[aria-rowcount]')
  const grid = page.getByRole('grid', { name: label, exact: true })
  for (const one of [table, grid]) {
    if ((await one.count()) > 0) return Number(await one.first().getAttribute('aria-rowcount')) - 1
  }
  const items = page.getByRole('list', { name: label, exact: true }).getByRole('listitem')
  const size = (await items.count()) > 0 ? await items.first().getAttribute('aria-setsize') : '0'
  return size === null ? items.count() : Number(size)
}

test('no name reorders the text around it', async ({ dashboard, page, sandbox }) => {
  test.slow()
  const name = 'gnp\u202Eexe'
  const post = (path: string, body: object) => sandbox.control<{ id: string }>('POST', path, body)
  const { clientId } = await sandbox.control<{ clientId: string }>('POST', 'apps', {
    name,
    public: true,
    redirectUris: ['http://localhost/callback'],
    scopes: ['openid'],
  })
  await post('users', { username: 'mallory', fullname: name, email: 'mallory@example.org' })
  await post('organizations', { name: 'evil', fullname: name, plan: 'team' })
  await post('collections', { owner: 'alice', title: name, description: name })
  await post('webhooks', { owner: 'alice', name, url: 'http://localhost:9/', watched: acme })
  await post('tokens', { user: 'mallory', role: 'read', name })
  await sandbox.signIn({ user: 'mallory', clientId, scope: 'openid' })
  await sandbox.trigger(push)
  for (const id of [clientId, name]) {
    await fetch(`${sandbox.url}/oauth/authorize?${new URLSearchParams({ client_id: id })}`)
  }
  await fetch(`${sandbox.url}/oauth/device`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId }),
  })
  await sandbox.snapshot('before')
  await dashboard.open('/')
  const found: string[] = []
  const things = Object.values(await pagesOfThings(sandbox))
  for (const path of [...fixedPages, ...things, '/people/mallory']) {
    await dashboard.go(path)
    await expect(page.locator('main h1')).toBeAttached()
    await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
    const lines = (await page.locator('body').innerText()).split('\n')
    found.push(
      ...lines.filter((line) => /\p{Bidi_Control}/u.test(line)).map((line) => `${path}: ${line}`),
    )
  }
  expect(found).toEqual([])
})
