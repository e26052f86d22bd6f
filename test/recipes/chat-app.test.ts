import { expect, test } from 'vitest'
import { auditOfSite, passesAudit } from '../helpers/recipes/audits.ts'
import { npmPackages } from '../helpers/recipes/needs.ts'
import { recipe } from '../helpers/recipes/recipe.ts'

recipe(
  {
    folder: 'chat-app',
    needs: [npmPackages],
    start: ['npm', 'start'],
    environment: (_appUrl, sandboxUrl) => ({ INFERENCE_URL: sandboxUrl }),
  },
  (stage) => {
    passesAudit(stage, () => auditOfSite(stage.app.url, '/login', 'Hello, '))

    const signIn = async () => {
      const user = stage.user('alice')
      const page = await user.open(`${stage.app.url}/login`)
      const ask = (message: string) => user.submit(page, { action: '/chat', fields: { message } })
      return { page, ask }
    }

    test('passes a message on, and shows what the model says', async () => {
      const { page, ask } = await signIn()
      expect(page.text).toContain('Hello, alice')
      const { text } = await ask('What is a sandbox?')
      expect(text).toContain('What is a sandbox?')
    })

    test('tells the user that the credits are used up', async () => {
      const { ask } = await signIn()
      await stage.sandbox.faults.add({ match: { route: '/v1/chat/completions' }, status: 402 })
      expect(await ask('Hi')).toMatchObject({
        status: 402,
        text: 'You have no inference credits left.',
      })
    })

    test('signs in again when the token has expired', async () => {
      const { ask } = await signIn()
      await stage.sandbox.clock.advance('9h')
      expect((await ask('Hi')).text).toContain('Hello, alice')
    })
  },
)
