import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import type { BrowserContext, Page } from '@playwright/test'
import type { Sandbox } from '../../server/index.ts'
import { median } from '../bench/statistics.ts'
import { type AppSite, startAppSite } from './app-site.ts'
import { expect, test as base } from './fixtures.ts'
import { brokenRules } from './pages/accessibility.ts'
import { newestFlow, SignInsPage } from './pages/sign-ins.ts'
import { timeOfOneQuestion } from './time-of-one-question.ts'

const test = base.extend<{ signIns: SignInsPage }>({
  signIns: async ({ page, sandbox }, provide) => provide(new SignInsPage(page, sandbox.url)),
})

let site: AppSite

test.beforeAll(async () => {
  site = await startAppSite()
})

test.afterAll(() => site.close())

function publicClient({ fixtures }: Sandbox): string {
  return fixtures.apps.find(({ clientSecret }) => clientSecret === undefined)?.clientId ?? ''
}

/** Another window, in which somebody uses a web page that signs in with @huggingface/hub. */
async function startSignIn(context: BrowserContext, sandbox: Sandbox): Promise<Page> {
  const window = await context.newPage()
  const settings = new URLSearchParams({ hubUrl: sandbox.url, clientId: publicClient(sandbox) })
  await window.goto(`${site.url()}/?${settings}`)
  await window.getByRole('button', { name: 'Sign in' }).click()
  return window
}

async function finishSignIn(window: Page): Promise<void> {
  await window.getByRole('button', { name: /alice@/ }).click()
  await window.getByRole('button', { name: 'Allow' }).click()
  await expect(window.getByRole('status')).toContainText('Hello')
}

const post = (url: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), headers })

/** What an app sends that exchanges the e-mail address of a member for a token (RFC 8693). */
async function exchange(sandbox: Sandbox, email: string): Promise<Record<string, string>> {
  const app = sandbox.fixtures.apps.find(({ privileges }) => privileges?.includes('token-exchange'))
  const credentials = Buffer.from(`${app?.clientId}:${app?.clientSecret}`).toString('base64')
  const answer = await post(
    `${sandbox.url}/oauth/token`,
    {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: email,
      subject_token_type: 'urn:service:token-type:user-email',
    },
    { authorization: `Basic ${credentials}` },
  )
  return (await answer.json()) as Record<string, string>
}

test('a sign-in with @huggingface/hub is drawn while it happens in another window', async ({
  signIns,
  sandbox,
  context,
}) => {
  await signIns.open('/sign-ins')
  await expect(signIns.page.getByText('No sign-ins yet')).toBeVisible()
  const window = await startSignIn(context, sandbox)
  await expect(signIns.step('authorization request')).toHaveCount(1)
  await expect(signIns.step('user on login page')).toContainText('so far')
  await expect(signIns.flow).toContainText('pending')

  await finishSignIn(window)
  await expect(signIns.step('token request with PKCE')).toBeVisible()
  await expect(signIns.flow).toContainText('completed')
  await expect(signIns.flow).toContainText('alice')

  const flow = await newestFlow(sandbox)
  await expect(signIns.steps).toHaveCount(flow.steps.length)
  const story = await signIns.story()
  for (const [index, step] of flow.steps.entries()) expect(story[index]).toContain(step.name)
})

test('a new arrow appears soon after its request', async ({ signIns, sandbox }) => {
  const { page } = signIns
  const client = publicClient(sandbox)
  const answer = await post(`${sandbox.url}/oauth/device`, { client_id: client, scope: 'openid' })
  const { device_code: deviceCode } = (await answer.json()) as Record<string, string>
  await signIns.open('/sign-ins')
  await expect(signIns.step('device authorization request')).toBeVisible()
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id: client,
    device_code: deviceCode ?? '',
  }
  const delays: number[] = []
  const reads: number[] = []
  for (let count = 1; count <= 6; count++) {
    const seen = page.evaluate((polls) => {
      const isSeen = () =>
        Array.from(document.querySelectorAll('[data-step]')).some((step) =>
          step.textContent.includes(`${polls} poll`),
        )
      return new Promise<number>((resolve) => {
        const look = () => (isSeen() ? resolve(Date.now()) : requestAnimationFrame(look))
        look()
      })
    }, count)
    await post(`${sandbox.url}/oauth/token`, form)
    const answeredAt = Date.now()
    delays.push((await seen) - answeredAt)
    reads.push(await page.evaluate(timeOfOneQuestion, '/_sandbox/api/flows'))
  }
  // On a busy machine everything takes longer: what is left is the page's own hesitation.
  expect(median(delays)).toBeLessThan(100 + 4 * median(reads))
})

