import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { TokenList } from '../../server/contract/control-tokens.ts'
import type { Sandbox } from '../../server/index.ts'
import { longest } from './busy-sandbox.ts'
import { expect, test } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

const run = promisify(execFile)

interface Tokens {
  access_token: string
  refresh_token: string
  id_token: string
}

async function appOf(sandbox: Sandbox, changes: object = {}): Promise<string> {
  const { clientId } = await sandbox.control<{ clientId: string }>('POST', 'apps', {
    name: 'Notes',
    public: true,
    redirectUris: ['http://localhost/callback'],
    scopes: ['openid', 'profile', 'write-repos'],
    ...changes,
  })
  return clientId
}

async function refresh(sandbox: Sandbox, clientId: string, token: string): Promise<Tokens> {
  const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: token }
  const body = new URLSearchParams(form)
  const answer = await fetch(`${sandbox.url}/oauth/token`, { method: 'POST', body })
  return (await answer.json()) as Tokens
}

const idOf = async (sandbox: Sandbox, token: string) => {
  const { items } = await sandbox.control<TokenList>('GET', 'tokens')
  return items.find((item) => item.token === token)?.id ?? 'none'
}

test('a token has its own URL, and shows its history and new uses', async ({ page, sandbox }) => {
  const clientId = await appOf(sandbox)
  const user = 'bob'
  const first = await sandbox.control<Tokens>('POST', 'tokens', {
    user,
    clientId,
    scope: 'openid profile write-repos',
    organizations: ['acme'],
  })
  const second = await refresh(sandbox, clientId, first.refresh_token)
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/tokens')
  await dashboard.button('Open token of bob').first().click()
  const id = await idOf(sandbox, second.access_token)
  await expect(page).toHaveURL(`${dashboard.url}/tokens/${id}`)
  const panel = dashboard.beside('Token')
  await expect(panel.getByRole('heading', { name: 'Token of bob for Notes' })).toBeVisible()
  await panel.getByRole('tab', { name: 'Timeline' }).click()
  const history = panel.getByRole('region', { name: 'History' })
  await expect(history).toContainText('Not used in the logged requests')
  await expect(history).toContainText('Refresh token not used yet')

  const headers = { authorization: `Bearer ${second.access_token}` }
  await fetch(`${sandbox.url}/api/whoami-v2?asked=now`, { headers })
  await expect(history.getByRole('list', { name: 'Uses' })).toContainText(
    '/api/whoami-v2?asked=now',
  )
  await expect(history).toContainText('1 request in the log')

  const idToken = panel.getByRole('article', { name: 'id_token' })
  const [, payload = ''] = second.id_token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
  for (const name of ['iss', 'sub', 'aud', 'preferred_username']) {
    await expect(idToken.getByRole('row', { name: new RegExp(`^${name}`) })).toContainText(
      JSON.stringify(claims[name]),
    )
  }
  await expect(idToken).toContainText('at_hash matches the access token.')

  await refresh(sandbox, clientId, second.refresh_token)
  await expect(history.getByText('into')).toBeVisible()
  await history.getByRole('link', { name: /…/ }).first().click()
  const firstId = await idOf(sandbox, first.access_token)
  await expect(page).toHaveURL(new RegExp(`/tokens/${firstId}`))
  for (const secret of [first.access_token, second.access_token]) {
    expect(page.url()).not.toContain(secret)
    expect(await page.title()).not.toContain(secret)
  }
})

test('a table shows the permissions of a token; an expired token is marked', async ({
  page,
  sandbox,
}) => {
  const clientId = await appOf(sandbox)
  const { access_token: token } = await sandbox.control<Tokens>('POST', 'tokens', {
    user: 'bob',
    clientId,
    scope: 'write-repos',
    organizations: ['acme'],
    expiresIn: 60,
  })
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open(`/tokens/${await idOf(sandbox, token)}`)
  const rights = page.getByRole('region', { name: 'Permissions' })
  const row = (name: string) => rights.getByRole('row', { name: new RegExp(`^${name}`) })
  const cells = (name: string) => row(name).getByRole('cell')
  await expect(row('On resources of')).toContainText(/bob.*acme.*labs/)
  await expect(cells('Commit, branch and tag')).toHaveText([/^yes$/, /^yes$/, /^no.*not granted/])
  await expect(cells('Run jobs')).toHaveText([
    /^noneeds the scope jobs/,
    /^noneeds the scope jobs/,
    /^no/,
  ])
  await expect(cells('Manage webhooks')).toHaveText([/^noneeds the scope webhooks/, '–', '–'])
  await sandbox.clock.advance('2m')
  await dashboard.open(`/tokens/${await idOf(sandbox, token)}`)
  await expect(rights).toContainText('No longer valid: ')
})

