import { expect, test } from 'vitest'
import { auditOfSite, passesAudit } from '../helpers/recipes/audits.ts'
import { npmPackages } from '../helpers/recipes/needs.ts'
import { connects } from '../helpers/recipes/connects.ts'
import { recipe } from '../helpers/recipes/recipe.ts'

recipe(
  {
    folder: 'express-passport',
    needs: [npmPackages],
    start: ['npm', 'start'],
  },
  (stage) => {
    passesAudit(stage, () => auditOfSite(stage.app.url, '/auth/huggingface'))

    test('signs in and out', async () => {
      const alice = stage.user('alice')
      const home = await alice.open(`${stage.app.url}/auth/huggingface`)
      expect(home.url.href).toBe(`${stage.app.url}/`)
      expect(home.text).toContain('Signed in as alice')
      expect((await alice.submit(home)).text).toContain('Not signed in')
    })

    test('keeps users apart', async () => {
      const [alice, bob] = [stage.user('alice'), stage.user('bob')]
      await alice.open(`${stage.app.url}/auth/huggingface`)
      expect((await bob.open(`${stage.app.url}/auth/huggingface`)).text).toContain(
        'Signed in as bob',
      )
      expect((await alice.open(stage.app.url)).text).toContain('Signed in as alice')
    })

    test('shows that the user refused', async () => {
      const page = await stage.user('alice', 'deny').open(`${stage.app.url}/auth/huggingface`)
      expect(page.url.href).toBe(`${stage.app.url}/`)
      expect(page.text).toContain('The user denied the request.')
      expect(page.text).toContain('Not signed in')
    })
  },
)

connects('passport', [npmPackages], 'Signed in as alice', async ({ alice, url }) => {
  const page = await alice.open(`${url}/auth/huggingface`)
  return page.text
})
