import type { Locator, Page } from '@playwright/test'
import type { FlowList, RequestList } from '../../server/contract/control-requests.ts'
import { deviceCodeGrant, tokenExchangeGrant } from '../../server/contract/words/oauth-words.ts'
import type { Sandbox } from '../../server/index.ts'
import { challenge } from '../helpers/oauth-client.ts'
import { expect, test as base } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

const redirectUri = 'http://localhost:3000/auth/callback'

interface Fixing {
  /**
   * Opens the newest request of a list of the control API, and what would help there.
   * @param list default: the refused ones
   */
  open: (list?: string) => Promise<Locator>
  /** Says yes to the fix, by the word of its button. */
  accept: (title: string, action: string) => Promise<void>
}

const test = base.extend<{ fixing: Fixing; clientId: string }>({
  clientId: async ({ sandbox }, provide) => {
    const app = await sandbox.control<{ clientId: string }>('POST', 'apps', {
      name: 'Notes',
      public: true,
      redirectUris: ['http://localhost/callback'],
    })
    await provide(app.clientId)
  },
  fixing: async ({ page, sandbox }, provide) => {
    const dashboard = new Dashboard(page, sandbox.url)
    await provide({
      async open(list = 'requests?refused=1') {
        const { items } = await sandbox.control<RequestList>('GET', list)
        await dashboard.open(`/requests/${items[0]?.id}`)
        return page.getByRole('region', { name: 'How to fix this' })
      },
      async accept(title, action) {
        const region = page.getByRole('region', { name: 'How to fix this' })
        await region.getByRole('button', { name: `${action}…` }).click()
        const question = dashboard.question(`${title}?`)
        await expect(question).toBeVisible()
        // Enter means no: a hurried key says yes to nothing.
        await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
        await question.getByRole('button', { name: action }).click()
        await expect(page.getByText('Fixed.')).toBeVisible()
        await expect(region).toBeHidden()
      },
    })
  },
})

function authorizeUrl(sandbox: Sandbox, parameters: Record<string, string>): string {
  const query = new URLSearchParams({
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    state: 'xyz',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...parameters,
  })
  return `${sandbox.url}/oauth/authorize?${query.toString()}`
}

/** Signs in as a user of the browser, and comes as far as the app lets. */
async function signIn(page: Page, sandbox: Sandbox, user: string): Promise<void> {
  const { name, value } = await sandbox.control<{ name: string; value: string }>(
    'POST',
    'sessions',
    { user },
  )
  await page.context().addCookies([{ name, value, url: sandbox.url }])
}

const post = (sandbox: Sandbox, path: string, form: Record<string, string>, secret?: string) =>
  fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: secret === undefined ? {} : { authorization: `Basic ${btoa(secret)}` },
  })

const consent = (page: Page) => page.getByRole('button', { name: 'Allow', exact: true })

test('an unregistered redirect URI is registered, and the sign-in passes', async ({
  page,
  sandbox,
  fixing,
  clientId,
}) => {
  await signIn(page, sandbox, 'bob')
  const url = authorizeUrl(sandbox, { client_id: clientId })
  await page.goto(url)
  await expect(page.getByRole('heading', { name: 'Invalid redirect_uri' })).toBeVisible()
  const help = await fixing.open()
  await expect(help).toContainText(redirectUri)
  await expect(help).toContainText('loopback: this machine')
  await fixing.accept('Allow this redirect URI for Notes', 'Allow this URI')
  await page.goto(url)
  await expect(consent(page)).toBeVisible()
})

test('a redirect URI on another host is shown in full, with a warning', async ({
  page,
  sandbox,
  fixing,
  clientId,
}) => {
  const hostile = `http://localhost@evil.example/${'long/'.repeat(150)}end`
  await page.goto(authorizeUrl(sandbox, { client_id: clientId, redirect_uri: hostile }))
  const help = await fixing.open()
  await help.getByRole('button', { name: 'Allow this URI…' }).click()
  const question = new Dashboard(page, sandbox.url).question('Allow this redirect URI for Notes?')
  await expect(question.getByText(hostile, { exact: true })).toBeVisible()
  await expect(question).toContainText('not loopback')
  await expect(question).toContainText('It redirects to evil.example')
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  const app = await sandbox.control<{ redirectUris: string[] }>('GET', `apps/${clientId}`)
  expect(app.redirectUris).toEqual(['http://localhost/callback'])
})

test('a request made by another page meanwhile is not what the user approved', async ({
  page,
  sandbox,
  fixing,
  clientId,
}) => {
  await page.goto(authorizeUrl(sandbox, { client_id: clientId }))
  const help = await fixing.open()
  await help.getByRole('button', { name: 'Allow this URI…' }).click()
  const dashboard = new Dashboard(page, sandbox.url)
  const question = dashboard.question('Allow this redirect URI for Notes?')
  await expect(question).toContainText(redirectUri)
  await fetch(authorizeUrl(sandbox, { client_id: clientId, redirect_uri: 'https://evil.example/' }))
  await question.getByRole('button', { name: 'Allow this URI' }).click()
  await expect(page.getByRole('alert')).toContainText('no longer applies')
  await expect(help).toContainText('https://evil.example/')
  const app = await sandbox.control<{ redirectUris: string[] }>('GET', `apps/${clientId}`)
  expect(app.redirectUris).toEqual(['http://localhost/callback'])
})