test('the details of an arrow are what the client sent and received', async ({
  signIns,
  sandbox,
  context,
}) => {
  const { page, details } = signIns
  await signIns.open('/sign-ins')
  const window = await startSignIn(context, sandbox)
  const sent = new Promise<URLSearchParams>((resolve) => {
    window.on('request', (request) => {
      if (request.url().endsWith('/oauth/token'))
        resolve(new URLSearchParams(request.postData() ?? ''))
    })
  })
  const got = window.waitForResponse(/\/oauth\/token$/)
  await finishSignIn(window)
  const form = await sent
  const tokens = (await (await got).json()) as Record<string, string>

  await signIns.step('token request with PKCE').click()
  await expect(details.getByRole('heading', { name: 'token request with PKCE' })).toBeVisible()
  for (const [name, value] of form) {
    const row = details
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: new RegExp(`^${name} form$`) }) })
    const secret = name === 'code' || name === 'code_verifier'
    if (secret) {
      await expect(row).not.toContainText(value)
      await row.getByRole('button', { name: `Show ${name}` }).click()
    }
    await expect(row).toContainText(value)
  }
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  await expect(details.getByText(challenge)).toHaveCount(2)
  await expect(details).toContainText('match: same client')
  expect(page.url()).not.toContain(form.get('code') ?? '?')

  await signIns.step('token response').click()
  const card = details.getByRole('article', { name: 'id_token' })
  await expect(card).not.toContainText(tokens['id_token'] ?? '?')
  await expect(card).toContainText(/Signature valid \(current key/)
  await expect(card).toContainText('at_hash matches the access token')
  const [header = '', payload = '', signature = ''] = (tokens['id_token'] ?? '').split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
  for (const name of ['sub', 'aud', 'iss', 'preferred_username', 'exp']) {
    const row = card
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name, exact: true }) })
    await expect(row).toContainText(JSON.stringify(claims[name]))
  }
  await expect(
    card
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: 'exp', exact: true }) }),
  ).toContainText(/in \d+m/)
  const keys = await sandbox.control<{ items: { kid: string }[] }>('GET', 'keys')
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }
  const jwks = (await (await fetch(`${sandbox.url}/oauth/jwks`)).json()) as {
    keys: JsonWebKey[]
  }
  expect(keys.items.map((key) => key.kid)).toContain(kid)
  const key = createPublicKey({
    key: jwks.keys.find((found) => found['kid'] === kid) ?? {},
    format: 'jwk',
  })
  const signed = Buffer.from(`${header}.${payload}`)
  expect(verify('RSA-SHA256', signed, key, Buffer.from(signature, 'base64url'))).toBe(true)
})

test('a shown secret is masked again in the next step and in presentation', async ({
  signIns,
  sandbox,
}) => {
  const { page, details } = signIns
  const { access_token: token = '?' } = await exchange(sandbox, 'bob@example.com')
  await signIns.open('/sign-ins')
  await signIns.step('token response').click()
  await expect(details.getByRole('article', { name: 'access_token' })).toBeVisible()
  await expect(page.getByText(token)).toHaveCount(0)
  await details.getByRole('button', { name: 'Show access_token' }).first().click()
  await expect(details.getByRole('article', { name: 'access_token' })).toContainText(token)
  expect(page.url()).not.toContain('access_token')

  await page.keyboard.press('p')
  await expect(page).toHaveURL(/present/)
  await expect(page.getByText(token)).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Show/ })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/present/)
  await signIns.step('token exchange request').click()
  await signIns.step('token response').click()
  await expect(details.getByRole('button', { name: 'Show access_token' }).first()).toBeVisible()
  await expect(page.getByText(token)).toHaveCount(0)
})

