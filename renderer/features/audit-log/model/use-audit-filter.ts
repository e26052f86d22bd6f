import type { AuditItem } from '../../../../server/contract/control-accounts.ts'
import { useParameter } from '../../../lib/parameters.ts'

export const auditOutcomes = ['any', 'granted', 'refused'] as const

/** Filter of the audit log, kept in the URL. */
export function useAuditFilter(items: readonly AuditItem[]) {
  const [type, setType] = useParameter('type')
  const [user, setUser] = useParameter('user')
  const [outcome, setOutcome] = useParameter('outcome', auditOutcomes)
  return {
    type,
    setType,
    user,
    setUser,
    outcome,
    setOutcome,
    clear: () => {
      setType('')
      setUser('')
      setOutcome('any')
    },
    /** Values to choose from. */
    types: sorted(items.map((item) => item.type)),
    users: sorted(items.flatMap(({ author }) => author?.username ?? [])),
    shown: items.filter(
      (item) =>
        (type === '' || item.type === type) &&
        (user === '' || item.author?.username === user) &&
        (outcome === 'any' || auditOutcomeOf(item) === outcome),
    ),
  }
}

export type AuditFilter = ReturnType<typeof useAuditFilter>

/** Outcome of a token exchange. */
export function auditOutcomeOf({ data }: AuditItem): string | undefined {
  const outcome = data?.['outcome']
  return typeof outcome === 'string' ? outcome : undefined
}

function sorted(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted()
}
