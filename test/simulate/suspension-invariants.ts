import { suspendedStatus } from '../../server/contract/words/webhook-words.ts'
import type { Invariant } from './invariants.ts'
import { firstOf } from './world/lists.ts'

/** Deliveries that are cancelled in one turn of the event loop. */
const portion = 200

/** What must be true of suspended webhooks after each step. */
export const suspensionInvariants: readonly Invariant[] = [
  {
    name: 'a suspended webhook sends nothing, and says why',
    check: (world, state) =>
      firstOf(world.facts.hooks, ({ name, id = '', standing, isChanging, suspendedAt }) => {
        const status = state.webhooks.get(id)?.status
        if (suspendedAt === undefined || standing !== 'live' || isChanging) return undefined
        return status === suspendedStatus ? undefined : `${name} was suspended and is ${status}`
      }) ??
      firstOf(state.webhooks.values(), ({ id, status, suspendedBecause = '', suspendedAt }) => {
        if (status !== suspendedStatus) return undefined
        if (suspendedBecause === '' || suspendedAt === undefined) return `${id} does not say why`
        const open = state.deliveries.group('open', id)
        const waiting = open.find((one) => one.state !== 'sending')
        return waiting === undefined || open.length > portion
          ? undefined
          : `${id} is suspended, and ${waiting.id} is ${waiting.state}`
      }),
  },
]
