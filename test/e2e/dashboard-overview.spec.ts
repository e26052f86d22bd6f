import type { Page } from '@playwright/test'
import type { Sandbox } from '../../server/index.ts'
import { longest, makeBusy } from './busy-sandbox.ts'
import { expect, test as base } from './fixtures.ts'
import { brokenRules } from './pages/accessibility.ts'
import { Dashboard } from './pages/dashboard.ts'
import { startReceiver, startReceiverOfAcme } from './pages/receiver.ts'

const test = base.extend<{ dashboard: Dashboard }>({
  dashboard: async ({ page, sandbox }, provide) => {
    await provide(new Dashboard(page, sandbox.url))
  },
})

const lines = (page: Page) => page.getByRole('list', { name: 'Activity' }).getByRole('listitem')

const refuse = (sandbox: Sandbox) =>
  fetch(`${sandbox.url}/api/whoami-v2`, { headers: { authorization: 'Bearer hf_nobody' } })

const appOf = (sandbox: Sandbox) => sandbox.fixtures.apps[0]?.clientId ?? ''

const requestDevice = (sandbox: Sandbox) =>
  fetch(`${sandbox.url}/oauth/device`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: appOf(sandbox), scope: 'openid' }),
  })

const refuseSignIn = (sandbox: Sandbox) =>
  fetch(
    `${sandbox.url}/oauth/authorize?${new URLSearchParams({
      client_id: appOf(sandbox),
      response_type: 'code',
      scope: 'openid',
      redirect_uri: 'http://localhost:3000/elsewhere',
    })}`,
  )

const push = (sandbox: Sandbox) =>
  sandbox.trigger({ event: 'repo.content', repo: 'datasets/acme/corpus' })

test.describe('Sign-in', () => {
  test('the last result is large; a refusal has its reason and a fix that works there', async ({
    dashboard,
    sandbox,
  }) => {
    await dashboard.open('/')
    const panel = dashboard.panel('Sign-in')
    await expect(panel).toContainText('No sign-in yet')
    await sandbox.signIn({ user: 'alice', clientId: appOf(sandbox) })
    await expect(panel).toContainText(/Completed.*Model Explorer.*by alice/)
    await refuseSignIn(sandbox)
    await expect(panel).toContainText(/Refused.*invalid_redirect_uri.*its path differs/)
    await expect(
      panel.getByRole('link', { name: 'Edit the redirect URIs of the app' }),
    ).toHaveAttribute('href', /\/apps\/[^/]+\?tab=settings&fix=req-/)
    await expect(
      panel.getByRole('list', { name: 'Latest sign-ins' }).getByRole('link'),
    ).toHaveCount(2)

    await panel.getByRole('button', { name: 'Allow this URI…' }).click()
    await dashboard.page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Allow/ })
      .click()
    await expect(panel).toContainText('Fixed.')
    const { items } = await sandbox.control<{ items: { redirectUris: string[] }[] }>('GET', 'apps')
    expect(items.flatMap(({ redirectUris }) => redirectUris)).toContain(
      'http://localhost:3000/elsewhere',
    )
  })

  test('its link leads to that very sign-in', async ({ dashboard, sandbox, page }) => {
    await refuseSignIn(sandbox)
    await dashboard.open('/')
    await dashboard.panel('Sign-in').getByRole('link', { name: 'View sign-in' }).click()
    await expect(page).toHaveURL(/\/sign-ins\/req-/)
    await expect(page.getByText('invalid_redirect_uri').first()).toBeVisible()
  })
})

