import { expect, test } from 'vitest'
import { auditOfForm, passesAudit } from '../helpers/recipes/audits.ts'
import { npmPackages } from '../helpers/recipes/needs.ts'
import { connects } from '../helpers/recipes/connects.ts'
import { recipe } from '../helpers/recipes/recipe.ts'

recipe(
  {
    folder: 'better-auth',
    needs: [npmPackages],
    start: ['npm', 'start'],
    environment: () => ({ BETTER_AUTH_SECRET: 'of this test, and long enough for it' }),
  },
  (stage) => {
    passesAudit(stage, () =>
      auditOfForm(stage, async (user) => user.submit(await user.open(stage.app.url))),
    )

    const signIn = async (username: string, decision?: 'deny') => {
      const user = stage.user(username, decision)
      return { user, page: await user.submit(await user.open(stage.app.url)) }
    }

    test('signs in and out', async () => {
      const { user, page } = await signIn('alice')
      expect(page.url.href).toBe(`${stage.app.url}/`)
      expect(page.text).toContain('Signed in as Alice Martin')
      expect((await user.submit(page)).text).toContain('Not signed in')
    })

    test('shows that the user refused', async () => {
      const { page } = await signIn('alice', 'deny')
      expect(page.text).toContain('The user denied the request.')
      expect(page.text).toContain('Not signed in')
    })
  },
)

connects('better-auth', [npmPackages], 'Signed in as Alice Martin', async ({ alice, url }) => {
  const page = await alice.submit(await alice.open(url))
  return page.text
})
