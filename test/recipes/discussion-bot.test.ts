import { expect, test } from 'vitest'
import { npmPackages } from '../helpers/recipes/needs.ts'
import { recipe } from '../helpers/recipes/recipe.ts'
import {
  commentsOf,
  passesReceiverAudit,
  watchAcme,
  webhookSecret,
} from '../helpers/recipes/webhooks.ts'

recipe(
  {
    folder: 'discussion-bot',
    needs: [npmPackages],
    start: ['npm', 'start'],
    flags: ['--keep-token'],
    environment: (_appUrl, sandboxUrl) => ({
      HF_TOKEN: 'hf_sandbox_bob',
      INFERENCE_URL: sandboxUrl,
      WEBHOOK_SECRET: webhookSecret,
    }),
  },
  (stage) => {
    passesReceiverAudit(stage)

    /** Opens a discussion. @returns its number */
    const open = async (description: string) => {
      const path = 'repos/dataset/acme/corpus/discussions'
      const opened = { user: 'carol', title: 'Loading', description }
      return (await stage.sandbox.control<{ num: number }>('POST', path, opened)).num
    }

    test('answers a mention, and not itself', async () => {
      await watchAcme(stage)
      const num = await open('@discussion-bot How do I load it?')
      await stage.sandbox.idle({ timeoutMs: 60_000 })
      const comments = await commentsOf(stage, 'acme/corpus', { num })
      expect(comments.map(({ author }) => author)).toEqual(['carol', 'bob'])
      expect(comments[1]?.content).toContain('How do I load it?')
    })

    test('leaves other comments alone', async () => {
      await watchAcme(stage)
      const num = await open('How do I load it?')
      await stage.sandbox.idle({ timeoutMs: 60_000 })
      expect(await commentsOf(stage, 'acme/corpus', { num })).toHaveLength(1)
    })

    test('reports that the model is overloaded', async () => {
      await stage.sandbox.faults.add({ match: { route: '/v1/chat/completions' }, status: 503 })
      await watchAcme(stage)
      await open('@discussion-bot How do I load it?')
      const delivery = await stage.sandbox.waitForDelivery(
        ({ attempts: [first] }) => first?.status !== undefined,
      )
      expect(delivery.attempts[0]).toMatchObject({
        status: 502,
        response: { body: expect.stringContaining('/v1/chat/completions: 503') },
      })
    })
  },
)
