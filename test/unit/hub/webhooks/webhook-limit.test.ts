import { expect, test } from 'vitest'
import { defaultCaps } from '../../../../server/contract/fixtures/defaults.ts'
import type { Settings } from '../../../../server/core/settings.ts'
import { createWebhook } from '../../../../server/hub/webhooks/manage/management.ts'
import { createTestDeps } from '../../../helpers/deps.ts'

const input = { watched: [{ type: 'user' as const, name: 'alice' }], url: 'http://localhost:9/' }

/** Returns a function that creates a webhook of alice, whose URL is permitted. */
async function webhookMaker(changes: Partial<Settings> = {}) {
  const { deps, users, state } = await createTestDeps(changes)
  const engine = { findTargetProblem: () => undefined }
  return { state, create: () => createWebhook({ ...deps, engine }, users.alice, input) }
}

test('500 webhooks are kept by default, and the next is refused with what to raise', async () => {
  const { state, create } = await webhookMaker()
  for (let count = 0; count < 500; count++) create()
  expect(create).toThrow(
    'The limit of 500 webhooks is reached: delete one, or raise config.caps.webhooks.',
  )
  expect(state.webhooks.size).toBe(500)
})

test('more are kept where config.caps.webhooks allows it', async () => {
  const { state, create } = await webhookMaker({ caps: { ...defaultCaps, webhooks: 501 } })
  for (let count = 0; count < 501; count++) create()
  expect(state.webhooks.size).toBe(501)
})