test('an exchange is drawn as its chain, and a refused one up to the failure', async ({
  signIns,
  sandbox,
}) => {
  const { details } = signIns
  await signIns.open('/sign-ins')
  await exchange(sandbox, 'bob@example.com')
  await expect(signIns.flow).toContainText('completed')
  await signIns.step('token response').click()
  const links = details.getByRole('listitem')
  await expect(links.filter({ hasText: 'subject' }).first()).toContainText('bob@example.com')
  await expect(links.filter({ hasText: 'organization' }).first()).toContainText('acme')

  await exchange(sandbox, 'nobody@example.com')
  await signIns.page.keyboard.press('Escape')
  await expect(signIns.list).toHaveCount(2)
  await signIns.list.first().click()
  await expect(signIns.flow).toContainText('refused')
  await expect(signIns.step('error response')).toContainText('Refused: 400 invalid_grant')
  await signIns.step('error response').click()
  await expect(details.getByRole('listitem').filter({ hasText: 'subject' }).first()).toContainText(
    'nobody@example.com',
  )
})

test('a device is drawn with its polls until it has its token, and with a refresh', async ({
  signIns,
  sandbox,
}) => {
  const client = publicClient(sandbox)
  await signIns.open('/sign-ins')
  const answer = await post(`${sandbox.url}/oauth/device`, {
    client_id: client,
    scope: 'openid profile',
  })
  const device = (await answer.json()) as Record<string, string>
  const poll = async () => {
    const polled = await post(`${sandbox.url}/oauth/token`, {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: client,
      device_code: device['device_code'] ?? '',
    })
    return (await polled.json()) as Record<string, string>
  }
  const code = signIns.page.getByRole('region', { name: 'Device code' })
  await expect(code).toContainText(device['user_code'] ?? '?')
  await expect(code).toContainText(device['verification_uri'] ?? '?')
  expect((await poll())['error']).toBe('authorization_pending')
  expect((await poll())['error']).toBe('slow_down')
  const polls = signIns.step('2 polls')
  await expect(polls).toContainText('1 × authorization_pending, 1 × slow_down')
  await expect(polls).toContainText(/code expires in \d/)

  await sandbox.clock.advance('30s')
  await expect(signIns.step('clock advanced by 30s')).toBeVisible()
  await sandbox.approveDevice(device['user_code'] ?? '', { user: 'bob' })
  const tokens = await poll()
  await expect(signIns.flow).toContainText('completed')
  await expect(code).toBeHidden()
  await signIns.step('2 polls').click()
  const rows = signIns.details.getByRole('table').first().getByRole('row')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(2)).toContainText('slow_down')

  await post(`${sandbox.url}/oauth/token`, {
    grant_type: 'refresh_token',
    client_id: client,
    refresh_token: tokens['refresh_token'] ?? '',
  })
  await expect(signIns.step('refresh request')).toBeVisible()
})

test('a refused redirect URI is compared with the registered ones, with the difference marked', async ({
  signIns,
  sandbox,
}) => {
  const query = new URLSearchParams({
    client_id: publicClient(sandbox),
    redirect_uri: 'http://localhost/callbakc',
    response_type: 'code',
  })
  await fetch(`${sandbox.url}/oauth/authorize?${query}`)
  await signIns.open('/sign-ins')
  await expect(signIns.flow).toContainText('refused')
  await signIns.step('Refused').click()
  await expect(signIns.details.getByRole('deletion')).toHaveText('kc')
  await expect(signIns.details.getByRole('insertion')).toHaveText('ck')
  await expect(signIns.details).toContainText('http://localhost/callback')
  // The fix shows the same difference; the other URIs are folded.
  await expect(signIns.flow.getByRole('deletion')).toHaveText(['kc', 'kc'])
  const others = signIns.details.getByRole('group').filter({ hasText: /^\d+ others?/ })
  await expect(others.getByRole('listitem').first()).toBeHidden()
  await others.getByText(/^\d+ others?$/).click()
  await expect(others.getByRole('listitem').first()).toBeVisible()
})

