import type { Page } from '@playwright/test'
import type { Sandbox } from '../../server/index.ts'
import { longest } from './busy-sandbox.ts'
import { expect, test } from './fixtures.ts'

const redirectUri = 'http://localhost:3000/callback'

const authorizePath = (clientId: string, changes: Record<string, string> = {}) =>
  `/oauth/authorize?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile read-repos',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...changes,
  })}`

async function createApp(sandbox: Sandbox, name: string): Promise<string> {
  const scopes = ['openid', 'profile', 'read-repos']
  const app = { name, redirectUris: [redirectUri], scopes, public: true }
  return (await sandbox.control<{ clientId: string }>('POST', 'apps', app)).clientId
}

/** Goes through all pages that a user sees, and stops at each. */
async function visitEach(
  page: Page,
  sandbox: Sandbox,
  { clientId, stop }: { clientId: string; stop: (what: string) => Promise<void> },
): Promise<void> {
  const visit = async (path: string) => {
    await page.goto(`${sandbox.url}${path}`)
    await stop(path)
  }
  await page.context().clearCookies()
  const authorize = authorizePath(clientId)
  await visit(`/login?next=${encodeURIComponent(authorize)}`)
  await page.getByRole('button', { name: longest.account }).click()
  await page.getByLabel('Password').fill('sesame')
  await stop('the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
  await stop('consent')
  for (const decision of ['Allow', 'Deny']) {
    const answer = await fetch(`${sandbox.url}/oauth/device`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: clientId, scope: 'openid' }),
    })
    const { user_code } = (await answer.json()) as { user_code: string }
    await visit('/oauth/device')
    await page.getByLabel('Code shown on your device').fill(user_code)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('Did you start this?')).toBeVisible()
    await stop('consent for a device')
    await page.getByRole('button', { name: decision }).click()
    await expect(page.locator('.done')).toBeVisible()
    await stop(`a device after ${decision}`)
  }
  await visit(authorizePath(clientId, { redirect_uri: `https://example.org/${'e'.repeat(300)}` }))
  await visit(`/${longest.account}`)
  await visit(`/${longest.organization}`)
  await visit(`/datasets/${longest.repo}`)
  await visit(`/${'n'.repeat(300)}`)
}

test('no page of the Hub is wider than its window, however long the names', async ({
  page,
  sandbox,
}) => {
  const user = longest.account
  const fullname = 'F'.repeat(120)
  await sandbox.control('POST', 'users', {
    username: user,
    fullname,
    email: `${'w'.repeat(120)}@example.org`,
    password: 'sesame',
  })
  await sandbox.control('POST', 'organizations', {
    name: longest.organization,
    fullname,
    members: [{ user, role: 'admin' }],
  })
  await sandbox.control('POST', 'repos', { type: 'dataset', name: longest.repo })
  for (const width of [320, 360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await visitEach(page, sandbox, {
      // Another one each time: what was allowed is not asked again.
      clientId: await createApp(sandbox, longest.appName),
      stop: async (what) => {
        const needed = await page.evaluate(() => document.documentElement.scrollWidth)
        expect([what, needed]).toEqual([what, width])
      },
    })
  }
})

/** Whether the words after the name are read from left to right. */
const readsOn = (page: Page) =>
  page.evaluate(() => {
    const text = document.querySelector('h1')?.lastChild
    const end = text?.textContent?.trimEnd().length ?? 0
    const at = (index: number) => {
      const range = document.createRange()
      range.setStart(text as Node, index)
      range.setEnd(text as Node, index + 1)
      return range.getBoundingClientRect().left
    }
    return at(end - 1) > at(end - 8)
  })

for (const [what, marks] of [
  ['turns the direction of writing', '\u202E'],
  ['first ends what would hold that', '\u2069\u202E'],
] as const) {
  test(`the name of an app does not change the direction of other text: it ${what}`, async ({
    page,
    sandbox,
    signInAs,
  }) => {
    const registered = await fetch(`${sandbox.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: `${marks}txt.golatac Bob`,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'none',
      }),
    })
    const { client_id } = (await registered.json()) as { client_id: string }
    await signInAs('alice')
    await page.goto(`${sandbox.url}${authorizePath(client_id, { scope: 'openid' })}`)
    await expect(page.getByRole('heading', { level: 1 })).toContainText('to use your account?')
    expect(await readsOn(page)).toBe(true)
  })
}
