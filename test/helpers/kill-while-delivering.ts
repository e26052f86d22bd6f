import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KilledSandbox } from './killed-sandbox.ts'

export interface DeliveryLosses {
  kills: number
  /** Deliveries whose trigger was answered. */
  accepted: number
  /** Accepted and never received. */
  lost: number
  /** Received once more than needed. */
  duplicates: number
}

/** Deliveries of one webhook at a time: what a kill may leave without an outcome. */
export const concurrency = 4

const eventsAtOnce = 50
const settleMs = 600

/**
 * Kills a sandbox in mid delivery, again and again, while events are triggered; then lets it come to rest and counts
 * what the receiver, in this process, has got.
 */
export async function killWhileDelivering(
  sandbox: KilledSandbox,
  { events, kills }: { events: number; kills: number },
): Promise<DeliveryLosses> {
  const received = new Map<string, number>()
  const accepted = new Set<string>()
  let receptions = 0
  let killed = 0
  const killAt = Array.from(
    { length: kills },
    (_, kill) => ((kill + Math.random()) * events) / kills,
  )
  let restarted = Promise.resolve()

  const receiver = createServer((request, response) => {
    const id = String(request.headers['x-sandbox-delivery'])
    received.set(id, (received.get(id) ?? 0) + 1)
    receptions++
    // Before this delivery is answered, so that there is one without an outcome.
    if (receptions >= (killAt[killed] ?? Infinity)) {
      killed++
      restarted = sandbox.kill().then(() => sandbox.start())
    }
    request.resume()
    response.writeHead(200, { 'Content-Length': 0 }).end()
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  try {
    await sandbox.start()
    await sandbox.call('POST', 'webhooks', {
      user: 'alice',
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      watched: [{ type: 'dataset', name: 'acme/corpus' }],
    })
    // The webhook is to outlive the kills, in a server that writes late, too.
    await sleep(settleMs)
    while (accepted.size < events) {
      for (const id of await trigger()) accepted.add(id)
    }
    await untilQuiet()
  } finally {
    receiver.closeAllConnections()
    receiver.close()
    await sandbox.kill()
  }
  return {
    kills: killed,
    accepted: accepted.size,
    lost: [...accepted].filter((id) => !received.has(id)).length,
    duplicates: receptions - received.size,
  }

  /** @returns the deliveries it was answered for; none when the sandbox was killed before it could answer */
  async function trigger(): Promise<string[]> {
    await restarted
    try {
      const { deliveries } = await sandbox.call<{ deliveries: { id: string }[] }>(
        'POST',
        'events',
        {
          event: 'repo.content',
          repo: 'datasets/acme/corpus',
          mode: 'send',
          repeat: { times: eventsAtOnce },
        },
      )
      return deliveries.map(({ id }) => id)
    } catch (error) {
      if (error instanceof TypeError) return []
      throw error
    }
  }

  async function untilQuiet(): Promise<void> {
    for (;;) {
      await restarted
      try {
        await sandbox.call('GET', 'idle?timeout=60s&waiting=1')
        return
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
      }
    }
  }
}
