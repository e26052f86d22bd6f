import { expect, test } from 'vitest'
import { auditOfSite, passesAudit } from '../helpers/recipes/audits.ts'
import { goModules } from '../helpers/recipes/needs.ts'
import { connects } from '../helpers/recipes/connects.ts'
import { recipe } from '../helpers/recipes/recipe.ts'

recipe(
  {
    folder: 'go-oauth2',
    needs: [goModules],
    start: ['go', 'run', '.'],
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
      expect(page.text.trim()).toBe('Not signed in: The user denied the request.')
    })

    test('does not sign in with an ID token that was changed on its way', async () => {
      await stage.sandbox.faults.add({
        match: { route: '/oauth/token' },
        idToken: { claims: { aud: 'another app' } },
      })
      const page = await stage.user('alice').open(`${stage.app.url}/login`)
      expect(page.text).not.toContain('Signed in')
      expect(page.status).toBeGreaterThanOrEqual(400)
    })
  },
)

connects(
  'go',
  [goModules],
  'Signed in as alice',
  async ({ alice, url }) => {
    const page = await alice.open(`${url}/login`)
    return page.text
  },
  ['go.mod', 'go.sum'],
)
