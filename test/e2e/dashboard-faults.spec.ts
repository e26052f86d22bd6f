import { createHash } from 'node:crypto'
import type { Sandbox } from '../../server/index.ts'
import { expect, test as base } from './fixtures.ts'
import { brokenRules } from './pages/accessibility.ts'
import { Dashboard } from './pages/dashboard.ts'
import { startReceiverOfAcme } from './pages/receiver.ts'

const test = base.extend<{ faults: Dashboard; experiments: Dashboard }>({
  experiments: async ({ page, sandbox }, provide) => {
    const experiments = new Dashboard(page, sandbox.url)
    await experiments.open('/experiments')
    await provide(experiments)
  },
  faults: async ({ page, sandbox }, provide) => {
    const faults = new Dashboard(page, sandbox.url)
    await faults.open('/faults')
    await provide(faults)
  },
})

test('active overrides are shown on every page and in the tab title', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/repos')
  const overrides = page.getByRole('list', { name: 'Active overrides' })
  const picture = page.locator('link[rel="icon"]')
  await expect(page).toHaveTitle('Repos · hub-sandbox')
  await expect(overrides).toHaveCount(0)
  await expect(picture).toHaveAttribute('href', /\/logo\.svg$/)

  await sandbox.faults.add({ match: { route: '/oauth/userinfo' }, status: 503, times: 2 })
  await expect(overrides).toHaveText('1 fault · 2 hits left')
  await expect(page).toHaveTitle('[1 fault] Repos · hub-sandbox')
  await expect(picture).toHaveAttribute('href', /\/logo-overrides\.svg$/)
  expect((await page.request.get(`${dashboard.url}/logo-overrides.svg`)).ok()).toBe(true)
  const userinfo = () => fetch(`${sandbox.url}/oauth/userinfo`)
  await userinfo()
  await expect(overrides).toHaveText('1 fault · 1 hit left')
  await userinfo()
  await expect(overrides).toHaveCount(0)

  await sandbox.clock.freeze()
  await expect(page).toHaveTitle('[clock frozen] Repos · hub-sandbox')
  await expect(dashboard.button(/^Sandbox clock/)).toContainText('frozen')
  await sandbox.control('POST', 'clock', { frozen: false })
  await sandbox.clock.set(new Date())

  const { id } = await sandbox.barriers.add({ match: { route: '/api/whoami-v2' }, count: 2 })
  const answer = fetch(`${sandbox.url}/api/whoami-v2`)
  await expect(overrides).toHaveText('1 barrier holding 1 request')
  await overrides.getByRole('link').click()
  await expect(dashboard.heading('Faults')).toBeVisible()
  await expect(dashboard.panel('Barriers')).toContainText('1 of 2 requests held')
  await sandbox.barriers.release(id)
  await answer
  await expect(overrides).toHaveCount(0)

  const app = sandbox.fixtures.apps.find(({ clientSecret }) => clientSecret === undefined)
  const body = new URLSearchParams({ client_id: app?.clientId ?? '', scope: 'openid' })
  await fetch(`${sandbox.url}/oauth/device`, { method: 'POST', body })
  await expect(overrides).toHaveText('1 device waiting')
  await sandbox.reset()
  await expect(overrides).toHaveCount(0)
  await expect(page).toHaveTitle('Faults · hub-sandbox')
})

test('a snapshot saved or deleted elsewhere is seen at once', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/settings')
  const rows = dashboard.panel('Snapshots').getByRole('listitem')
  await sandbox.snapshot('elsewhere')
  await expect(rows).toContainText(['elsewhere'])
  await sandbox.control('DELETE', 'snapshots/elsewhere')
  await expect(rows).toHaveCount(0)
})

