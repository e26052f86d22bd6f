import { expect, test } from 'hub-sandbox/playwright'

test('signs its users in', async ({ page, sandbox, signInAs }) => {
  await signInAs('alice')
  await page.goto('/')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText('Hello, alice')).toBeVisible()
  await expect(sandbox).toHaveSignedIn('alice', { scope: 'openid profile' })
  await expect(sandbox).toHaveUsedPkce()
})