test('the keyboard moves through the whole drawing, opens details and returns', async ({
  signIns,
  sandbox,
}) => {
  const { page } = signIns
  await sandbox.signIn({ user: 'alice' })
  await exchange(sandbox, 'bob@example.com')
  await signIns.open('/sign-ins')
  await expect(signIns.steps.first()).toBeVisible()
  await page.keyboard.press(']')
  await expect(signIns.flow.getByRole('heading').first()).toHaveText('Browser sign-in')
  const count = await signIns.steps.count()
  await page.keyboard.press('ArrowDown')
  await expect(signIns.steps.first()).toBeFocused()
  for (let index = 1; index < count; index++) {
    await page.keyboard.press('ArrowDown')
    await expect(signIns.steps.nth(index)).toBeFocused()
    await expect(signIns.steps.nth(index)).toBeInViewport()
  }
  for (let index = count - 2; index >= 0; index--) {
    await page.keyboard.press('ArrowUp')
    await expect(signIns.steps.nth(index)).toBeFocused()
    // Not behind the heads, which stay above what is scrolled.
    const heads = await page.locator('.flow-drawing').first().boundingBox()
    const step = await signIns.steps.nth(index).boundingBox()
    expect(step?.y).toBeGreaterThanOrEqual((heads?.y ?? 0) + (heads?.height ?? 0) - 1)
  }
  await page.keyboard.press('End')
  await page.keyboard.press('Home')
  await expect(signIns.steps.first()).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(signIns.details).toBeVisible()
  await page.keyboard.press('ArrowUp')
  const name = (await newestSteps(signIns)).at(-2)
  await expect(signIns.details.getByRole('heading', { level: 3 })).toHaveText(name ?? '?')
  await page.keyboard.press('Escape')
  await expect(signIns.details).toBeHidden()
  await expect(signIns.steps.nth(count - 2)).toBeFocused()
})

/** Names of the steps that are drawn, without what is told of them. */
async function newestSteps(signIns: SignInsPage): Promise<string[]> {
  const story = await signIns.story()
  return story.map((text) => /: (.+?), after/.exec(text)?.[1] ?? text)
}

test('a flow is drawn once, in the first frame that shows it', async ({ signIns, sandbox }) => {
  const { page } = signIns
  await sandbox.signIn({ user: 'alice' })
  await exchange(sandbox, 'bob@example.com')
  await signIns.open('/sign-ins')
  await expect(signIns.steps.first()).toBeVisible()
  await page.evaluate(() => {
    const lists = new Set<Element>()
    Object.assign(globalThis, { lists })
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => Array.from(addedNodes))) {
        if (!(node instanceof Element)) continue
        for (const list of [node, ...node.querySelectorAll('ol')]) {
          if (list.matches('ol[aria-label="Steps"]')) lists.add(list)
        }
      }
    }).observe(document.body, { childList: true, subtree: true })
  })
  await signIns.list.nth(1).click()
  await expect(signIns.flow.getByRole('heading').first()).toHaveText('Browser sign-in')
  await expect(signIns.steps.first()).toBeVisible()
  // Three frames: what takes another one's place would have done so by then.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
  })
  expect(
    await page.evaluate(() => (globalThis as unknown as { lists: Set<Element> }).lists.size),
  ).toBe(1)
})