test.describe('barriers', () => {
  /** Holds one route, and a request at it. */
  async function holdOne(sandbox: Sandbox, route: string) {
    const { id } = await sandbox.control<{ id: string }>('POST', 'barriers', {
      match: { route },
      count: 2,
    })
    let answered = false
    const answer = fetch(`${sandbox.url}${route}`).then(({ status }) => {
      answered = true
      return status
    })
    await expect
      .poll(async () => (await sandbox.control<{ held: string[] }>('GET', `barriers/${id}`)).held)
      .toHaveLength(1)
    return { answer, isAnswered: () => answered }
  }

  test('barriers are released one by one, the later one first', async ({ faults, sandbox }) => {
    await expect(faults.panel('Barriers')).toHaveCount(0)
    const first = await holdOne(sandbox, '/api/whoami-v2')
    const second = await holdOne(sandbox, '/.well-known/openid-configuration')
    const panel = faults.panel('Barriers')
    const row = (route: string) => panel.getByRole('listitem').filter({ hasText: route })
    await expect(row('/api/whoami-v2')).toContainText('1 of 2 requests held')

    await row('/.well-known/openid-configuration').getByRole('button', { name: 'Release' }).click()
    expect(await second.answer).toBe(200)
    await expect(row('/.well-known/openid-configuration')).toHaveCount(0)
    expect(first.isAnswered()).toBe(false)

    await row('/api/whoami-v2').getByRole('button', { name: 'Release' }).click()
    expect(await first.answer).toBe(401)
    await expect(panel).toHaveCount(0)
    expect(await sandbox.control('GET', 'barriers')).toEqual({ items: [] })
  })

  test('a barrier that is gone is reported', async ({ faults, sandbox, page }) => {
    const held = await holdOne(sandbox, '/.well-known/openid-configuration')
    const panel = faults.panel('Barriers')
    await expect(panel.getByRole('listitem')).toHaveCount(1)
    const { items } = await sandbox.control<{ items: { id: string }[] }>('GET', 'barriers')
    // Answered as the server answers it, which the page has not heard of yet.
    await page.route('**/api/barriers', (route) => route.abort())
    await sandbox.control('POST', `barriers/${items[0]?.id}/release`, {})
    expect(await held.answer).toBe(200)
    await panel.getByRole('button', { name: 'Release' }).click()
    await expect(faults.page.getByText('Could not release the barrier').first()).toBeVisible()
  })
})

test.describe('faults', () => {
  interface Rules {
    items: { match: object; status?: number; hits: number; times?: number }[]
  }
  const rules = async (sandbox: Sandbox) => (await sandbox.control<Rules>('GET', 'faults')).items

  test('a rule breaks responses until it is used up', async ({ faults, sandbox }) => {
    const userinfo = async () => (await fetch(`${sandbox.url}/oauth/userinfo`)).status
    const panel = faults.panel('Fault rules')
    await expect(panel).toContainText('No faults active.')
    await panel.getByRole('button', { name: 'Add fault' }).click()
    const dialog = faults.dialog('Add fault')
    await dialog.getByRole('button', { name: 'Userinfo unavailable' }).click()
    await expect(dialog.getByLabel('Status')).toHaveValue('503')
    await dialog.getByLabel('Apply to').fill('2')
    await dialog.getByRole('button', { name: 'Add fault' }).click()
    await expect(dialog).toBeHidden()
    await expect(panel.getByRole('row').nth(1)).toHaveText(
      /\/oauth\/userinfo.*respond with 503 \(2×\)/s,
    )

    expect(await userinfo()).toBe(503)
    await expect(panel.getByRole('row').nth(1)).toContainText('1 of 2 hits')
    expect([await userinfo(), await userinfo()]).toEqual([503, 401])
    // It is active no longer.
    await expect(panel).toContainText('No faults active.')
    await panel.getByRole('button', { name: 'Used up' }).click()
    await expect(panel.getByRole('row').nth(1)).toContainText('used up: 2 hits')

    await panel.getByRole('button', { name: 'Remove the fault of /oauth/userinfo' }).click()
    await expect(panel).toContainText('No faults active.')
    expect(await rules(sandbox)).toEqual([])
  })

  test('an invalid rule is reported at once, a refused one with the field', async ({
    faults,
    sandbox,
  }) => {
    await faults.button('Add fault').click()
    const dialog = faults.dialog('Add fault')
    await dialog.getByRole('button', { name: 'JSON' }).click()
    const rule = dialog.getByLabel('Rule')
    const add = dialog.getByRole('button', { name: 'Add fault' })
    await rule.fill('{"match": {')
    await expect(rule).toHaveAttribute('aria-invalid', 'true')
    await expect(add).toBeDisabled()
    await rule.fill('')
    await expect(add).toBeDisabled()

    await rule.fill('{"match": {"route": "/oauth/token"}, "status": 99}')
    await add.click()
    await expect(dialog.getByRole('alert')).toContainText('status')
    await rule.fill('{"match": {"path": "/oauth/token"}}')
    await add.click()
    await expect(dialog.getByRole('alert')).toContainText('path')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    expect(await rules(sandbox)).toEqual([])
  })

  test('form and JSON show the same rule, which is compared with past requests', async ({
    faults,
    sandbox,
  }) => {
    const ask = (path: string) => fetch(`${sandbox.url}${path}`)
    await ask('/api/whoami-v2?limit=1')
    await ask('/api/whoami-v2')
    await ask('/oauth/userinfo')
    await faults.button('Add fault').click()
    const dialog = faults.dialog('Add fault')
    const preview = dialog.getByRole('region', { name: 'Preview' })
    await dialog.getByLabel('Path').fill('/api/*')
    await expect(preview).toContainText('Would match 2 of the last 3 requests.')
    await expect(preview.getByRole('listitem')).toHaveText([/GET \/api\/whoami-v2 401/, /GET/])
    await dialog.getByLabel('Path').fill('/oauth/usrinfo')
    await expect(preview).toContainText('Would match 0 of the last 3 requests.')
    await expect(preview).toContainText('did you mean "/oauth/userinfo"?')

    await dialog.getByRole('button', { name: 'Wrong nonce' }).click()
    await dialog.getByLabel('aud', { exact: true }).fill('another-client')
    await dialog.getByRole('checkbox', { name: 'Invalid signature' }).click()
    await dialog.getByRole('button', { name: 'JSON' }).click()
    expect(JSON.parse(await dialog.getByLabel('Rule').inputValue())).toEqual({
      match: { route: '/oauth/token', grantType: 'authorization_code' },
      idToken: { claims: { nonce: 'another', aud: 'another-client' }, breakSignature: true },
      times: 1,
    })
    await dialog.getByLabel('Rule').fill('{"match": {"route": "/x"}, "status": 503, "body": "no"}')
    await dialog.getByRole('button', { name: 'Form' }).click()
    await expect(dialog.getByLabel('Status')).toHaveValue('503')
    await expect(dialog).toContainText('It also sets body: see its JSON.')

    await dialog.getByRole('button', { name: 'Deliveries', exact: true }).click()
    await expect(preview).toContainText('No deliveries yet to preview the match.')
    await expect(dialog.getByLabel('OAuth error')).toHaveCount(0)
    await dialog.getByLabel('Delay').fill('soon')
    await dialog.getByRole('button', { name: 'Add fault' }).click()
    await expect(dialog.getByLabel('Delay')).toHaveAttribute('aria-invalid', 'true')
  })
})