test('the copied command names the user of the token', async ({ page, sandbox, context }) => {
  const clientId = await appOf(sandbox)
  const { access_token: token } = await sandbox.control<Tokens>('POST', 'tokens', {
    user: 'bob',
    clientId,
    scope: 'openid profile',
  })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open(`/tokens/${await idOf(sandbox, token)}`)
  await dashboard.beside('Token').getByRole('tab', { name: 'Code' }).click()
  await dashboard.button('Copy code').click()
  await expect(dashboard.notice('code copied')).toBeVisible()
  const command = await page.evaluate(() => navigator.clipboard.readText())
  const { stdout } = await run('sh', ['-c', `${command} --silent --fail`])
  expect(JSON.parse(stdout)).toMatchObject({ preferred_username: 'bob' })
})

test('a row has a name, a state and the remaining time, and cuts none of them at 1440 px', async ({
  page,
  sandbox,
}) => {
  const clientId = await appOf(sandbox, { name: 'Weekly report app' })
  const mint = (settings: object) =>
    sandbox.control<Tokens>('POST', 'tokens', { user: 'bob', clientId, ...settings })
  await mint({ scope: 'openid profile', expiresIn: 2_591_999 })
  await mint({ scope: 'openid', expiresIn: 60 })
  await mint({ role: 'write', name: 'ci deploy', clientId: undefined })
  await sandbox.clock.advance('2m')
  const dashboard = new Dashboard(page, sandbox.url)
  await page.setViewportSize({ width: 1440, height: 900 })
  await dashboard.open('/tokens?sort=-remaining')
  const rows = dashboard.table('Tokens')
  await expect(rows.filter({ hasText: 'ci deploy' })).toContainText(/active.*never expires/)
  await expect(rows.filter({ hasText: 'Weekly report app' })).toHaveText([
    /active.*29d 23h/,
    /expired.*–/,
  ])
  const cut = await page
    .getByRole('region', { name: 'Tokens' })
    .locator('th span, td:nth-child(-n+3), td:nth-child(-n+3) *')
    .evaluateAll((elements) =>
      elements.flatMap((element) =>
        element.scrollWidth > element.clientWidth && getComputedStyle(element).display !== 'inline'
          ? [`${element.tagName} ${element.textContent}`]
          : [],
      ),
    )
  expect(cut).toEqual([])
})

test('an unknown token is reported, and closing returns to the list', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/tokens/000000000000000000000000?state=active')
  const panel = dashboard.beside('Token')
  await expect(panel).toContainText('Token not found')
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(`${dashboard.url}/tokens?state=active`)
})

test('a thousand tokens scroll without a blank frame', async ({ page, sandbox }) => {
  const clientId = await appOf(sandbox, { name: longest.appName })
  await Promise.all(
    Array.from({ length: 1000 }, () =>
      sandbox.control('POST', 'tokens', { user: 'alice', clientId, scope: 'openid profile' }),
    ),
  )
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/tokens')
  await expect(dashboard.table('Tokens').nth(1)).toBeVisible()
  const { blank, frames, scrolled } = await page.locator('main').evaluate(async (main) => {
    const list = main.querySelector('table')
    let blankFrames = 0
    let count = 0
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    // As fast as a wheel is turned: most of a screen for each frame.
    for (; main.scrollTop + main.clientHeight < main.scrollHeight - 1; count += 1) {
      const before = main.scrollTop
      main.scrollBy(0, main.clientHeight * 0.6)
      await frame()
      if (main.scrollTop === before) break
      const { left, top, height } = main.getBoundingClientRect()
      const seen = document.elementFromPoint(left + 300, top + height / 2)
      if (list?.contains(seen) === true && seen?.closest('tr[data-index]') === null)
        blankFrames += 1
    }
    return { blank: blankFrames, frames: count, scrolled: main.scrollTop }
  })
  expect(frames).toBeGreaterThan(20)
  expect(scrolled).toBeGreaterThan(20_000)
  expect(blank).toBe(0)
})
