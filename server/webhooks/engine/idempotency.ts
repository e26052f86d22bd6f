import { createHash } from 'node:crypto'
import type { Deps } from '../../events/deps.ts'
import { Refusal } from '../../core/refusal.ts'

export const idempotencyWindowMs = 24 * 3_600_000
/** Under a frozen clock no answer ever grows old. */
const keptAnswers = 10_000

/** Requests under way, so that one that is repeated meanwhile gets the same answer. */
export type PendingAnswers = Map<string, { request: string; answer: Promise<unknown> }>

/**
 * Does something once for a key: the same request with the same key gets the first answer again, for
 * 24 hours of the sandbox clock and across restarts, unless 10,000 others came since.
 * @throws {Refusal} `conflict` when the key stands for another request
 */
export async function once<T>(
  { state, clock }: Pick<Deps, 'state' | 'clock'>,
  pending: PendingAnswers,
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
  // What was stored under the key was the answer to this very request.
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
    if (isFresh && idempotentAnswers.size <= keptAnswers) return
    idempotentAnswers.delete(oldest.id)
  }
}
