import type { QueriedDelivery } from '../../../contract/query/subjects.ts'
import { lastDecided } from '../../../contract/delivery-result.ts'
import type { Attempt, Delivery } from '../../../store/entities/webhook-entities.ts'
import type { Deps } from '../../deps.ts'
import { measuredMs } from './charts.ts'
import { decidedOf } from './statistics.ts'

/** Values of a delivery and its attempts that queries and sums read. */
export interface DeliveryDigest extends QueriedDelivery {
  atFirst: boolean
  /** Milliseconds until the response of each attempt that had one. */
  times: readonly number[]
}

/**
 * Digests by stored delivery. Its attempts are separate objects with many members, and reading those of 20,000
 * deliveries takes a tenth of a second.
 */
const digests = new WeakMap<Delivery, DeliveryDigest>()

/** Returns the values of a delivery that queries and sums read. */
export function digestOf({ state }: Pick<Deps, 'state'>, delivery: Delivery): DeliveryDigest {
  const known = digests.get(delivery)
  if (known !== undefined) return known
  const attempts = state.attempts.group('delivery', delivery.id)
  const digest = makeDigest(delivery, attempts)
  // An attempt that begins puts a new delivery; the end of a failed replay does not.
  if (attempts.every(({ outcome }) => outcome !== undefined)) digests.set(delivery, digest)
  return digest
}

/** Names each member: a copy of the delivery with more members takes ten times as long. */
function makeDigest(delivery: Delivery, attempts: readonly Attempt[]): DeliveryDigest {
  const { id, webhookId, eventId, scope, action, repo, repoType, state, recorded } = delivery
  const { derivedFrom, duplicate, synthetic, succeededAtFirst, createdAt } = delivery
  const last = lastDecided(attempts)
  return {
    id,
    webhookId,
    eventId,
    scope,
    action,
    repo,
    repoType,
    state,
    recorded,
    hasEnded: decidedOf(delivery).hasEnded,
    at: createdAt,
    attempts: attempts.length,
    source: last?.source,
    status: last?.status,
    errorClass: last?.error?.class,
    durationMs: last?.durationMs,
    isJob: last?.jobId !== undefined,
    derivedFrom,
    duplicate,
    synthetic,
    atFirst: succeededAtFirst === true && recorded !== true,
    times: attempts.map(measuredMs).filter((ms) => ms !== undefined),
  }
}