test.describe('Webhooks', () => {
  test('failures of one cause are one issue, which is over when all are replayed', async ({
    dashboard,
    sandbox,
  }) => {
    const receiver = await startReceiverOfAcme(sandbox, { name: 'ci-trigger' })
    receiver.answer(503)
    await dashboard.open('/')
    const panel = dashboard.panel('Webhooks')
    await expect(panel).toContainText('Nothing sent yet')
    for (const _ of [1, 2, 3]) await push(sandbox)
    await sandbox.idle()
    const issues = panel.getByRole('list', { name: 'Issues' }).getByRole('listitem')
    await expect(issues).toHaveCount(1)
    await expect(panel).toContainText('1 webhook failing')
    await expect(issues).toContainText(/ci-trigger.*failing.*503.*"processed":false.*3 failing/)

    receiver.answer(200)
    await issues.getByRole('button', { name: 'Replay all ci-trigger' }).click()
    await expect(dashboard.notice('3 succeeded, 0 failed')).toBeVisible()
    await expect(issues).toHaveCount(0)
    expect(receiver.received).toHaveLength(6)
    await receiver.close()
  })

  test('deliveries wait for the receiver to be back, and are replayed then', async ({
    dashboard,
    sandbox,
  }) => {
    const receiver = await startReceiverOfAcme(sandbox, { name: 'ci-trigger' })
    receiver.answer(503)
    for (const _ of [1, 2, 3]) await push(sandbox)
    await sandbox.idle()
    await dashboard.open('/')
    const panel = dashboard.panel('Webhooks')
    await panel.getByRole('button', { name: /^Replay when back/ }).click()
    await panel.getByRole('button', { name: /^Stop waiting/ }).click()
    await panel.getByRole('button', { name: /^Replay when back/ }).click()
    await expect(panel).toContainText('Waiting for the receiver since')
    await dashboard.open('/webhooks')
    const row = dashboard.table('Webhooks').filter({ hasText: 'ci-trigger' })
    await expect(row).toContainText('waiting for receiver')
    // The sandbox waits, not the page.
    await dashboard.page.goto('about:blank')
    // A check finds that it is not back yet.
    await expect.poll(() => receiver.received.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(4)
    receiver.answer(200)
    await dashboard.open('/')
    await expect(panel.getByRole('list', { name: 'Issues' })).toHaveCount(0, { timeout: 20_000 })
    await dashboard.go('/activity')
    await expect(lines(dashboard.page).filter({ hasText: 'ci-trigger is back' })).toContainText(
      '3 deliveries replayed',
    )
    const { items } = await sandbox.control<{ items: unknown[] }>(
      'GET',
      'deliveries?state=succeeded',
    )
    expect(items).toHaveLength(3)
    await receiver.close()
  })
})

test.describe('Waiting for you', () => {
  test('a device is approved there', async ({ dashboard, sandbox }) => {
    await dashboard.open('/')
    const panel = dashboard.panel('Waiting for you')
    await expect(dashboard.panel('Sign-in')).toBeVisible()
    await expect(panel).toHaveCount(0)
    await requestDevice(sandbox)
    await expect(panel).toContainText('1 waiting')
    await panel.getByRole('button', { name: 'Approve' }).click()
    await expect(panel).toHaveCount(0)
    const { items } = await sandbox.control<{ items: { status: string }[] }>('GET', 'device')
    expect(items.map(({ status }) => status)).toEqual(['approved'])
  })

  test('held requests are released there', async ({ dashboard, sandbox }) => {
    await sandbox.control('POST', 'barriers', { match: { route: '/api/models' }, count: 2 })
    const held = fetch(`${sandbox.url}/api/models`)
    await dashboard.open('/')
    const panel = dashboard.panel('Waiting for you')
    await expect(panel).toContainText('1 request held: /api/models')
    await panel.getByRole('button', { name: 'Release /api/models' }).click()
    expect((await held).status).toBe(200)
    await expect(panel.getByText('1 request held')).toHaveCount(0)
  })

  test('the count of barriers includes those that hold a request, as their page does', async ({
    dashboard,
    sandbox,
  }) => {
    const { page } = dashboard
    await sandbox.barriers.add({ match: { route: '/api/models' }, count: 2 })
    await sandbox.barriers.add({ match: { route: '/api/datasets' }, count: 2 })
    await dashboard.open('/')
    const panel = dashboard.panel('Waiting for you')
    await expect(panel).toContainText('2 overrides active')
    const held = fetch(`${sandbox.url}/api/models`)
    await expect(panel).toContainText('1 request held: /api/models')
    await expect(panel).toContainText('2 barriers active')
    await panel.getByRole('link', { name: 'Show barriers' }).click()
    await expect(page.getByRole('list', { name: 'Barriers' }).getByRole('listitem')).toHaveCount(2)
    for (const { id } of await sandbox.barriers.list()) await sandbox.barriers.release(id)
    expect((await held).status).toBe(200)
  })

  test('active overrides are named, and the clock returns to real time', async ({
    dashboard,
    sandbox,
  }) => {
    await sandbox.faults.add({ match: { route: '/nowhere' }, status: 503 })
    await sandbox.clock.advance('8h')
    await dashboard.open('/')
    const panel = dashboard.panel('Waiting for you')
    await expect(panel).toContainText('2 overrides active')
    await expect(panel).toContainText('1 fault active')
    await panel.getByRole('button', { name: 'Back to real time' }).click()
    await expect(panel).toContainText('1 override active')
    expect(Math.abs((await sandbox.clock.read()).offsetMs)).toBeLessThan(60_000)
  })

  test('held deliveries lead to exactly those rows', async ({ dashboard, sandbox, page }) => {
    await sandbox.control('POST', 'webhooks', {
      user: 'alice',
      url: 'http://localhost:9/',
      watched: [{ type: 'org', name: 'acme' }],
      held: true,
    })
    for (const _ of [1, 2]) await push(sandbox)
    await dashboard.open('/')
    await expect(dashboard.panel('Waiting for you')).toContainText('2 deliveries held')
    await page.getByRole('link', { name: 'Show deliveries' }).click()
    await expect(page.locator('[role="row"][aria-selected]')).toHaveCount(2)
  })
})

test('contents are one line of links', async ({ dashboard, page }) => {
  await dashboard.open('/')
  const contents = page.getByRole('list', { name: 'Contents' })
  await expect(contents.getByRole('link')).toHaveCount(7)
  await expect(contents).toContainText('4 users')
  await contents.getByRole('link', { name: /repos$/ }).click()
  await expect(dashboard.heading('Repos')).toBeVisible()
})

test('a first step is ticked when it has succeeded, never by a failure', async ({
  dashboard,
  sandbox,
  page,
}) => {
  await sandbox.control('POST', 'webhooks', {
    user: 'alice',
    url: 'http://localhost:9/',
    watched: [{ type: 'org', name: 'acme' }],
  })
  await dashboard.open('/')
  const steps = page.getByRole('list', { name: 'First steps' })
  const ticked = steps.getByRole('listitem').filter({ hasText: '(Done)' })
  await expect(steps.getByRole('listitem')).toHaveCount(3)
  await refuse(sandbox)
  await refuseSignIn(sandbox)
  await push(sandbox)
  await sandbox.idle()
  await expect(dashboard.panel('Webhooks')).toContainText('1 webhook failing')
  await expect(dashboard.panel('Sign-in')).toContainText('Refused')
  await expect(ticked).toHaveCount(0)

  await sandbox.signIn({ user: 'alice', clientId: appOf(sandbox) })
  await expect(ticked).toHaveText([/Connect an app/, /Watch a sign-in/])
  await page.reload()
  await expect(ticked).toHaveCount(2)
})

test('the code of each framework is that of an app that can sign in with it', async ({
  dashboard,
  page,
}) => {
  for (const [framework, app] of [
    ['Auth.js', 'Team Dashboard'],
    ['Gradio', 'Team Dashboard'],
    ['huggingface.js', 'Model Explorer'],
  ] as const) {
    await dashboard.open('/')
    await dashboard.choose(page.getByRole('combobox', { name: 'Framework' }), framework)
    await page.waitForLoadState('networkidle')
    await page.getByRole('link', { name: 'Show the code' }).click()
    await expect(dashboard.heading(app)).toBeVisible()
    await expect(page.getByText('registered', { exact: true })).toBeVisible()
    await expect(dashboard.button('Add redirect URI')).toHaveCount(0)
  }
})

test('the first steps are over when all have succeeded', async ({ dashboard, page }) => {
  await dashboard.open('/')
  const steps = page.getByRole('list', { name: 'First steps' })
  await steps.getByRole('button', { name: 'Run a sign-in' }).click()
  await expect(page).toHaveURL(/\/sign-ins\/./)
  await expect(page.getByText('Completed').first()).toBeVisible()
  await dashboard.visit('Home')
  await steps.getByRole('button', { name: 'Receive a webhook' }).click()
  await expect(page).toHaveURL(/\/deliveries\/./)
  await dashboard.visit('Home')
  await expect(page.getByRole('list', { name: 'Newest deliveries' })).toContainText('200')
  await expect(steps).toHaveCount(0)
})

test('the first steps are dismissed in this browser, and come back from the settings', async ({
  dashboard,
  page,
}) => {
  await dashboard.open('/')
  const steps = page.getByRole('list', { name: 'First steps' })
  await dashboard.button('Dismiss the first steps').click()
  await expect(steps).toHaveCount(0)
  await page.reload()
  await expect(dashboard.panel('Sign-in')).toBeVisible()
  await expect(steps).toHaveCount(0)

  await dashboard.open('/settings')
  await dashboard.button('Show first steps').click()
  await expect(dashboard.button('Show first steps')).toHaveCount(0)
  await dashboard.open('/')
  await expect(steps.getByRole('listitem')).toHaveCount(3)
})

test('issues of two webhooks on one host have its paths', async ({ dashboard, sandbox }) => {
  for (const path of ['one', 'two'])
    await sandbox.control('POST', 'webhooks', {
      user: 'alice',
      url: `http://localhost:9/${path}`,
      watched: [{ type: 'org', name: 'acme' }],
    })
  await push(sandbox)
  await sandbox.idle()
  await dashboard.open('/issues')
  for (const path of ['one', 'two'])
    await expect(
      dashboard.page.getByRole('link', { name: `localhost:9/${path}`, exact: true }),
    ).toBeVisible()
})

test('on 1280 × 800 px Home needs no scrolling, empty or busy', async ({
  dashboard,
  sandbox,
  page,
}) => {
  const excess = () =>
    page.locator('#main').evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
  await page.setViewportSize({ width: 1280, height: 800 })
  await dashboard.open('/')
  await expect(dashboard.panel('Newest tokens')).toBeVisible()
  expect(await excess()).toBe(0)
  await sandbox.signIn({ user: 'alice', clientId: appOf(sandbox) })
  await refuseSignIn(sandbox)
  await sandbox.control('POST', 'webhooks', {
    user: 'alice',
    url: 'http://localhost:9/',
    watched: [{ type: 'org', name: 'acme' }],
  })
  for (let index = 0; index < 8; index += 1) await push(sandbox)
  await sandbox.idle()
  await expect(dashboard.panel('Sign-in')).toContainText('Allow this redirect URI')
  await expect(dashboard.panel('Webhooks')).toContainText('1 webhook failing')
  await expect(dashboard.panel('Trigger an event')).toBeInViewport()
  expect(await excess()).toBe(0)
  // Without the first steps nothing in it scrolls either.
  await dashboard.button('Dismiss the first steps').click()
  await expect(dashboard.panel('Newest deliveries')).toBeVisible()
  const columns = page.locator('#main .scroll-quiet')
  await expect(columns).toHaveCount(3)
  for (const column of await columns.all())
    expect(
      await column.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight),
    ).toBe(0)
})