const experiment = ({ page }: Dashboard, title: string) =>
  page.getByRole('listitem', { name: `Experiment: ${title}`, exact: true })

/** An app that checks nothing: it signs in and uses its token. */
async function signInCarelessly(sandbox: Sandbox): Promise<void> {
  const app = sandbox.fixtures.apps.find(
    ({ clientSecret, redirectUris }) => clientSecret === undefined && redirectUris?.length,
  )
  const [redirectUri = ''] = app?.redirectUris ?? []
  const client = { client_id: app?.clientId ?? '', redirect_uri: redirectUri }
  const verifier = 'v'.repeat(43)
  const { redirectTo } = await sandbox.control<{ redirectTo: string }>('POST', 'authorize', {
    ...client,
    response_type: 'code',
    scope: 'openid',
    nonce: 'n1',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    user: 'alice',
  })
  const answer = await fetch(`${sandbox.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...client,
      grant_type: 'authorization_code',
      code: new URL(redirectTo).searchParams.get('code') ?? '',
      code_verifier: verifier,
    }),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${token}` }
  await fetch(`${sandbox.url}/oauth/userinfo`, { headers })
}

test('an experiment tells that an app accepted a wrong ID token', async ({
  experiments,
  sandbox,
}) => {
  const card = experiment(experiments, 'Wrong nonce')
  await card.getByRole('button', { name: 'Run' }).click()
  await expect(card).toContainText('Waiting for your app')
  await signInCarelessly(sandbox)
  await expect(card).toContainText('failed')
  await expect(card).toContainText('it sent GET /oauth/userinfo with the token')
  await card.getByRole('link', { name: 'View sign-in' }).click()
  await expect(experiments.page.getByRole('article', { name: 'Sign-in' })).toContainText('changed')
})

test('an experiment tells that an app accepted the response of another issuer', async ({
  experiments,
  sandbox,
}) => {
  const card = experiment(experiments, 'Wrong iss in the response')
  await card.getByRole('button', { name: 'Run' }).click()
  await expect(card).toContainText('Waiting for your app')
  await signInCarelessly(sandbox)
  await expect(card).toContainText('it sent POST /oauth/token with the code')
  await card.getByRole('link', { name: 'View sign-in' }).click()
  await expect(experiments.page.getByRole('article', { name: 'Sign-in' })).toContainText(
    'redirect: iss set to "https://another-issuer.invalid"',
  )
})