test('a step keeps focus when its details leave no room for the drawing', async ({
  signIns,
  sandbox,
}) => {
  const { page } = signIns
  await page.setViewportSize({ width: 1100, height: 800 })
  await sandbox.signIn({ user: 'alice' })
  await signIns.open('/sign-ins')
  await expect(page.locator('svg.flow-drawing').first()).toBeVisible()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(signIns.details).toBeVisible()
  await expect(page.locator('svg.flow-drawing')).toHaveCount(0)
  await expect(signIns.steps.last()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  const name = (await newestSteps(signIns)).at(-2)
  await expect(signIns.details.getByRole('heading', { level: 3 })).toHaveText(name ?? '?')
})

test('of five hundred steps the visible ones are drawn, and none is blank while scrolling', async ({
  signIns,
  sandbox,
}) => {
  const { access_token: token } = await sandbox.signIn({ user: 'alice' })
  const headers = { authorization: `Bearer ${token}` }
  for (let round = 0; round < 250; round++) {
    const answer = await fetch(`${sandbox.url}/oauth/userinfo`, { headers })
    await answer.arrayBuffer()
  }
  await signIns.open('/sign-ins')
  await expect(signIns.steps.first()).toBeVisible()
  expect(await signIns.steps.count()).toBeGreaterThan(500)
  const found = await signIns.steps.evaluateAll(async (steps) => {
    const scroller = steps[0]?.closest('[data-scroller]')
    const isInSight = (step: Element) => {
      const frame = scroller?.getBoundingClientRect()
      const { top, bottom } = step.getBoundingClientRect()
      return frame !== undefined && bottom > frame.top && top < frame.bottom
    }
    const isDrawn = (step: Element) => step.querySelector('svg') !== null
    let mostDrawn = 0
    let blank = 0
    for (let top = 0; top < (scroller?.scrollHeight ?? 0); top += 500) {
      scroller?.scrollTo(0, top)
      await new Promise((resolve) => requestAnimationFrame(resolve))
      mostDrawn = Math.max(mostDrawn, steps.filter(isDrawn).length)
      blank += steps.filter((step) => isInSight(step) && !isDrawn(step)).length
    }
    return { mostDrawn, blank }
  })
  expect(found.blank).toBe(0)
  expect(found.mostDrawn).toBeLessThan(200)
})

test('a sign-in is exported as HAR, Mermaid text and a test, and its link is copied', async ({
  signIns,
  sandbox,
  context,
}) => {
  const { page } = signIns
  await sandbox.signIn({ user: 'alice' })
  await signIns.open('/sign-ins')
  await expect(signIns.steps.first()).toBeVisible()
  const flow = await newestFlow(sandbox)

  const har = await signIns.save('HTTP Archive (HAR)')
  expect(har.name).toBe(`sign-in-${flow.id}.har`)
  const { log } = JSON.parse(har.content.toString()) as { log: { entries: object[] } }
  const requests = new Set(flow.steps.flatMap(({ requestId }) => requestId ?? []))
  expect(log.entries).toHaveLength(requests.size)

  const mermaid = await signIns.save('Mermaid file')
  expect(mermaid.content.toString()).toMatch(/^sequenceDiagram/m)
  expect(mermaid.content.toString()).toContain('authorization request')
  expect((await signIns.save('As a test (vitest)')).content.toString()).toContain('startSandbox')

  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await signIns.button('Export').click()
  await page.getByRole('menuitem', { name: 'Copy as Mermaid' }).click()
  await expect.poll(clipboard).toBe(mermaid.content.toString())
  await signIns.button('Copy link').click()
  await expect.poll(clipboard).toBe(`${signIns.url}/sign-ins/${flow.id}`)
})

test('the list is filtered by kind, outcome and text, and the URL keeps the filters', async ({
  signIns,
  sandbox,
}) => {
  const { page } = signIns
  await exchange(sandbox, 'bob@example.com')
  await exchange(sandbox, 'nobody@example.com')
  await sandbox.signIn({ user: 'alice' })
  await signIns.open('/sign-ins')
  await expect(signIns.list).toHaveCount(3)
  await signIns.choose(page.getByRole('combobox', { name: 'Kind' }), 'Token exchange')
  await expect(signIns.list).toHaveCount(2)
  await signIns.choose(page.getByRole('combobox', { name: 'Outcome' }), 'refused')
  await expect(signIns.list).toHaveCount(1)
  await page.reload()
  await expect(signIns.list).toHaveCount(1)
  await signIns.choose(page.getByRole('combobox', { name: 'Kind' }), 'Any kind')
  await signIns.choose(page.getByRole('combobox', { name: 'Outcome' }), 'Any outcome')
  await page.getByRole('combobox', { name: 'Filter sign-ins' }).fill('ALICE browser')
  await expect(signIns.list).toHaveCount(1)
  await page.getByRole('combobox', { name: 'Filter sign-ins' }).fill('zebra')
  await expect(page.getByText('No matching sign-ins')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await expect(page.getByRole('combobox', { name: 'Filter sign-ins' })).toHaveValue('')
  await expect(signIns.list).not.toHaveCount(0)
})

test('the old URL redirects here, and a request links to its sign-in', async ({
  signIns,
  sandbox,
}) => {
  const { page } = signIns
  await exchange(sandbox, 'bob@example.com')
  await signIns.open('/requests?view=sign-ins')
  await expect(page).toHaveURL(/\/_sandbox\/sign-ins$/)
  await signIns.step('token response').click()
  await signIns.details.getByRole('tab', { name: 'Related' }).click()
  await signIns.details.getByRole('link', { name: 'View request' }).click()
  await signIns.requestPanel.getByRole('link', { name: 'View diagram' }).click()
  await expect(page).toHaveURL(/\/sign-ins\/req-/)
  await expect(signIns.steps.first()).toBeVisible()
})

test('an unknown sign-in is reported as gone', async ({ signIns }) => {
  await signIns.open('/sign-ins/req-nobody')
  await expect(signIns.page.getByText('Could not find this sign-in')).toBeVisible()
})

test('an empty log is not described as filtered', async ({ signIns, sandbox }) => {
  await sandbox.signIn({ user: 'alice' })
  const { id } = await newestFlow(sandbox)
  await signIns.open(`/sign-ins/${id}`)
  await expect(signIns.list).not.toHaveCount(0)
  await sandbox.reset()
  await expect(signIns.page.getByText('No sign-ins in the log')).toBeVisible()
  await expect(signIns.page.getByText('No matching sign-ins')).toHaveCount(0)
})

test('an unknown step is reported as gone, beside the drawing of the others', async ({
  signIns,
  sandbox,
}) => {
  await sandbox.signIn({ user: 'alice' })
  const { id } = await newestFlow(sandbox)
  await signIns.open(`/sign-ins/${id}/nothing`)
  await expect(signIns.details).toContainText('Could not find this step')
  await expect(signIns.steps.first()).toBeVisible()
  await signIns.details.getByRole('button', { name: 'Close' }).click()
  await expect(signIns.details).toBeHidden()
})

test('on a narrow screen the same flow is a list', async ({ signIns, sandbox }) => {
  const { page } = signIns
  await sandbox.signIn({ user: 'alice' })
  await page.setViewportSize({ width: 480, height: 900 })
  await signIns.open('/sign-ins')
  await signIns.list.first().click()
  const flow = await newestFlow(sandbox)
  await expect(signIns.steps).toHaveCount(flow.steps.length)
  const narrow = await signIns.story()
  await signIns.steps.last().click()
  await expect(signIns.details).toBeVisible()
  await expect(signIns.steps.last()).toBeHidden()
  await signIns.details.getByRole('button', { name: 'Close' }).click()
  await signIns.button('All sign-ins').click()
  await expect(signIns.list.first()).toBeVisible()

  await page.setViewportSize({ width: 1280, height: 900 })
  await expect(signIns.steps).toHaveCount(flow.steps.length)
  expect(await signIns.story()).toEqual(narrow)
})

for (const look of [
  { colorScheme: 'light' },
  { colorScheme: 'dark' },
  { colorScheme: 'light', forcedColors: 'active' },
] as const) {
  test(`no accessibility rule is broken: ${Object.values(look).join(', ')}`, async ({
    signIns,
    sandbox,
  }) => {
    const { page } = signIns
    await page.emulateMedia({ ...look, reducedMotion: 'reduce' })
    await sandbox.signIn({ user: 'alice' })
    await exchange(sandbox, 'nobody@example.com')
    await signIns.open('/sign-ins')
    await signIns.steps.last().click()
    await expect(signIns.details.getByRole('heading', { level: 3 })).toBeVisible()
    expect(await brokenRules(page, 'forcedColors' in look ? 'without-colors' : 'all')).toEqual([])
  })
}

test('with reduced motion a new arrow does not move', async ({ signIns, sandbox }) => {
  const { page } = signIns
  const animations = () =>
    page.evaluate(() => {
      const running = document.querySelector('main')?.getAnimations({ subtree: true }) ?? []
      return running
        .filter((animation) => animation instanceof CSSAnimation)
        .map(({ animationName }) => animationName)
    })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const answer = await post(`${sandbox.url}/oauth/device`, {
    client_id: publicClient(sandbox),
    scope: 'openid',
  })
  const { user_code: userCode } = (await answer.json()) as Record<string, string>
  await signIns.open('/sign-ins')
  await expect(signIns.steps.first()).toBeVisible()
  const count = await signIns.steps.count()
  await sandbox.approveDevice(userCode ?? '', { user: 'bob' })
  await expect(signIns.steps).not.toHaveCount(count)
  expect(await animations()).toEqual([])
})

test('new steps are announced politely to a screen reader, at most once a second', async ({
  signIns,
  sandbox,
}) => {
  const { page } = signIns
  const client = publicClient(sandbox)
  const answer = await post(`${sandbox.url}/oauth/device`, { client_id: client, scope: 'openid' })
  const { user_code: userCode } = (await answer.json()) as Record<string, string>
  await signIns.open('/sign-ins')
  await expect(signIns.steps.first()).toBeVisible()
  const region = signIns.flow.locator('output.sr-only')
  await expect(region).toHaveText('')
  const told = page.evaluate(() => {
    const output = document.querySelector('article output.sr-only')
    const times: number[] = []
    const observer = new MutationObserver(() => times.push(performance.now()))
    if (output) observer.observe(output, { childList: true, characterData: true, subtree: true })
    return new Promise<number[]>((resolve) => {
      window.addEventListener('told', () => resolve(times), { once: true })
    })
  })
  for (let round = 0; round < 5; round++) await sandbox.clock.advance('1s')
  await sandbox.approveDevice(userCode ?? '', { user: 'bob' })
  await expect(region).toContainText('user approves')
  await page.evaluate(() => window.dispatchEvent(new Event('told')))
  const times = await told
  for (const [index, time] of times.entries()) {
    // Less than a second where a busy page shows the first one late.
    expect(time - (times[index - 1] ?? -Infinity)).toBeGreaterThan(500)
  }
})

const hostile = `"><img src=x onerror=alert(1)><script>alert(2)</script>]]>&amp;`

test.describe('with hostile names', () => {
  const clientId = '11111111-2222-4333-8444-555555555555'
  test.use({
    sandboxOptions: {
      fixtures: {
        users: [{ username: 'alice' }],
        apps: [
          {
            name: hostile,
            clientId,
            scopes: ['openid', 'profile'],
            redirectUris: ['http://localhost/callback'],
          },
        ],
      },
    },
  })

  test('an exported SVG is standalone, with names as text', async ({ signIns, sandbox }) => {
    const { page } = signIns
    await sandbox.signIn({ user: 'alice', clientId, scope: 'openid profile' })
    await signIns.open('/sign-ins')
    await expect(signIns.steps.first()).toBeVisible()
    const svg = (await signIns.save('Picture (SVG)')).content.toString()
    const found = await page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, 'image/svg+xml')
      const elements = Array.from(parsed.querySelectorAll('*'))
      return {
        error: parsed.querySelector('parsererror')?.textContent,
        names: [...new Set(elements.map(({ localName }) => localName))].toSorted(),
        suspicious: elements.flatMap((element) =>
          Array.from(element.attributes)
            .filter(
              ({ name, value }) =>
                /^on|href|^style$|^src$/.test(name) || /url\(|var\(|javascript:/.test(value),
            )
            .map(({ name }) => name),
        ),
        title: parsed.querySelector('title')?.textContent,
        story: parsed.querySelector('desc')?.textContent,
      }
    }, svg)
    expect(found.error).toBeUndefined()
    expect(found.names).toEqual([
      'circle',
      'desc',
      'g',
      'line',
      'path',
      'rect',
      'svg',
      'text',
      'title',
      'tspan',
    ])
    expect(found.suspicious).toEqual([])
    expect(found.title).toContain(hostile)
    expect(found.story?.split('\n')).toEqual(await signIns.story())

    const { content: png } = await signIns.save('Picture (PNG)')
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect(png.readUInt32BE(16)).toBe(1920)
    expect(png.readUInt32BE(20)).toBeGreaterThan(400)
  })
})
