import type { RequestItem } from '../../server/contract/control-requests.ts'
import { noise, uploadByXet } from '../helpers/xet-files.ts'
import { expect, test as base } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

const test = base.extend<{ dashboard: Dashboard }>({
  dashboard: async ({ page, sandbox }, provide) => {
    await fetch(`${sandbox.url}/api/whoami-v2`, {
      headers: { authorization: 'Bearer hf_sandbox_alice' },
    })
    await fetch(`${sandbox.url}/api/whoami-v2`, { headers: { authorization: 'Bearer hf_nobody' } })
    await fetch(`${sandbox.url}/oauth/token`, { method: 'POST', body: new URLSearchParams() })
    await provide(new Dashboard(page, sandbox.url))
  },
})

test('the filter line filters, chips and menus write into it, and the URL keeps it', async ({
  dashboard,
  page,
  sandbox,
}) => {
  await dashboard.open('/requests')
  const line = page.getByRole('combobox', { name: 'Filter requests' })
  const fitting = page.getByRole('status', { name: 'Matching requests' })
  await expect(fitting).toHaveText('3')
  await line.fill('status:4xx /api')
  await expect(fitting).toHaveText('1')
  await expect(page).toHaveURL(/\?q=status%3A4xx\+%2Fapi$/)

  await page.reload()
  await expect(line).toHaveValue('status:4xx /api')
  await line.fill('')
  await expect(fitting).toHaveText('3')
  await dashboard.button('is:refused').click()
  await expect(line).toHaveValue('is:refused')
  await expect(fitting).toHaveText('2')
  await dashboard.button('is:refused').click()
  await dashboard.choose(page.getByRole('combobox', { name: 'User' }), 'alice')
  await expect(line).toHaveValue('user:alice')
  await expect(fitting).toHaveText('1')
  await dashboard.button('from:5m').click()
  await expect(line).toHaveValue('user:alice from:5m')
  await sandbox.clock.advance('1h')
  await page.reload()
  await expect(page.getByText('No matching requests')).toBeVisible()
  // A filter that matches nothing is no reason to connect a client.
  await expect(page.getByRole('main')).not.toContainText('client')
  await dashboard.button('Clear filter').click()
  await expect(line).toHaveValue('')
  await expect(dashboard.table('Requests').nth(1)).toBeVisible()
})

