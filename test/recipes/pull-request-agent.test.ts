import { expect, test } from 'vitest'
import { pythonPackages } from '../helpers/recipes/needs.ts'
import { recipe } from '../helpers/recipes/recipe.ts'
import {
  discussionsOf,
  passesReceiverAudit,
  watchAcme,
  webhookSecret,
} from '../helpers/recipes/webhooks.ts'

recipe(
  {
    folder: 'pull-request-agent',
    needs: [pythonPackages],
    start: ['python', 'app.py'],
    flags: ['--keep-token'],
    environment: () => ({ HF_TOKEN: 'hf_sandbox_carol', WEBHOOK_SECRET: webhookSecret }),
  },
  (stage) => {
    passesReceiverAudit(stage)

    const repo = 'repos/model/acme/classifier'
    const commit = (title: string) =>
      stage.sandbox.control('POST', `${repo}/commits`, {
        user: 'alice',
        title,
        files: { 'README.md': `---\nlicense: mit\n---\n# ${title}\n` },
      })
    const proposals = () => discussionsOf(stage, 'models/acme/classifier')

    test('opens one pull request for several commits', async () => {
      await stage.sandbox.control('POST', 'repos', {
        user: 'alice',
        type: 'model',
        name: 'acme/classifier',
      })
      await watchAcme(stage)
      await commit('First')
      await expect.poll(proposals, { timeout: 60_000 }).toMatchObject([
        {
          num: 1,
          title: 'Add the tag `text-classification`',
          isPullRequest: true,
          status: 'open',
        },
      ])
      await commit('Second')
      await stage.sandbox.idle({ timeoutMs: 60_000 })
      expect(await proposals()).toHaveLength(1)
    })
  },
)
