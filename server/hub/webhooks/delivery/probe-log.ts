import type { Deps } from '../../deps.ts'
import type { Attempt } from '../../../store/entities/webhook-entities.ts'
import type { SentBody } from './sent-body.ts'

export interface ProbeAttempt extends Omit<Attempt, 'id' | 'deliveryId' | 'source' | 'outcome'> {
  source: 'audit'
  outcome: 'succeeded' | 'failed'
  request?: NonNullable<Attempt['request']> & { sent: SentBody }
}

/** Attempt of an audit, as a delivery of its own. */
export interface ProbeDelivery {
  readonly id: string
  /** Number of the last delivery before it. */
  readonly seq: number
  /** Position among the probes after that delivery, above the indexes of skipped ones. */
  readonly index: number
  readonly audit: { readonly id: string; readonly module: string }
  /** Absent for a URL without a webhook. */
  readonly webhookId?: string | undefined
  readonly messageId: string
  readonly scope: string
  readonly action: string
  readonly repo: string
  readonly repoType: string
  readonly attempt: ProbeAttempt
}

export interface ProbeLog {
  add(probe: Omit<ProbeDelivery, 'id' | 'seq' | 'index'>): ProbeDelivery
  get(id: string): ProbeDelivery | undefined
  newestFirst(): ProbeDelivery[]
  clear(): void
}

export interface ProbeLimits {
  probes: number
  bytes: number
}

/** Some audits with all modules. */
const usualLimits: ProbeLimits = { probes: 2000, bytes: 16 * 1024 * 1024 }

const firstIndex = 1_000_000

/**
 * Keeps the attempts of audits, and drops the oldest above a limit. They are apart from the deliveries of the state, so
 * that they count nowhere and push out no delivery. Like the audits, they end with the process.
 */
export function createProbeLog(
  { state, ids }: Pick<Deps, 'state' | 'ids'>,
  limits = usualLimits,
): ProbeLog {
  const probes = new Map<string, ProbeDelivery>()
  let bytes = 0
  let count = 0
  return {
    add(probe) {
      const id = ids.of('audited delivery').objectId()
      const seq = Math.max(state.deliveries.last()?.seq ?? 0, state.skippedEvents.last()?.seq ?? 0)
      const added = { ...probe, id, seq, index: firstIndex + count++ }
      probes.set(id, added)
      bytes += bytesOf(added)
      for (const [old, oldest] of probes) {
        if (probes.size <= limits.probes && bytes <= limits.bytes) break
        probes.delete(old)
        bytes -= bytesOf(oldest)
      }
      return added
    },
    get: (id) => probes.get(id),
    newestFirst: () => [...probes.values()].toReversed(),
    clear() {
      probes.clear()
      bytes = 0
    },
  }
}

function bytesOf({ attempt: { request, response } }: ProbeDelivery): number {
  return (request?.sent.body.length ?? 0) + (response?.body.length ?? 0)
}
