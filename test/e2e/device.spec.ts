import type { Page } from '@playwright/test'
import type { Sandbox } from '../../server/index.ts'
import { type AppSite, startAppSite } from './app-site.ts'
import { expect, test } from './fixtures.ts'

let site: AppSite

test.beforeAll(async () => {
  site = await startAppSite()
})

test.afterAll(() => site.close())

/** The device shows a code and asks every 5 seconds, as RFC 8628 has it. */
async function turnOnDevice(page: Page, sandbox: Sandbox): Promise<string> {
  const app = sandbox.fixtures.apps.find(({ clientSecret }) => clientSecret === undefined)
  const settings = new URLSearchParams({ hubUrl: sandbox.url, clientId: app?.clientId ?? '' })
  await page.goto(`${site.url()}/device.html?${settings}`)
  const code = page.locator('#user-code')
  await expect(code).toHaveText(/^[A-Z\d]{4}-[A-Z\d]{4}$/)
  return code.innerText()
}

test('a phone approves the request of a device', async ({ page: device, context, sandbox }) => {
  const userCode = await turnOnDevice(device, sandbox)

  const phone = await context.newPage()
  await phone.setViewportSize({ width: 390, height: 800 })
  await phone.goto(`${sandbox.url}/oauth/device`)
  await phone.getByRole('button', { name: /alice@/ }).click()
  await phone.getByLabel('Code shown on your device').fill(userCode.toLowerCase().replace('-', ' '))
  await phone.getByRole('button', { name: 'Continue' }).click()
  await expect(phone.getByText('Did you start this?')).toBeVisible()
  await expect(phone.getByText(userCode)).toBeVisible()
  await phone.getByRole('button', { name: 'Allow' }).click()
  await expect(phone.getByRole('heading', { name: 'Device connected' })).toBeVisible()

  await expect(device.getByRole('status')).toHaveText('Hello alice', { timeout: 10_000 })
})

test('a phone denies the request of a device', async ({
  page: device,
  context,
  sandbox,
  signInAs,
}) => {
  const userCode = await turnOnDevice(device, sandbox)

  const phone = await context.newPage()
  await signInAs('bob')
  await phone.goto(`${sandbox.url}/oauth/device`)
  await phone.getByLabel('Code shown on your device').fill(userCode)
  await phone.getByRole('button', { name: 'Continue' }).click()
  await phone.getByRole('button', { name: 'Deny' }).click()
  await expect(phone.getByRole('heading', { name: 'Device denied' })).toBeVisible()

  await expect(device.getByRole('status')).toContainText('access_denied', { timeout: 10_000 })
})

test('wrong codes are counted and then blocked for a while', async ({
  page,
  sandbox,
  signInAs,
}) => {
  await signInAs('alice')
  await page.goto(`${sandbox.url}/oauth/device`)
  for (let tries = 0; tries < 5; tries++) {
    await page.getByLabel('Code shown on your device').fill('CCCC-CCCC')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('alert')).toContainText('not known')
  }
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert')).toContainText('Too many wrong codes')
  await sandbox.clock.advance('1m')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert')).toContainText('not known')
})
