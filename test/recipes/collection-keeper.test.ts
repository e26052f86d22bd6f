import { expect, test } from 'vitest'
import { pythonPackages } from '../helpers/recipes/needs.ts'
import { recipe } from '../helpers/recipes/recipe.ts'
import { passesReceiverAudit, watchAcme, webhookSecret } from '../helpers/recipes/webhooks.ts'

recipe(
  {
    folder: 'collection-keeper',
    needs: [pythonPackages],
    start: ['python', 'app.py'],
    flags: ['--keep-token'],
    environment: () => ({ HF_TOKEN: 'hf_sandbox_alice', WEBHOOK_SECRET: webhookSecret }),
  },
  (stage) => {
    passesReceiverAudit(stage)

    interface Collection {
      title: string
      items: { id: string; type: string }[]
    }

    test('adds each new repo', async () => {
      await watchAcme(stage)
      for (const [type, name] of [
        ['model', 'acme/first'],
        ['dataset', 'acme/second'],
      ]) {
        await stage.sandbox.control('POST', 'repos', { user: 'alice', type, name })
        await stage.sandbox.idle({ timeoutMs: 60_000 })
      }
      const url = `${stage.sandbox.url}/api/collections?owner=acme`
      const collections = (await (await fetch(url)).json()) as Collection[]
      expect(collections.find(({ title }) => title === 'Everything')?.items).toMatchObject([
        { id: 'acme/first', type: 'model' },
        { id: 'acme/second', type: 'dataset' },
      ])
    })
  },
)
