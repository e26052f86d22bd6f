import type { Page } from '@playwright/test'
import type { Sandbox } from '../../server/index.ts'
import { type AppSite, startAppSite } from './app-site.ts'
import { expect, test } from './fixtures.ts'

let site: AppSite

test.beforeAll(async () => {
  site = await startAppSite()
})

test.afterAll(() => site.close())

async function openApp(
  page: Page,
  sandbox: Sandbox,
  host: 'localhost' | '127.0.0.1' = 'localhost',
) {
  const app = sandbox.fixtures.apps.find(({ clientSecret }) => clientSecret === undefined)
  const settings = new URLSearchParams({ hubUrl: sandbox.url, clientId: app?.clientId ?? '' })
  await page.goto(`${site.url(host)}/?${settings}`)
}

for (const host of ['localhost', '127.0.0.1'] as const) {
  test(`a web page on ${host} signs a user in with @huggingface/hub`, async ({ page, sandbox }) => {
    await openApp(page, sandbox, host)
    await page.getByRole('button', { name: 'Sign in' }).click()

    await expect(page.getByRole('heading', { name: /^Sign in/ })).toBeVisible()
    await page.getByRole('button', { name: /alice@/ }).click()

    await expect(page.getByRole('heading', { name: /^Allow / })).toBeVisible()
    await expect(page.getByText('Read your e-mail address')).toBeVisible()
    await page.getByRole('button', { name: 'Allow' }).click()

    const [alice] = sandbox.fixtures.users
    await expect(page.getByRole('status')).toHaveText(
      `Hello ${alice?.fullname} (alice, ${alice?.email}), state {"back":"/here?a=1&b=\\"2\\""}`,
    )
    expect(page.url()).toContain(site.url(host))
  })
}

test('a second sign-in shows no consent, and a denial returns as an error', async ({
  page,
  sandbox,
}) => {
  await openApp(page, sandbox)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /bob@/ }).click()
  await page.getByRole('button', { name: 'Deny' }).click()
  await expect(page.getByRole('status')).toContainText('access_denied')

  await openApp(page, sandbox)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByRole('status')).toContainText('(bob,')

  await openApp(page, sandbox)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('status')).toContainText('(bob,')
})
