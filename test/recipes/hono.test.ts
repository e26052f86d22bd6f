import { expect, test } from 'vitest'
import { auditOfSite, passesAudit } from '../helpers/recipes/audits.ts'
import { npmPackages } from '../helpers/recipes/needs.ts'
import { connects } from '../helpers/recipes/connects.ts'
import { recipe } from '../helpers/recipes/recipe.ts'

recipe(
  {
    folder: 'hono',
    needs: [npmPackages],
    start: ['npm', 'start'],
  },
  (stage) => {
    passesAudit(stage, () => auditOfSite(stage.app.url))

    test('signs in and out', async () => {
      const alice = stage.user('alice')
      const home = await alice.open(`${stage.app.url}/login`)
      expect(home.url.href).toBe(`${stage.app.url}/`)
      expect(home.text).toContain('Signed in as alice')
      expect((await alice.submit(home)).text).toContain('Not signed in')
    })

    test('shows that the user refused', async () => {
      const page = await stage.user('alice', 'deny').open(`${stage.app.url}/login`)
      expect(page.text).toBe('Not signed in: The user denied the request.')
    })

    test('takes no code that it did not ask for', async () => {
      const { redirectTo } = await stage.sandbox.control<{ redirectTo: string }>(
        'POST',
        'authorize',
        {
          client_id: stage.sandbox.fixtures.apps[1]?.clientId,
          redirect_uri: `${stage.app.url}/callback`,
          response_type: 'code',
          scope: 'openid',
          user: 'bob',
        },
      )
      const page = await stage.user('alice').open(redirectTo)
      expect(page.text).toContain('was not begun here')
    })
  },
)

connects('hono', [npmPackages], 'Signed in as alice', async ({ alice, url }) => {
  const page = await alice.open(`${url}/login`)
  return page.text
})
