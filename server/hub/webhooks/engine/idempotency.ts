import { createHash } from 'node:crypto'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../../core/refusal.ts'

export const idempotencyWindowMs = 24 * 3_600_000
/** Limits the number of responses, because under a frozen clock none expires. */
const keptResponses = 10_000

/** Requests in progress, so that a concurrent repetition gets the same response. */
export type PendingResponses = Map<string, { request: string; answer: Promise<unknown> }>

/**
 * Acts once per key: the same request with the same key gets the first response again, for 24 hours of the sandbox
 * clock and across restarts, unless 10,000 other keys came since.
 * @throws {Refusal} `conflict` when the key was used for another request
 */
export async function once<T>(
  { state, clock }: Pick<Deps, 'state' | 'clock'>,
  pending: PendingResponses,
  { key, request }: { key: string; request: unknown },
  act: () => Promise<T>,
): Promise<T> {
  forgetOld({ state, clock })
  const hash = createHash('sha256').update(JSON.stringify(request)).digest('hex')
  const known = state.idempotentAnswers.get(key)
  const underWay = pending.get(key)
  const before = known?.request ?? underWay?.request
  if (before !== undefined && before !== hash) {
    throw new Refusal('conflict', 'This Idempotency-Key was used for another request.')
  }
  // The stored response belongs to this very request.
  if (known !== undefined) return known.answer as T
  if (underWay !== undefined) return (await underWay.answer) as T
  const answer = act()
  pending.set(key, { request: hash, answer })
  try {
    const value = await answer
    state.idempotentAnswers.put({ id: key, request: hash, answer: value, at: clock.now() })
    forgetOld({ state, clock })
    return value
  } finally {
    pending.delete(key)
  }
}

function forgetOld({ state, clock }: Pick<Deps, 'state' | 'clock'>): void {
  const { idempotentAnswers } = state
  for (;;) {
    const oldest = idempotentAnswers.first()
    if (oldest === undefined) return
    const isFresh = oldest.at > clock.now() - idempotencyWindowMs
    if (isFresh && idempotentAnswers.size <= keptResponses) return
    idempotentAnswers.delete(oldest.id)
  }
}
