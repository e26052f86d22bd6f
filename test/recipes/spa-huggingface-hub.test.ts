import { expect, test } from 'vitest'
import { auditOfPage, passesAudit } from '../helpers/recipes/audits.ts'
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
    passesAudit(
      stage,
      () =>
        auditOfPage(stage, {
          signIn: (page) => page.getByRole('button', { name: 'Sign in' }).click(),
          signedIn: (page) => page.getByText('Signed in as'),
        }),
      {
        app: 'Model Explorer',
        failed: {
          'id-token/garbage': 'The library never reads the ID token, and does not return it.',
          'metadata/other-issuer':
            'The library reads the endpoints of the metadata, and not the issuer.',
        },
      },
    )

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