test.describe('with --strict', () => {
  test.use({ sandboxOptions: { strict: true } })

  test('a missing scope is added to the app, and the sign-in passes', async ({
    page,
    sandbox,
    fixing,
    clientId,
  }) => {
    await signIn(page, sandbox, 'bob')
    const redirect_uri = `${sandbox.url}/callback`
    await sandbox.control('PATCH', `apps/${clientId}`, { redirectUris: [redirect_uri] })
    const url = authorizeUrl(sandbox, { client_id: clientId, scope: 'openid jobs', redirect_uri })
    await page.goto(url)
    await expect(page).toHaveURL(/error=invalid_scope/)
    await fixing.open()
    await fixing.accept('Give Notes this scope: jobs', 'Add the scopes')
    await page.goto(url)
    await expect(consent(page)).toBeVisible()
  })
})

test('an unknown app is registered, and the sign-in passes', async ({ page, sandbox, fixing }) => {
  await signIn(page, sandbox, 'bob')
  const clientId = '99999999-8888-4777-8666-555555555555'
  const url = authorizeUrl(sandbox, { client_id: clientId })
  await page.goto(url)
  await expect(page.getByRole('heading', { name: 'Unknown app' })).toBeVisible()
  await fixing.open()
  await fixing.accept(`Register this app: ${clientId}`, 'Register the app')
  await page.goto(url)
  await expect(consent(page)).toBeVisible()
})

test('a user is added to the organization of the app, for a sign-in and an exchange', async ({
  page,
  sandbox,
  fixing,
  clientId,
}) => {
  const redirect_uri = `${sandbox.url}/callback`
  await sandbox.control('PATCH', `apps/${clientId}`, {
    authorizedOrganizations: ['labs'],
    redirectUris: [redirect_uri],
  })
  await signIn(page, sandbox, 'carol')
  const url = authorizeUrl(sandbox, { client_id: clientId, redirect_uri })
  await page.goto(url)
  await expect(page).toHaveURL(/error=access_denied/)
  await fixing.open()
  await fixing.accept('Add carol to labs', 'Add the member')
  await page.goto(url)
  await expect(consent(page)).toBeVisible()

  const app = await sandbox.control<{ clientId: string }>('POST', 'apps', {
    name: 'Pipeline',
    clientSecret: 'sesame',
    organization: 'acme',
    privileges: ['token-exchange'],
  })
  const exchange = async () => {
    const form = {
      grant_type: tokenExchangeGrant,
      subject_token: 'dave@example.com',
      subject_token_type: 'urn:service:token-type:user-email',
    }
    return (await post(sandbox, '/oauth/token', form, `${app.clientId}:sesame`)).status
  }
  expect(await exchange()).toBe(400)
  await fixing.open()
  await fixing.accept('Add dave to acme', 'Add the member')
  expect(await exchange()).toBe(200)
})

test('a user who cannot approve a device is added to its organization and then can', async ({
  page,
  sandbox,
  fixing,
  clientId,
}) => {
  await sandbox.control('PATCH', `apps/${clientId}`, { authorizedOrganizations: ['labs'] })
  const started = await post(sandbox, '/oauth/device', { client_id: clientId, scope: 'openid' })
  const { user_code = '' } = (await started.json()) as Record<string, string>
  await signIn(page, sandbox, 'carol')
  const allow = async () => {
    await page.goto(`${sandbox.url}/oauth/device`)
    await page.getByLabel('Code shown on your device').fill(user_code)
    await page.getByRole('button', { name: 'Continue' }).click()
    await consent(page).click()
  }
  await allow()
  await expect(page.getByText('This app is for members of labs only.')).toBeVisible()
  await fixing.open()
  await fixing.accept('Add carol to labs', 'Add the member')
  await allow()
  await expect(page.getByRole('heading', { name: 'Device connected' })).toBeVisible()
})

test('the clock moves past slow_down, with a warning of what expires, and the device gets its token', async ({
  sandbox,
  fixing,
  clientId,
}) => {
  await sandbox.clock.freeze()
  await sandbox.control('POST', 'tokens', { user: 'alice', clientId, expiresIn: 9 })
  const started = await post(sandbox, '/oauth/device', { client_id: clientId, scope: 'openid' })
  const { device_code, user_code } = (await started.json()) as Record<string, string>
  const poll = async () => {
    const form = {
      grant_type: deviceCodeGrant,
      client_id: clientId,
      device_code: device_code ?? '',
    }
    const answer = await post(sandbox, '/oauth/token', form)
    return ((await answer.json()) as { error?: string }).error
  }
  expect([await poll(), await poll()]).toEqual(['authorization_pending', 'slow_down'])
  // A poll that came too early is a step of the protocol, and no refusal.
  const help = await fixing.open('requests?path=/oauth/token')
  await expect(help).toContainText('1 access token expires: alice at Notes.')
  await fixing.accept('Advance the clock by 10s', 'Advance the clock')
  expect(await poll()).toBe('authorization_pending')
  await sandbox.control('POST', `device/${user_code}`, { user: 'bob', decision: 'approve' })
  expect(await poll()).toBeUndefined()
  const { items } = await sandbox.control<FlowList>('GET', 'flows')
  expect(items[0]?.outcome).toBe('completed')
})

test('a refused sign-in shows its fixes and what they change', async ({
  page,
  sandbox,
  clientId,
}) => {
  await fetch(authorizeUrl(sandbox, { client_id: clientId }))
  const dashboard = new Dashboard(page, sandbox.url)
  await dashboard.open('/sign-ins')
  const help = page.getByRole('region', { name: 'How to fix this' })
  await help.getByRole('button', { name: 'Allow this URI…' }).click()
  const question = dashboard.question('Allow this redirect URI for Notes?')
  await expect(question.getByText(redirectUri, { exact: true })).toBeVisible()
  await question.getByText('Make it permanent').click()
  await expect(question.getByLabel('Fixtures')).toContainText(redirectUri)
  await question.getByRole('button', { name: 'Allow this URI' }).click()
  await expect(page.getByText('Fixed.')).toBeVisible()
  await expect(help).toBeHidden()
})