test('an event from Home says who received it; without a webhook it offers the way to one', async ({
  dashboard,
  sandbox,
  page,
}) => {
  await dashboard.open('/')
  const panel = dashboard.panel('Trigger an event')
  await panel.getByRole('button', { name: 'Open a pull request' }).click()
  await expect(panel).toContainText('Nothing was delivered: there are no webhooks.')
  await panel.getByRole('button', { name: 'Receive a webhook' }).click()
  await expect(page).toHaveURL(/\/deliveries\/./)

  const receiver = await startReceiverOfAcme(sandbox, { name: 'ci' })
  await sandbox.control('POST', 'webhooks', {
    user: 'alice',
    name: 'audit',
    url: receiver.url,
    watched: [
      { type: 'org', name: 'acme' },
      { type: 'user', name: 'alice' },
    ],
  })
  await dashboard.visit('Home')
  await panel.getByRole('button', { name: 'Open a discussion' }).click()
  await expect(panel).toContainText(/Discussion opened\..*deliveries to .*audit/)
  await panel.getByRole('link', { name: 'Show these deliveries' }).click()
  await expect(page).toHaveURL(/q=event(:|%3A)/)
  const rows = page.locator('[role="row"][aria-selected]')
  await expect(rows.first()).toBeVisible()
  for (const text of await rows.allInnerTexts()) expect(text).toContain('discussion')
  await receiver.close()
})