test('requests of an app are found, whatever its name', async ({ dashboard, page, sandbox }) => {
  const name = 'The "A" \\ app'
  const app = { name, clientSecret: 'sesame', redirectUris: ['http://localhost:3000/callback'] }
  const { clientId } = await sandbox.control<{ clientId: string }>('POST', 'apps', app)
  const authorization = `Basic ${btoa(`${clientId}:sesame`)}`
  await fetch(`${sandbox.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'none' }),
  })
  await dashboard.open('/requests')
  const select = page.getByRole('combobox', { name: 'App' })
  await dashboard.choose(select, name)
  await expect(page.getByRole('status', { name: 'Matching requests' })).toHaveText('1')
  await expect(select).toHaveText(name)
})

test('an unknown filter is reported with a suggestion', async ({ dashboard, page }) => {
  await dashboard.open('/requests?q=stauts:4xx')
  const line = page.getByRole('combobox', { name: 'Filter requests' })
  await expect(page.getByRole('alert')).toContainText(
    'Unknown key "stauts:" at character 1 (did you mean "status"?)',
  )
  await expect(line).toHaveAttribute('aria-invalid', 'true')
  await line.fill('status:4xx')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(dashboard.table('Requests')).toHaveCount(3)
})

test('ignored parts of a successful request are shown in its row and its panel', async ({
  dashboard,
  sandbox,
}) => {
  const lines = [
    { key: 'header', value: { summary: 'Add file' } },
    { key: 'file', value: { path: 'f', content: 'x', encoding: 'utf-8', oldpath: 'g' } },
  ]
  await fetch(`${sandbox.url}/api/models/alice/tiny-sentiment/commit/main`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer hf_sandbox_alice',
      'content-type': 'application/x-ndjson',
    },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  }).then((answer) => expect(answer.status).toBe(200))
  await dashboard.open('/requests')
  const remark = 'Ignored, as on the Hub: line 2: its file has an unknown member "oldpath"'
  const row = dashboard.table('Requests').filter({ hasText: '/commit/main' })
  await expect(row).toContainText(remark)
  await row.getByText('/commit/main').click()
  await expect(dashboard.requestPanel).toContainText(remark)
})

test('keys and values are completed with the keyboard, and a half typed query keeps the list', async ({
  dashboard,
  page,
}) => {
  await dashboard.open('/requests')
  const line = page.getByRole('combobox', { name: 'Filter requests' })
  const fitting = page.getByRole('status', { name: 'Matching requests' })
  const options = page.getByRole('listbox', { name: /Filter requests/ }).getByRole('option')
  await line.pressSequentially('us')
  await expect(options).toHaveText([/^user:/])
  await line.press('ArrowDown')
  await expect(options).toHaveAttribute('aria-selected', 'true')
  await line.press('Enter')
  await expect(line).toHaveValue('user:')
  await expect(fitting).toHaveText('3')
  await line.pressSequentially('ali')
  await expect(options).toHaveText(['user:alice'])
  await line.press('ArrowDown')
  await line.press('Enter')
  await expect(line).toHaveValue('user:alice ')
  await expect(fitting).toHaveText('1')
  await line.press('Enter')
  await expect(page).toHaveURL(/\?q=user%3Aalice/)
  await line.press('Escape')
  await expect(line).not.toBeFocused()
})

test('the open request stands beside the list, and the arrow keys walk through it', async ({
  dashboard,
  page,
}) => {
  await dashboard.open('/requests')
  const rows = dashboard.table('Requests')
  await rows.nth(1).getByRole('button').click()
  await expect(dashboard.requestPanel).toContainText('/oauth/token')
  await expect(rows.nth(1)).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(dashboard.requestPanel).toContainText('/api/whoami-v2')
  await expect(rows.nth(2)).toHaveAttribute('aria-current', 'true')
  await dashboard.requestPanel.getByRole('tab', { name: 'Code' }).click()
  await expect(dashboard.requestPanel.getByLabel('Code that repeats')).toContainText('curl')
  await dashboard.requestPanel.getByRole('button', { name: 'HTTPie' }).click()
  await expect(dashboard.requestPanel.getByLabel('Code that repeats')).toContainText(
    'http --ignore',
  )
  await page.setViewportSize({ width: 1099, height: 800 })
  await expect(dashboard.dialog('Request')).toBeVisible()
  await page.setViewportSize({ width: 1100, height: 800 })
  await expect(rows).toHaveCount(4)
  // Columns, not cards.
  await expect(page.getByRole('columnheader', { name: 'Status' })).toBeInViewport()
  const heights = await rows.evaluateAll((all) => all.map((row) => row.clientHeight))
  expect(Math.max(...heights)).toBeLessThan(64)
  await dashboard.requestPanel.getByRole('button', { name: 'Close' }).click()
  await expect(dashboard.requestPanel).toHaveCount(0)
  await expect(page).toHaveURL(/\/requests\?/)
})

test('requests and steps of sign-ins open in parts of the same names', async ({
  dashboard,
  page,
}) => {
  await dashboard.open('/requests')
  await dashboard.table('Requests').nth(1).getByRole('button').click()
  const tabs = page.getByRole('tab')
  const names = ['Summary', 'Request', 'Response', 'Timeline', 'Related', 'Code']
  await expect(tabs).toHaveText(names)
  await tabs.nth(3).click()
  await expect(page.getByRole('tabpanel')).toContainText('Responded with 400')
  await tabs.nth(4).click()
  await page.getByRole('link', { name: 'View diagram' }).click()
  await page
    .getByRole('button', { name: /token request/ })
    .first()
    .click()
  // The chosen part stays chosen.
  await expect(tabs).toHaveText(names)
  await tabs.nth(5).click()
  await page.getByRole('button', { name: 'fetch' }).click()
  await expect(page.getByLabel('Code that repeats')).toContainText('await fetch(')
})

test('a request is replayed with changes, as the same user, and names the original', async ({
  dashboard,
}) => {
  await dashboard.open('/requests')
  const rows = dashboard.table('Requests')
  await rows.filter({ hasText: 'whoami', hasNotText: 'invalid_token' }).getByRole('button').click()
  await dashboard.requestPanel.getByRole('button', { name: 'Edit and replay' }).click()
  const dialog = dashboard.dialog('Edit and replay')
  const headers = dialog.getByRole('textbox', { name: 'Headers' })
  await expect(headers).toHaveValue(/authorization: Bearer hf_sandbox_a…e/)
  await dialog.getByRole('textbox', { name: 'Path and query' }).fill('/api/whoami-v2?again')
  await headers.fill('authorization: Bearer hf_…1234')
  await dialog.getByRole('button', { name: 'Replay' }).click()
  await expect(dialog).toContainText('enter the whole value')
  await headers.fill('authorization: Bearer hf_sandbox_a…e\nx-note: 1')
  await dialog.getByRole('button', { name: 'Replay' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(dashboard.requestPanel.getByRole('heading')).toHaveText('GET /api/whoami-v2?again')
  await expect(rows.nth(1)).toContainText('replay')
  await expect(rows.nth(1)).toContainText('200')
  await dashboard.requestPanel.getByRole('tab', { name: 'Related' }).click()
  await dashboard.requestPanel
    .getByRole('link', { name: /whoami-v2$/ })
    .first()
    .click()
  await expect(dashboard.requestPanel.getByText('Replayed as')).toBeVisible()
})

test('a JSON body is folded, searched and copied from by keyboard', async ({
  context,
  dashboard,
  page,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await dashboard.open('/requests?pane=response')
  await dashboard
    .table('Requests')
    .filter({ hasText: 'whoami', hasNotText: 'invalid_token' })
    .getByRole('button')
    .click()
  const tree = dashboard.requestPanel.getByRole('tree', { name: 'Response body' })
  const lines = tree.getByRole('treeitem')
  const selected = tree.locator('[aria-selected="true"]')
  await expect(tree).toContainText('"name": "alice"')
  const all = await lines.count()
  await tree.focus()
  // The keys of the list act on the tree.
  await page.keyboard.press('ArrowDown')
  await expect(selected).toContainText('"type"')
  await page.keyboard.press('ArrowLeft')
  await expect(selected).toHaveAttribute('aria-level', '1')
  await page.keyboard.press('ArrowLeft')
  await expect(lines).toHaveCount(1)
  await expect(selected).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('Enter')
  await expect(lines).toHaveCount(all)

  await dashboard.requestPanel.getByRole('button', { name: 'Fold all' }).click()
  expect(await lines.count()).toBeLessThan(all)
  await dashboard.requestPanel.getByRole('searchbox').fill('displayName')
  await page.keyboard.press('Enter')
  await expect(selected).toContainText('displayName')
  await dashboard.requestPanel.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('menuitem', { name: 'JSON pointer' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    '/auth/accessToken/displayName',
  )
  await dashboard.requestPanel.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('menuitem', { name: 'JavaScript path' }).click()
  await expect
    .poll(async () => page.evaluate(() => navigator.clipboard.readText()))
    .toBe('auth.accessToken.displayName')
})

test('a refused request is compared with a successful one, and sign-ins with each other', async ({
  dashboard,
  page,
  sandbox,
}) => {
  await fetch(`${sandbox.url}/api/whoami-v2?again`, {
    headers: { authorization: 'Bearer hf_nobody' },
  })
  await dashboard.open('/requests')
  await dashboard.table('Requests').filter({ hasText: '?again' }).getByRole('button').click()
  await dashboard.requestPanel.getByRole('button', { name: 'Compare' }).click()
  const dialog = dashboard.dialog('Compare')
  const combobox = dialog.getByRole('combobox', { name: 'Compare with' })
  await combobox.click()
  await page.getByRole('option', { name: /^Last successful GET/ }).click()
  const marked = dialog.getByRole('row', { name: /first difference/ })
  await expect(marked).toHaveCount(1)
  await expect(marked).toContainText(/Status.*200.*401/)
  await expect(dialog.getByRole('row', { name: /authorization/ })).toContainText('hf_…')
  await expect(dialog.getByRole('row', { name: /^Method/ })).toHaveCount(0)
  await dialog.getByRole('switch', { name: 'Show equal values' }).click()
  await expect(dialog.getByRole('row', { name: /^Method/ })).toContainText('GET')
  await page.keyboard.press('Escape')
  await expect(dashboard.requestPanel).toBeVisible()

  const [app] = sandbox.fixtures.apps
  for (const scope of ['openid', 'openid profile']) {
    await sandbox.signIn({ user: 'alice', clientId: app?.clientId ?? '', scope })
  }
  await dashboard.open('/sign-ins')
  await page.getByRole('button', { name: 'Compare' }).click()
  await expect(dialog.getByRole('row', { name: /first difference/ })).toHaveCount(1)
  const scopes = dialog.getByRole('row', { name: /^scope / }).first()
  await expect(scopes).toContainText('openid profile')
  // What differs each time is folded.
  const requestId = dialog.getByRole('row', { name: /^x-request-id / })
  await expect(requestId).toHaveCount(0)
  await dialog.getByText(/^also \d+ that differ each time$/).click()
  await expect(requestId.first()).toBeVisible()
  // A step that only one of them has is one row.
  await sandbox.control('POST', 'authorize', {
    client_id: app?.clientId,
    redirect_uri: app?.redirectUris[0],
    response_type: 'code',
    user: 'alice',
    decision: 'deny',
  })
  await dashboard.open('/sign-ins')
  await page.getByRole('button', { name: 'Compare' }).click()
  await expect(
    dialog.getByRole('row', { name: /^Only in the other sign-in: token request/ }),
  ).toHaveCount(1)
})

test('a query is saved under any name, and opened from its list and from the palette', async ({
  dashboard,
  page,
}) => {
  const hostile = '<img src=x onerror=alert(1)>'
  const longest = 'W'.repeat(80)
  await dashboard.open('/requests?q=status:4xx')
  const dialog = dashboard.dialog('Saved views')
  const save = async (name: string) => {
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.keyboard.press('Enter')
  }
  await dashboard.button('Saved views').click()
  await save(hostile)
  await save(longest)
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  expect(await dialog.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0)
  await page.keyboard.press('Escape')

  await dashboard.open('/requests')
  await dashboard.button('Saved views').click()
  await dialog.getByRole('button', { name: hostile }).first().click()
  await expect(page).toHaveURL(/q=status%3A4xx/)
  await dashboard.open('/')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('onerror')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/requests\?q=status%3A4xx/)
  await dashboard.button('Saved views').click()
  await dialog.getByRole('button', { name: `Delete view ${hostile}` }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(1)

  // What another program stored there is ignored.
  await page.evaluate(() => localStorage.setItem('hub-sandbox-views', '[{"list":"x"}]'))
  await dashboard.open('/requests')
  await dashboard.button('Saved views').click()
  await expect(dialog.getByRole('listitem')).toHaveCount(0)
})

test('a saved view of sign-ins or deliveries keeps what is chosen beside the query', async ({
  dashboard,
  page,
  sandbox,
}) => {
  await sandbox.control('POST', 'webhooks', {
    user: 'alice',
    url: 'http://localhost:9/',
    watched: [{ type: 'org', name: 'acme' }],
  })
  await sandbox.trigger({ event: 'repo.content', repo: 'datasets/acme/corpus' })
  await fetch(`${sandbox.url}/oauth/authorize?client_id=unknown`)
  const save = async (name: string) => {
    await dashboard.button('Saved views').click()
    await dashboard.dialog('Saved views').getByRole('textbox', { name: 'Name' }).fill(name)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
  }
  await dashboard.open('/sign-ins?q=alice&kind=device-code&outcome=refused')
  await save('Devices of alice')
  await dashboard.open('/deliveries?state=failed')
  await save('Given up')

  await dashboard.open('/sign-ins?kind=token-exchange')
  await dashboard.button('Saved views').click()
  // Each list has its own views.
  await expect(dashboard.dialog('Saved views').getByRole('listitem')).toHaveCount(1)
  await dashboard.button(/^Devices of alice/).click()
  await expect(page).toHaveURL(/\/sign-ins\?q=alice\+kind%3Adevice-code\+status%3Arefused$/)
  await dashboard.open('/')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Given up')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/deliveries\?q=status%3Afailed$/)
})

test('a typed token never appears in the URL', async ({ dashboard, page }) => {
  await dashboard.open('/requests')
  await page.getByRole('combobox', { name: 'Filter requests' }).fill('hf_sandbox_alice')
  await expect(page.getByRole('alert')).toContainText('Tokens cannot be searched here')
  await expect(page).not.toHaveURL(/hf_/)
})

test('the list says how many requests are kept once older ones were dropped', async ({
  dashboard,
  page,
}) => {
  const queries: string[] = []
  await page.route('**/_sandbox/api/requests?*', async (route) => {
    queries.push(new URL(route.request().url()).search)
    const response = await route.fetch()
    const kept = { requests: 1000, received: 20_005, since: new Date().toISOString() }
    await route.fulfill({ response, json: { ...(await response.json()), kept } })
  })
  await dashboard.open('/requests')
  await expect(page.getByText(/^1,000 of 20,005 requests kept, the oldest from/)).toBeVisible()
  expect(new Set(queries)).toEqual(new Set(['?limit=1000']))
})

test('beside an open request the count stays in the line of the quick filters', async ({
  dashboard,
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await dashboard.open('/requests')
  await dashboard.table('Requests').nth(1).getByRole('button').click()
  await expect(dashboard.requestPanel).toBeVisible()
  const boxOf = (name: string, role: 'status' | 'group') =>
    page.getByRole(role, { name }).boundingBox()
  const [count, filters] = [
    await boxOf('Matching requests', 'status'),
    await boxOf('Quick filters', 'group'),
  ]
  expect(count?.y).toBeLessThan((filters?.y ?? 0) + 20)
  expect(count?.x).toBeGreaterThanOrEqual((filters?.x ?? 0) + (filters?.width ?? 0))
})

test('ten thousand requests scroll without an empty frame', async ({ dashboard, page }) => {
  const request = (index: number): RequestItem => ({
    id: `r${index}`,
    at: '2026-01-01T00:00:00.000Z',
    endedAt: '2026-01-01T00:00:00.000Z',
    method: 'GET',
    path: `/api/models/${index}`,
    status: 200,
    durationMs: 1,
  })
  await page.route('**/_sandbox/api/requests?*', async (route) => {
    const { searchParams } = new URL(route.request().url())
    const from = Number(searchParams.get('cursor') ?? 0)
    const items = Array.from({ length: 1000 }, (_, index) => request(from + index))
    const nextCursor = from + 1000 < 10_000 ? { nextCursor: String(from + 1000) } : {}
    const kept = { requests: 10_000, received: 10_000 }
    await route.fulfill({ json: { items, kept, ...nextCursor } })
  })
  await dashboard.open('/requests')
  await expect(page.getByRole('status', { name: 'Matching requests' })).toHaveText('10,000')
  const frames = await page.locator('#main').evaluate(async (main) => {
    const { left, top, width, height } = main.getBoundingClientRect()
    const emptyAt: number[] = []
    for (let step = 0; step < 60; step += 1) {
      main.scrollTop += step < 40 ? 700 : 20_000
      // The next callback comes after the frame that follows the scroll was made.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      const middle = document.elementFromPoint(left + width / 2, top + height / 2)
      if (middle?.closest('tr[aria-rowindex]') === null) emptyAt.push(main.scrollTop)
    }
    return { emptyAt, end: main.scrollTop, rows: document.querySelectorAll('tr').length }
  })
  expect(frames.emptyAt).toEqual([])
  expect(frames.end).toBeGreaterThan(300_000)
  expect(frames.rows).toBeLessThan(150)
})

test.describe('a list that follows for long', () => {
  test.use({ sandboxOptions: { fixtures: { config: { caps: { requests: 200 } } } } })

  test('does not grow with the requests that come and go', async ({ dashboard, page, sandbox }) => {
    test.setTimeout(240_000)
    const session = await page.context().newCDPSession(page)
    async function send(count: number): Promise<void> {
      for (let sent = 0; sent < count; sent += 10) {
        const some = Array.from({ length: 10 }, () => fetch(`${sandbox.url}/api/models?limit=1`))
        await Promise.all(some.map(async (response) => (await response).text()))
      }
    }
    async function size() {
      await session.send('HeapProfiler.collectGarbage')
      const { usedSize } = await session.send('Runtime.getHeapUsage')
      return { megabytes: usedSize / 1024 ** 2, elements: await page.locator('*').count() }
    }
    await dashboard.open('/requests')
    await send(1000)
    await expect(page.getByText(/^200 of /)).toBeVisible()
    const before = await size()
    await send(2000)
    await expect(page.getByText(/^200 of 3,0\d\d requests kept/)).toBeVisible()
    const after = await size()
    expect(after.megabytes - before.megabytes).toBeLessThan(10)
    expect(after.elements - before.elements).toBeLessThan(200)
  })
})

test('an upload by Xet is one line, which unfolds to its requests', async ({
  dashboard,
  page,
  sandbox,
}, { outputDir }) => {
  await uploadByXet(sandbox.url, noise(150_000))
  await dashboard.open('/requests')
  const upload = page.getByRole('button', { name: /^Upload by Xet · \d+ requests, 14\d\.\d KiB/ })
  const xorb = page.getByRole('button', { name: /\/v1\/xorbs\/default\// })
  await expect(upload).toBeVisible()
  await expect(xorb).toHaveCount(0)
  await page.screenshot({ path: `${outputDir}/folded.png` })
  await upload.click()
  await expect(upload).toHaveAttribute('aria-expanded', 'true')
  await xorb.click()
  await page.getByRole('tab', { name: 'Related' }).click()
  const related = page.getByRole('tabpanel')
  await expect(related.getByText('Upload by Xet')).toBeVisible()
  await expect(related.getByRole('link', { name: /\/v1\/shards/ })).toBeVisible()
  await page.screenshot({ path: `${outputDir}/unfolded.png` })
})

test('a head sorts the requests, and so does took: in the query', async ({
  dashboard,
  page,
  sandbox,
}) => {
  await sandbox.faults.add({ match: { route: '/api/models' }, delay: '400ms', times: 1 })
  for (const path of ['/api/models', '/api/datasets', '/api/spaces']) {
    await (await fetch(`${sandbox.url}${path}`)).arrayBuffer()
  }
  await dashboard.open('/requests')
  const rows = dashboard.table('Requests')
  await expect(rows.nth(1)).toContainText('/api/spaces')
  const duration = page.getByRole('columnheader', { name: 'Duration' })
  await duration.getByRole('button').click()
  await expect(duration).toHaveAttribute('aria-sort', 'descending')
  await expect(rows.nth(1)).toContainText('/api/models')
  await expect(page).toHaveURL(/sort=-duration/)
  // The keys walk in the order that is shown.
  await page.keyboard.press('j')
  await expect(dashboard.requestPanel).toContainText('/api/models')
  // Beside an open request the column has no room.
  await page.keyboard.press('Escape')
  await duration.getByRole('button').click()
  await expect(rows.last()).toContainText('/api/models')

  await dashboard.open('/requests?q=took:>0ms')
  await expect(duration).toHaveAttribute('aria-sort', 'descending')
  await expect(rows.nth(1)).toContainText('/api/models')
  await dashboard.open('/requests?q=took:<10s&sort=request')
  await expect(rows.nth(1)).toContainText('/api/datasets')
})
