import { expect, test } from 'vitest'
import { auditOfForm, passesAudit } from '../helpers/recipes/audits.ts'
import { npmPackages } from '../helpers/recipes/needs.ts'
import { connects } from '../helpers/recipes/connects.ts'
import { recipe } from '../helpers/recipes/recipe.ts'

recipe(
  {
    folder: 'auth-js',
    needs: [npmPackages],
    start: ['npm', 'start'],
    environment: () => ({ AUTH_SECRET: 'of this test, and long enough for it' }),
  },
  (stage) => {
    passesAudit(stage, () =>
      auditOfForm(stage, async (user) =>
        user.submit(await user.open(`${stage.app.url}/auth/signin?callbackUrl=/`)),
      ),
    )

    const signIn = async (username: string, decision?: 'deny') => {
      const user = stage.user(username, decision)
      const page = await user.open(`${stage.app.url}/auth/signin?callbackUrl=/`)
      return { user, page: await user.submit(page) }
    }

    test('signs in and out', async () => {
      const { user, page } = await signIn('alice')
      expect(page.url.href).toBe(`${stage.app.url}/`)
      expect(page.text).toContain('Signed in as alice@example.com')
      const home = await user.submit(await user.open(`${stage.app.url}/auth/signout`))
      expect(home.text).toContain('Not signed in')
    })

    test('shows that the user refused', async () => {
      const { user, page } = await signIn('alice', 'deny')
      expect(page.url.searchParams.get('error')).toBe('OAuthCallbackError')
      expect(page.text).toContain('Try signing in with a different account.')
      expect((await user.open(stage.app.url)).text).toContain('Not signed in')
    })
  },
)

connects('auth-js', [npmPackages], 'Signed in as alice@example.com', async ({ alice, url }) => {
  const page = await alice.submit(await alice.open(`${url}/auth/signin?callbackUrl=/`))
  return page.text
})