test('settings for each common client are shown, and copied as they stand', async ({
  dashboard,
  sandbox,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await dashboard.open('/connect')
  const panel = dashboard.panel('Connect your app')
  const text = panel.getByLabel('Client settings')
  const marks = {
    Shell: `export HF_ENDPOINT=${sandbox.url}`,
    'huggingface.js': "from '@huggingface/hub'",
    huggingface_hub: 'from huggingface_hub import HfApi',
    'openid-client': 'client.discovery(',
    'MCP client': `const serverUrl = '${sandbox.url}/mcp'`,
    'Gradio Space': 'SYSTEM=',
    curl: `${sandbox.url}/api/whoami-v2`,
  }
  for (const [name, mark] of Object.entries(marks)) {
    await panel.getByRole('button', { name, exact: true }).click()
    await expect(text).toContainText(mark)
    await panel.getByRole('button', { name: 'Copy' }).click()
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(await text.innerText())
  }
})

test.describe('Activity', () => {
  test('a receiver that is down and a refusal are a line each, and shown alone by a URL', async ({
    dashboard,
    sandbox,
    page,
  }) => {
    await sandbox.control('POST', 'webhooks', {
      user: 'alice',
      name: 'ci-trigger',
      url: 'http://localhost:9/',
      watched: [{ type: 'org', name: 'acme' }],
    })
    await dashboard.open('/activity')
    await sandbox.control('POST', 'sessions', { user: 'alice' })
    for (let index = 0; index < 12; index += 1) await push(sandbox)
    for (let index = 0; index < 3; index += 1) await refuse(sandbox)
    await sandbox.idle()
    await expect(page.getByText(/^2 issues since/)).toBeVisible()
    await dashboard.button('Show issues only').click()
    await expect(lines(page)).toHaveText([
      /Deliveries to ci-trigger: 12 failing/,
      /GET \/api\/whoami-v2 refused: 401 invalid_token · 3 in the log/,
    ])
    await expect(page).toHaveURL(/\?failed=1$/)

    await page.reload()
    await expect(lines(page)).toHaveCount(2)
    await dashboard.button('Show all').click()
    await expect(lines(page).filter({ hasText: 'alice signed in' })).toHaveCount(1)
  })

  test('a refused exchange of a code is told once', async ({ dashboard, sandbox, page }) => {
    await fetch(`${sandbox.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: appOf(sandbox),
        code: 'unknown',
        redirect_uri: 'http://localhost/',
        code_verifier: 'v'.repeat(43),
      }),
    })
    await dashboard.open('/activity')
    await expect(lines(page).filter({ hasText: 'refused' })).toHaveText([/POST \/oauth\/token/])
  })

  test('spans and kinds follow the sandbox clock and stay in the URL', async ({
    dashboard,
    sandbox,
    page,
  }) => {
    await sandbox.control('POST', 'sessions', { user: 'alice' })
    await sandbox.faults.add({ match: { route: '/nowhere' }, status: 503 })
    await sandbox.clock.advance('30m')
    await sandbox.control('POST', 'sessions', { user: 'bob' })
    await dashboard.open('/activity?last=5m')
    await expect(lines(page).filter({ hasText: 'bob signed in' })).toHaveCount(1)
    await expect(lines(page).filter({ hasText: 'alice signed in' })).toHaveCount(0)
    await dashboard.button('Last hour').click()
    await expect(lines(page).filter({ hasText: 'alice signed in' })).toHaveCount(1)
    await dashboard.button('faults').click()
    await expect(lines(page)).toHaveText([/Fault added: \/nowhere/])
    await expect(page).toHaveURL(/\?last=1h&kinds=faults$/)
    await sandbox.clock.advance('2h')
    await expect(page.getByText('No matching activity in this period.')).toBeVisible()
  })

  test('a span is chosen by dragging over the strip, and ends by the button', async ({
    dashboard,
    sandbox,
    page,
  }) => {
    await sandbox.control('POST', 'sessions', { user: 'alice' })
    // Facts an hour apart, of which the clock's jump takes no room.
    await sandbox.clock.advance('1h')
    await sandbox.control('POST', 'sessions', { user: 'bob' })
    await dashboard.open('/activity')
    await expect(lines(page).filter({ hasText: 'signed in' })).toHaveCount(2)
    const strip = page.getByRole('figure', { name: 'Activity over time' }).getByTestId('density')
    await strip.scrollIntoViewIfNeeded()
    const box = await strip.boundingBox()
    if (box === null) throw new Error('the strip has no size')
    const y = box.y + box.height / 2
    // Everything happened at the left; the right half is empty.
    await page.mouse.move(box.x + box.width * 0.95, y)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.99, y, { steps: 3 })
    await page.mouse.up()
    await expect(page).toHaveURL(/range=/)
    await expect(page.getByText('No matching activity in this period.')).toBeVisible()
    await dashboard.button('Whole time').click()
    await expect(lines(page).filter({ hasText: 'signed in' })).toHaveCount(2)
    await expect(page).not.toHaveURL(/range=/)
  })

  test('the strip stands still while the pointer is over it', async ({
    dashboard,
    sandbox,
    page,
  }) => {
    await dashboard.open('/activity')
    const strip = page.getByTestId('density')
    const jumps = strip.locator('line[stroke-dasharray]')
    await expect(strip.locator('svg')).toBeVisible()
    await strip.hover()
    await sandbox.clock.advance('1h')
    // The list below hears of it, and so would the strip.
    await expect(lines(page).filter({ hasText: /clock/i })).toHaveCount(1)
    await expect(jumps).toHaveCount(0)
    await dashboard.heading('Activity').hover()
    await expect(jumps).toHaveCount(1)
  })

  test('a span is chosen with the keyboard alone, and ends with Escape', async ({
    dashboard,
    sandbox,
    page,
  }) => {
    await sandbox.control('POST', 'sessions', { user: 'alice' })
    await dashboard.open('/activity')
    await expect(lines(page).filter({ hasText: 'alice signed in' })).toHaveCount(1)
    const start = page.getByRole('slider', { name: 'Start of the span' })
    await start.focus()
    await page.keyboard.press('End')
    await expect(page.getByText('No matching activity in this period.')).toBeVisible()
    await expect(start).toHaveAttribute('aria-valuetext', /\d/)
    await page.keyboard.press('Escape')
    await expect(lines(page).filter({ hasText: 'alice signed in' })).toHaveCount(1)
  })

  test('facts from before the page was opened are there, and thousands scroll', async ({
    dashboard,
    sandbox,
    page,
  }) => {
    const users = ['alice', 'bob']
    for (let index = 0; index < 700; index += 1) {
      await sandbox.control('POST', 'sessions', { user: users[index % 2] ?? '' })
    }
    await dashboard.open('/activity')
    const list = page.getByRole('list', { name: 'Activity' })
    await expect(list.getByRole('listitem').first()).toHaveAttribute('aria-setsize', /^70[1-9]$/)
    await page.locator('#main').evaluate((main) => main.scrollTo(0, main.scrollHeight))
    await expect(list.getByText('Sandbox started')).toBeVisible()
    expect(await list.getByRole('listitem').count()).toBeLessThan(100)
  })
})

test('plain requests reload the overview at most every two seconds, and change its counts', async ({
  dashboard,
  sandbox,
  page,
}) => {
  await dashboard.open('/')
  await expect(page.getByRole('link', { name: '0 requests' })).toBeVisible()
  let reads = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/overview')) reads += 1
  })
  const begin = Date.now()
  for (let index = 0; index < 200; index += 1) await fetch(`${sandbox.url}/api/models`)
  await expect(page.getByRole('link', { name: '200 requests' })).toBeVisible()
  expect(reads).toBeLessThanOrEqual(2 + (Date.now() - begin) / 2000)
})

for (const width of [1440, 1280, 1024, 480, 320]) {
  test(`at ${width} px everything fits and breaks no accessibility rule`, async ({
    dashboard,
    sandbox,
    page,
  }) => {
    const end = await makeBusy(sandbox)
    const receiver = await startReceiver()
    receiver.answer(500)
    await sandbox.control('POST', 'webhooks', {
      user: 'alice',
      name: 'H'.repeat(120),
      url: receiver.url,
      watched: [{ type: 'org', name: 'acme' }],
    })
    await push(sandbox)
    await sandbox.idle()
    await refuseSignIn(sandbox)
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({
      reducedMotion: 'reduce',
      colorScheme: width % 320 === 0 ? 'dark' : 'light',
    })
    await dashboard.open('/')
    await expect(dashboard.panel('Webhooks')).toContainText('2 webhooks failing')
    await expect(dashboard.panel('Sign-in')).toContainText('Allow this redirect URI')
    await expect(dashboard.panel('Waiting for you')).toContainText('2 waiting')
    await expect(page.getByText(longest.account).first()).toBeAttached()
    expect(await brokenRules(page, 'all')).toEqual([])
    const excess = await page
      .locator('#main')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect(excess).toBeLessThanOrEqual(0)
    await receiver.close()
    await end()
  })
}

test('the server panel tells how large files are sent', async ({ dashboard }) => {
  await dashboard.open('/connect')
  await expect(dashboard.panel('Server')).toContainText('by Xet, as on the Hub')
})

test.describe('without Xet', () => {
  test.use({ sandboxOptions: { largeFiles: 'lfs' } })

  test('the server panel says so', async ({ dashboard }) => {
    await dashboard.open('/connect')
    await expect(dashboard.panel('Server')).toContainText('by Git LFS alone')
  })
})

test('what is shown stays while the sandbox is gone', async ({ dashboard, sandbox, page }) => {
  await refuseSignIn(sandbox)
  await dashboard.open('/')
  await expect(dashboard.panel('Sign-in')).toContainText('Refused')
  await sandbox.close()
  await expect(page.getByText(/Connection lost/)).toBeVisible()
  await expect(dashboard.panel('Sign-in')).toContainText('Refused')
})
