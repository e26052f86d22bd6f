import type { Page } from '@playwright/test'
import { expect, test as base } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

/** Opens the palette, and waits until it takes what is typed. */
async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: /^Search pages/ })).toBeFocused()
}

/** Types a part of what is to be done, sees it lit up, and does it. */
async function choose(page: Page, text: string, label: RegExp): Promise<void> {
  await page.keyboard.type(text)
  await expect(page.locator('[role=option][data-highlighted]')).toHaveText(label)
  await page.keyboard.press('Enter')
}

const test = base.extend<{ dashboard: Dashboard }>({
  dashboard: async ({ page, sandbox }, provide) => {
    const dashboard = new Dashboard(page, sandbox.url)
    await dashboard.open('/repos')
    await openPalette(page)
    await provide(dashboard)
  },
})

test('a pasted token opens its page, and appears in no URL and no title', async ({
  dashboard,
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.keyboard.insertText('hf_sandbox_alice')
  const hit = page.getByRole('option', { name: /alice$/ })
  await expect(page.getByRole('group', { name: 'Tokens' })).toBeVisible()
  await expect(hit).not.toContainText('hf_sandbox_alice')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/tokens\/\w+$/)
  await expect(dashboard.beside('Token')).toBeVisible()
  expect(asked.filter((url) => url.includes('hf_sandbox'))).toEqual([])
  expect(await page.title()).not.toContain('hf_')
})

test('users, organizations, repos, apps, user codes and ids are found', async ({
  dashboard,
  page,
  sandbox,
}) => {
  const app = sandbox.fixtures.apps.find(({ clientSecret }) => clientSecret === undefined)
  const body = new URLSearchParams({ client_id: app?.clientId ?? '', scope: 'openid' })
  const answer = await fetch(`${sandbox.url}/oauth/device`, { method: 'POST', body })
  const { user_code: userCode } = (await answer.json()) as { user_code: string }
  const field = page.getByRole('combobox')
  const group = (name: string) => page.getByRole('group', { name, exact: true })
  const texts: [string, string, RegExp][] = [
    ['bob', 'Users', /^bob/],
    ['acm', 'Organizations', /^acme/],
    ['corpus', 'Repos', /acme\/corpus/],
    ['Team Dash', 'Apps', /^Team Dashboard/],
    [userCode.toLowerCase().replace('-', ''), 'Devices', new RegExp(userCode)],
    [userCode, 'Sign-ins', /device-code/],
  ]
  for (const [text, name, label] of texts) {
    await field.fill(text)
    await expect(group(name).getByRole('option').first()).toHaveText(label)
  }
  await field.fill('corpus')
  await group('Repos').getByRole('option').first().click()
  await expect(dashboard.heading(/corpus/)).toBeVisible()
})

test('an export names what it leaves out', async ({ dashboard, page, sandbox }) => {
  await sandbox.control('POST', 'repos/dataset/acme/corpus/refs', {
    user: 'alice',
    kind: 'branch',
    name: 'dev',
  })
  const download = page.waitForEvent('download')
  await choose(page, 'export as', /^Export as fixtures/)
  expect((await download).suggestedFilename()).toBe('hub-sandbox.json')
  await expect(dashboard.notice('hub-sandbox.json is not complete')).toContainText(
    'Left out of datasets/acme/corpus: the branches dev.',
  )
})

test('clock, faults and snapshots are available, and recent commands come first', async ({
  dashboard,
  page,
  sandbox,
}) => {
  await choose(page, 'freeze', /^Freeze the clock/)
  await expect(dashboard.button(/^Sandbox clock/)).toContainText('frozen')

  await openPalette(page)
  const recent = page.getByRole('group', { name: 'Recent' })
  await expect(recent.getByRole('option')).toHaveText(['Freeze the clock'])
  await choose(page, 'save a snapshot', /^Save a snapshot/)
  await expect(dashboard.notice('Snapshot snapshot-1 saved')).toBeVisible()
  expect(await sandbox.control('GET', 'snapshots')).toMatchObject({
    items: [{ name: 'snapshot-1' }],
  })

  await openPalette(page)
  await expect(recent.getByRole('option')).toHaveText(['Save a snapshot', 'Freeze the clock'])
  await choose(page, 'add fault', /^Add fault/)
  await expect(dashboard.dialog('Add fault')).toBeVisible()
})

test('reset, a new token and a demo are commands', async ({ dashboard, page }) => {
  await choose(page, 'reset', /^Reset to the fixtures/)
  const question = dashboard.question('Reset everything?')
  await expect(question).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/settings$/)

  await openPalette(page)
  await choose(page, 'create token', /^Create a token/)
  await expect(dashboard.dialog()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/tokens$/)

  await openPalette(page)
  await choose(page, 'token exchange', /exchange/i)
  await expect(page).toHaveURL(/\/sign-ins\//)
  await expect(page.getByText('completed').first()).toBeVisible()
})

test('collections, endpoints and schedules are created and found', async ({
  dashboard,
  page,
  sandbox,
}) => {
  await choose(page, 'create a coll', /^Create a collection/)
  await expect(dashboard.dialog('Create collection')).toBeVisible()
  await page.keyboard.press('Escape')
  await openPalette(page)
  await choose(page, 'create an inf', /^Create an inference endpoint/)
  await expect(dashboard.dialog('Create inference endpoint')).toBeVisible()
  await page.keyboard.press('Escape')
  await openPalette(page)
  await choose(page, 'schedule a job', /^Schedule a job/)
  await expect(dashboard.dialog('Schedule a job')).toBeVisible()
  await page.keyboard.press('Escape')

  await sandbox.control('POST', 'collections', { owner: 'alice', title: 'Zebra models' })
  await openPalette(page)
  await choose(page, 'zebra', /^Zebra models/)
  await expect(dashboard.heading('Zebra models')).toBeVisible()
})

test('“push” pushes and “mint” creates a token, without a page between', async ({
  dashboard,
  page,
  sandbox,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await choose(page, 'push', /^Push a commit/)
  await expect(dashboard.notice(/^Commit pushed to /)).toContainText('there are no webhooks')
  await expect(page).toHaveURL(/\/repos$/)

  await openPalette(page)
  await choose(page, 'mint', /^Mint a token and copy it/)
  await expect(dashboard.notice('Token of alice copied')).toBeVisible()
  const token = await page.evaluate(() => navigator.clipboard.readText())
  const answer = await fetch(`${sandbox.url}/api/whoami-v2`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(await answer.json()).toMatchObject({ name: 'alice' })
})

test('a long name takes two lines in the palette, and its note stays', async ({
  dashboard,
  page,
  sandbox,
}) => {
  const name = `a-long-name-${'of-a-repo-'.repeat(8)}`.slice(0, 90)
  await sandbox.control('POST', 'repos', { type: 'model', name: `acme/${name}` })
  await dashboard.open('/repos')
  await openPalette(page)
  await page.keyboard.type('a-long-name')
  const option = page.getByRole('option', { name: new RegExp(name) })
  await expect(option).toBeVisible()
  const clipped = await option.evaluate((element) =>
    [...element.querySelectorAll('span')]
      .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => {
        return scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1
      })
      .map(({ textContent }) => textContent),
  )
  expect(clipped).toEqual([])
})
