import { setTimeout as sleep } from 'node:timers/promises'
import type { KilledSandbox } from './killed-sandbox.ts'

/** What the sandbox has answered for. */
interface Acknowledged {
  tokens: Set<string>
  webhooks: Set<string>
  deliveries: Set<string>
}

export interface Losses {
  acknowledged: number
  /** What was acknowledged and is not there any more. */
  lost: string[]
}

const writersOfEach = 3

/**
 * Kills a sandbox at random moments while tokens, webhooks and deliveries are made, and looks after each restart for
 * everything that was ever acknowledged.
 */
export async function killWhileWriting(sandbox: KilledSandbox, kills: number): Promise<Losses> {
  const acknowledged: Acknowledged = {
    tokens: new Set(),
    webhooks: new Set(),
    deliveries: new Set(),
  }
  const lost = new Set<string>()
  await sandbox.start()
  // Deliveries wait with it: what becomes of them is no matter here.
  await createWebhook(sandbox, { type: 'dataset', name: 'acme/corpus' }, true)

  for (let kill = 0; kill < kills; kill++) {
    const writers = [
      writer(async () => {
        const { access_token: token } = await sandbox.call<{ access_token: string }>(
          'POST',
          'tokens',
          { user: 'alice', scope: 'openid' },
        )
        acknowledged.tokens.add(token)
      }),
      writer(async () => {
        acknowledged.webhooks.add(
          await createWebhook(sandbox, { type: 'user', name: 'alice' }, false),
        )
      }),
      writer(async () => {
        const { deliveries } = await sandbox.call<{ deliveries: { id: string }[] }>(
          'POST',
          'events',
          { event: 'repo.content', repo: 'datasets/acme/corpus' },
        )
        for (const { id } of deliveries) acknowledged.deliveries.add(id)
      }),
    ]
    const running = writers.flatMap((write) => Array.from({ length: writersOfEach }, write))
    await sleep(100 + Math.random() * 300)
    await sandbox.kill()
    await Promise.all(running)
    await sandbox.start()
    await findLost(sandbox, acknowledged, lost)
  }
  await sandbox.kill()
  const { tokens, webhooks, deliveries } = acknowledged
  return { acknowledged: tokens.size + webhooks.size + deliveries.size, lost: [...lost] }

  /** Writes until the sandbox is gone; its last call is then without an answer, and counts for nothing. */
  function writer(write: () => Promise<void>): () => Promise<void> {
    return async () => {
      const { url } = sandbox
      for (;;) {
        try {
          await write()
        } catch (error) {
          if (error instanceof TypeError && sandbox.url === url) return
          throw error
        }
      }
    }
  }
}

async function createWebhook(
  sandbox: KilledSandbox,
  watched: { type: string; name: string },
  held: boolean,
): Promise<string> {
  const { id } = await sandbox.call<{ id: string }>('POST', 'webhooks', {
    user: 'alice',
    url: 'http://localhost:9/',
    watched: [watched],
    held,
  })
  return id
}

async function findLost(
  sandbox: KilledSandbox,
  acknowledged: Acknowledged,
  lost: Set<string>,
): Promise<void> {
  const tokens = await sandbox.list<{ token: string }>('tokens')
  const webhooks = await sandbox.list<{ id: string }>('webhooks')
  const deliveries = await sandbox.list<{ id: string }>('deliveries')
  note('token', acknowledged.tokens, new Set(tokens.map(({ token }) => token)))
  note('webhook', acknowledged.webhooks, new Set(webhooks.map(({ id }) => id)))
  note('delivery', acknowledged.deliveries, new Set(deliveries.map(({ id }) => id)))

  function note(what: string, expected: Set<string>, found: Set<string>): void {
    for (const id of expected) if (!found.has(id)) lost.add(`${what} ${id}`)
  }
}