test('the experiments say that they load, and why they cannot', async ({ page, sandbox }) => {
  const dashboard = new Dashboard(page, sandbox.url)
  await page.route('**/api/experiments', (route) =>
    route.fulfill({
      status: 500,
      json: { error: 'internal', message: 'The experiments are out.' },
    }),
  )
  await dashboard.open('/experiments')
  const panel = page.getByRole('main')
  await expect(panel).toContainText('The experiments are out.')
  await expect(panel.getByRole('heading', { level: 3 })).toHaveCount(0)
  await page.unroute('**/api/experiments')
  await page.reload()
  await expect(panel.getByRole('heading', { level: 3 })).toHaveCount(4)
})

test('a refresh race names the process that is signed out, with and without a grace period', async ({
  experiments,
  sandbox,
}) => {
  /** Two processes of an app send the same refresh token at once. */
  async function race(): Promise<number[]> {
    const app = sandbox.fixtures.apps[0]
    const { refresh_token: refreshToken = '' } = await sandbox.signIn({
      user: 'alice',
      clientId: app?.clientId ?? '',
    })
    const refresh = () =>
      fetch(`${sandbox.url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          client_id: app?.clientId ?? '',
          ...(app?.clientSecret !== undefined && { client_secret: app.clientSecret }),
          grant_type: 'refresh_token',
          refresh_token: refreshToken,
        }),
      })
    const answers = await Promise.all([refresh(), refresh()])
    return answers.map(({ status }) => status).toSorted((a, b) => a - b)
  }
  const card = experiment(experiments, 'Two refreshes at once')
  await card.getByRole('button', { name: 'Run' }).click()
  await expect(card).toContainText('let two of its processes refresh the token of one user')
  expect(await race()).toEqual([200, 400])
  await expect(card).toContainText('failed')
  await expect(card).toContainText(/req-\w+ \(node\) got new tokens\. req-\w+ \(node\) was refused/)
  await expect(card).toContainText('both processes are signed out')

  const graceful = experiment(experiments, 'Two refreshes at once within a grace period')
  await graceful.getByRole('button', { name: 'Run' }).click()
  await expect(graceful).toContainText('Waiting for your app')
  expect(await race()).toEqual([200, 200])
  await expect(graceful).toContainText('The Hub has no grace period')
  expect(await brokenRules(experiments.page)).toEqual([])
  await graceful.getByRole('link', { name: 'View sign-in' }).click()
  await expect(experiments.page.getByRole('article', { name: 'Sign-in' })).toBeVisible()
})

test('an experiment that needs iss says how to start the sandbox', async ({ experiments }) => {
  await experiment(experiments, 'No iss in the response')
    .getByRole('button', { name: 'Run' })
    .click()
  await expect(experiments.page.getByRole('alert')).toContainText('start it with --send-iss')
})

test('a fault changes the redirect to the app, and the ID token of a CI job', async ({
  faults,
  sandbox,
}) => {
  await faults.button('Add fault').click()
  const dialog = faults.dialog('Add fault')
  await dialog.getByRole('button', { name: 'Wrong iss' }).click()
  const redirect = dialog.getByRole('group', { name: 'Redirect to the app' })
  await expect(redirect.getByLabel('iss')).toHaveValue('https://another-issuer.invalid')
  await redirect.getByLabel('state').fill('another')
  await dialog.getByRole('button', { name: 'Add fault' }).click()
  await expect(faults.panel('Fault rules')).toContainText('change the redirect to the app (1×)')
  expect(await sandbox.faults.list()).toMatchObject([
    { redirect: { set: { iss: 'https://another-issuer.invalid', state: 'another' } } },
  ])

  await faults.button('Add fault').click()
  await dialog.getByRole('button', { name: 'Wrong ref' }).click()
  await expect(dialog.getByRole('combobox', { name: 'ID token of a CI job' })).toContainText(
    'wrong ref',
  )
  await dialog.getByRole('button', { name: 'Add fault' }).click()
  await expect(faults.panel('Fault rules')).toContainText('ID token of the CI job: wrong ref (1×)')
})

test('the demo app passes the experiments with ID tokens', async ({ experiments }) => {
  for (const title of ['Wrong audience', 'Wrong signature', 'Expired ID token']) {
    const card = experiment(experiments, title)
    await card.getByRole('button', { name: 'Play with the demo app' }).click()
    await expect(card).toContainText('Your app refused it')
  }
  // Known again after a reload, and by rules that the command line added.
  await experiments.page.reload()
  await expect(experiment(experiments, 'Wrong audience')).toContainText('Your app refused it')
})

test('a stopped experiment leaves no fault behind', async ({ experiments, sandbox }) => {
  const card = experiment(experiments, 'Token endpoint unavailable')
  await card.getByRole('button', { name: 'Run' }).click()
  await card.getByRole('button', { name: 'Stop' }).click()
  await expect(card.getByRole('button', { name: 'Run' })).toBeVisible()
  expect(await sandbox.faults.list()).toEqual([])
})

test('a receiver is judged by a body that comes slowly', async ({ experiments, sandbox }) => {
  const receiver = await startReceiverOfAcme(sandbox, { name: 'ci-trigger' })
  await sandbox.trigger({ event: 'repo.content', repo: 'datasets/acme/corpus' })
  await sandbox.idle()
  await expect(experiment(experiments, 'Body that stops halfway')).toBeVisible()
  const card = experiment(experiments, 'Slow body')
  await card.getByRole('button', { name: 'Run' }).click()
  await expect(card).toContainText(/Your receiver waited \d\.\d s for the body/, {
    timeout: 15_000,
  })
  expect(receiver.received[1]).toBe(receiver.received[0])
  await card.getByRole('link', { name: 'View delivery' }).click()
  await experiments.page.getByRole('tab', { name: 'Timeline' }).click()
  await expect(experiments.page.getByRole('article', { name: 'Delivery' })).toContainText('send')
})

test('a receiver is judged by a delivery that it gets twice', async ({ experiments, sandbox }) => {
  const receiver = await startReceiverOfAcme(sandbox, { name: 'ci-trigger' })
  const card = experiment(experiments, 'Same delivery twice')
  await card.getByRole('button', { name: 'Run' }).click()
  await expect(
    experiments.page.getByText('Nothing was delivered to this webhook yet').first(),
  ).toBeVisible()
  await sandbox.trigger({ event: 'repo.content', repo: 'datasets/acme/corpus' })
  await sandbox.idle()
  await card.getByRole('button', { name: 'Run' }).click()
  await expect(card).toContainText('passed')
  expect(receiver.received).toHaveLength(3)
  receiver.answer(409)
  await card.getByRole('button', { name: 'Run again' }).click()
  await expect(card).toContainText('failed 2 of 2')
  await card.getByRole('link', { name: 'View delivery' }).click()
  await expect(experiments.heading('Deliveries')).toBeVisible()
  await receiver.close()
})

test('one button runs all experiments one after the other, and the score adds up', async ({
  experiments,
  page,
  sandbox,
}) => {
  test.slow()
  const main = page.getByRole('main')
  await expect(main.getByRole('status').filter({ hasText: /^0 passed · 0 failed/ })).toBeVisible()
  const rows = await main.getByRole('listitem', { name: /^Experiment: / }).count()
  await experiments.button('Run all').click()
  await expect(main.getByText(/^1 of \d+$/)).toBeVisible()
  await expect(experiments.button('Run all')).toBeVisible({ timeout: 150_000 })
  const score = await main
    .getByRole('status')
    .filter({ hasText: /\d+ passed · \d+ failed/ })
    .innerText()
  expect(score).toMatch(/^[1-9]\d* passed · 0 failed/)
  const sum = [...score.matchAll(/\d+/g)].reduce((total, [count]) => total + Number(count), 0)
  expect(sum).toBe(rows)
  // Without a webhook the receivers cannot be judged: the row says why.
  await expect(experiment(experiments, 'Same delivery twice')).toContainText(/not run.*webhook/)
  // Those that are left are used up.
  expect((await sandbox.faults.list()).filter(({ hits }) => hits === 0)).toEqual([])
})

test('a run of all experiments waits for your app, and is stopped with its fault', async ({
  experiments,
  page,
  sandbox,
}) => {
  await experiments.choose(
    page.getByRole('combobox', { name: 'App that is judged' }),
    'With your own app',
  )
  await experiments.button('Run all').click()
  const first = experiment(experiments, 'Wrong nonce')
  await expect(first).toContainText('Waiting for your app')
  await expect(first).toHaveAttribute('aria-current', 'step')
  await signInCarelessly(sandbox)
  await expect(first).toContainText('failed')
  const second = experiment(experiments, 'Wrong audience')
  await expect(second).toContainText('Waiting for your app')
  await experiments.button('Stop all').click()
  await expect(second.getByRole('button', { name: 'Run', exact: true })).toBeVisible()
  await expect(experiments.button('Run all')).toBeVisible()
  // Those that are left are used up.
  expect((await sandbox.faults.list()).filter(({ hits }) => hits === 0)).toEqual([])
})
