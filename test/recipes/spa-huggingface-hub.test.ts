import { expect, test } from 'vitest'
import { chromiumBrowser, openPage } from '../helpers/recipes/chromium.ts'
import { npmPackages } from '../helpers/recipes/needs.ts'
import { connects } from '../helpers/recipes/connects.ts'
import { recipe } from '../helpers/recipes/recipe.ts'

recipe(
  {
    folder: 'spa-huggingface-hub',
    needs: [chromiumBrowser, npmPackages],
    start: ['npm', 'start'],
    // A page keeps no secret.
    flags: ['--client', 'Model Explorer'],
  },
  (stage) => {
    test('signs in and out', async () => {
      const page = await openPage(stage.app.url)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: /alice/ }).click()
      await page.getByRole('button', { name: 'Allow' }).click()
      const status = page.getByRole('status')
      await expect.poll(() => status.textContent(), { timeout: 30_000 }).toBe('Signed in as alice')
      expect(page.url()).toBe(`${stage.app.url}/`)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await expect.poll(() => status.textContent(), { timeout: 30_000 }).toBe('Not signed in')
    })

    test('shows that the user refused', async () => {
      const page = await openPage(stage.app.url)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: /alice/ }).click()
      await page.getByRole('button', { name: 'Deny' }).click()
      await expect
        .poll(() => page.getByRole('status').textContent(), { timeout: 30_000 })
        .toContain('The user denied the request.')
    })
  },
)

connects(
  'huggingface-js',
  [chromiumBrowser, npmPackages],
  'Signed in as alice',
  async ({ url }) => {
    const page = await openPage(url)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: /alice/ }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    return page.getByText('Signed in as').textContent()
  },
)
