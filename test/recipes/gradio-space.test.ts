import { expect, test } from 'vitest'
import { passesAudit } from '../helpers/recipes/audits.ts'
import { chromiumBrowser, openPage } from '../helpers/recipes/chromium.ts'
import { pythonPackages } from '../helpers/recipes/needs.ts'
import { connects } from '../helpers/recipes/connects.ts'
import { recipe } from '../helpers/recipes/recipe.ts'
import type { WebUser } from '../helpers/recipes/web-user.ts'

recipe(
  {
    folder: 'gradio-space',
    needs: [chromiumBrowser, pythonPackages],
    start: ['python', 'app.py'],
    // Its variables are those that the Space has on the hub.
    flags: ['--space', 'alice/sentiment-demo'],
    environment: (appUrl) => ({
      GRADIO_SERVER_NAME: 'localhost',
      GRADIO_SERVER_PORT: new URL(appUrl).port,
      GRADIO_ANALYTICS_ENABLED: 'False',
    }),
  },
  (stage) => {
    let user: WebUser | undefined
    /** Calls the function of the page, as its script does. */
    async function greeting(): Promise<string> {
      const cookies = [...(user?.cookies('localhost') ?? [])].map((pair) => pair.join('='))
      const headers = { cookie: cookies.join('; '), 'content-type': 'application/json' }
      const url = `${stage.app.url}/gradio_api/call/greet`
      const called = await fetch(url, { method: 'POST', headers, body: '{"data":[]}' })
      const { event_id: id } = (await called.json()) as { event_id: string }
      return (await fetch(`${url}/${id}`, { headers })).text()
    }

    passesAudit(
      stage,
      () => ({
        async signIn() {
          user = stage.user('alice')
          await user.open(`${stage.app.url}/login/huggingface`)
        },
        // Again where the server closed the kept connection at that moment.
        signedIn: async () => (await greeting().catch(greeting)).includes('Hello, '),
      }),
      { app: 'alice/sentiment-demo' },
    )

    test('signs in and out', async () => {
      const page = await openPage(stage.app.url)
      await page.getByText('Please sign in.').waitFor()
      await page.getByRole('button', { name: 'Sign in with Hugging Face' }).click()
      await page.getByRole('button', { name: /bob/ }).click()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.getByText('Hello, Bob Okafor!').waitFor()
      await page.getByRole('button', { name: /Logout/ }).click()
      await page.getByText('Please sign in.').waitFor()
      expect(new URL(page.url()).origin).toBe(stage.app.url)
    })

    test('says in its log that the user refused', async () => {
      const page = await openPage(stage.app.url)
      await page.getByRole('button', { name: 'Sign in with Hugging Face' }).click()
      await page.getByRole('button', { name: /bob/ }).click()
      await page.getByRole('button', { name: 'Deny' }).click()
      await expect
        .poll(() => stage.app.said(), { timeout: 30_000 })
        .toContain('access_denied: The user denied the request.')
    })
  },
)

connects('gradio', [chromiumBrowser, pythonPackages], 'Hello, Alice', async ({ url }) => {
  const page = await openPage(url)
  await page.getByRole('button', { name: 'Sign in with Hugging Face' }).click()
  await page.getByRole('button', { name: /alice/ }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  return page.getByText('Hello, ').textContent()
})
