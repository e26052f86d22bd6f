import { randomBytes } from 'node:crypto'
import { definitions, stateFormatVersion } from '../../server/state/state.ts'
import { openStore } from '../../server/state/store.ts'
import { startSandbox, whileRunning, withProgram } from './sandbox.ts'
import { createWebhook, quiet, trigger } from './webhook-world.ts'

/** How many of each a data folder holds; those that are left out, as many as its making takes. */
export interface Amounts {
  deliveries?: number
  repos?: number
}

/** Copies that are put between two looks at the disk. */
const batch = 1000

/**
 * Makes a data folder as a sandbox leaves it that was used for long: it delivers once, and what came of that is copied
 * with other ids.
 */
export async function fillFolder(data: string, amounts: Amounts): Promise<void> {
  const webhookId = await deliverOnce(data)
  const store = await openStore(definitions, {
    directory: data,
    formatVersion: stateFormatVersion,
    snapshotAfterBytes: Number.MAX_SAFE_INTEGER,
  })
  const { deliveries, deliveryBodies, attempts, repos } = store.collections
  const delivery = existing([...deliveries.group('webhook', webhookId)][0])
  const body = existing(deliveryBodies.get(delivery.id))
  const tried = [...attempts.group('delivery', delivery.id)]
  const repo = existing(repos.last())

  const copies: Record<keyof Amounts, () => unknown> = {
    deliveries() {
      const id = newId()
      deliveryBodies.put({ ...body, id })
      for (const attempt of tried) attempts.put({ ...attempt, id: newId(), deliveryId: id })
      return deliveries.put({ ...delivery, id })
    },
    repos() {
      const id = newId()
      return repos.put({ ...repo, id, name: `acme/corpus-${id}` })
    },
  }
  for (const name of ['deliveries', 'repos'] as const) {
    for (let size = store.collections[name].size; size < (amounts[name] ?? 0); size++) {
      copies[name]()
      if (size % batch === 0) await store.committed()
    }
  }
  await store.close()
}

/** @returns the id of the webhook that was delivered to */
async function deliverOnce(data: string): Promise<string> {
  return whileRunning(await startSandbox(data), (sandbox) =>
    withProgram('receiver', {}, async (receiver) => {
      const webhookId = await createWebhook(sandbox, receiver.url)
      await trigger(sandbox, 1)
      await quiet(sandbox)
      return webhookId
    }),
  )
}

const newId = () => randomBytes(12).toString('hex')

function existing<T>(record: T | undefined): T {
  if (record === undefined) throw new Error('the sandbox has stored nothing that could be copied')
  return record
}
