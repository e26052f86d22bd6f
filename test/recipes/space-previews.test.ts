import { expect, test } from 'vitest'
import { pythonPackages } from '../helpers/recipes/needs.ts'
import { recipe } from '../helpers/recipes/recipe.ts'
import {
  commentsOf,
  passesReceiverAudit,
  watchAcme,
  webhookSecret,
} from '../helpers/recipes/webhooks.ts'

recipe(
  {
    folder: 'space-previews',
    needs: [pythonPackages],
    start: ['python', 'app.py'],
    flags: ['--keep-token'],
    environment: () => ({ HF_TOKEN: 'hf_sandbox_alice', WEBHOOK_SECRET: webhookSecret }),
  },
  (stage) => {
    passesReceiverAudit(stage)

    const space = 'repos/space/acme/demo'
    const preview = async (): Promise<string | number> => {
      const url = `${stage.sandbox.url}/spaces/acme/demo-pr-1/raw/main/app.py`
      const response = await fetch(url, { headers: { authorization: 'Bearer hf_sandbox_alice' } })
      return response.ok ? response.text() : response.status
    }

    test('makes a preview, says where it is, and deletes it with the pull request', async () => {
      await stage.sandbox.control('POST', 'repos', {
        user: 'alice',
        type: 'space',
        name: 'acme/demo',
      })
      await watchAcme(stage)
      await stage.sandbox.control('POST', `${space}/commits`, {
        user: 'carol',
        title: 'Greet',
        files: { 'app.py': 'print("hello")\n' },
        pullRequest: true,
      })
      await stage.sandbox.idle({ timeoutMs: 60_000 })
      expect(await preview()).toBe('print("hello")\n')
      const comments = await commentsOf(stage, 'acme/demo', { type: 'space' })
      expect(comments.at(-1)).toEqual({
        author: 'alice',
        content: `A preview runs at ${stage.sandbox.url}/spaces/acme/demo-pr-1`,
      })
      await stage.sandbox.control('PATCH', `${space}/discussions/1`, {
        user: 'alice',
        status: 'closed',
      })
      await stage.sandbox.idle({ timeoutMs: 60_000 })
      expect(await preview()).toBe(404)
    })
  },
)
