import { expect, test } from 'vitest'
import { pythonPackages } from '../helpers/recipes/needs.ts'
import { recipe } from '../helpers/recipes/recipe.ts'
import {
  commentsOf,
  discussionsOf,
  passesReceiverAudit,
  watchAcme,
  webhookSecret,
} from '../helpers/recipes/webhooks.ts'

recipe(
  {
    folder: 'metadata-review',
    needs: [pythonPackages],
    start: ['python', 'app.py'],
    flags: ['--keep-token'],
    environment: () => ({
      HF_TOKEN: 'hf_sandbox_bob',
      WEBHOOK_SECRET: webhookSecret,
      GRADIO_ANALYTICS_ENABLED: 'False',
    }),
  },
  (stage) => {
    passesReceiverAudit(stage, '/webhooks/review')

    const commit = (readme: string) =>
      stage.sandbox.control('POST', 'repos/dataset/acme/corpus/commits', {
        user: 'alice',
        title: 'Describe it',
        files: { 'README.md': readme },
      })
    const reviews = async () =>
      (await discussionsOf(stage, 'datasets/acme/corpus')).filter(
        ({ title }) => title === 'Metadata is missing',
      )

    test('names what is missing, once', async () => {
      await watchAcme(stage, '/webhooks/review')
      await commit('---\nlicense: mit\n---\n# Corpus\n')
      await expect.poll(reviews, { timeout: 60_000 }).toHaveLength(1)
      const [{ num } = { num: 0 }] = await reviews()
      expect(await commentsOf(stage, 'acme/corpus', { num })).toEqual([
        { author: 'bob', content: 'Please add:\n\n- `language`' },
      ])
      await commit('# Corpus\n')
      await stage.sandbox.idle({ timeoutMs: 60_000 })
      expect(await reviews()).toHaveLength(1)
    })
  },
)
