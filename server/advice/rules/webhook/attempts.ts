import type { Attempt } from '../../../state/entities/webhooks.ts'
import type { EvidenceItem } from '../../rule.ts'

/** Describes the role of an attempt in a mistake. */
export function attempted({ id }: Attempt, note: string): EvidenceItem {
  return { kind: 'attempt', id, note }
}
