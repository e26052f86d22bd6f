import { useMemo } from 'react'
import type { FlowItem } from '../../../../server/contract/control-requests.ts'
import { valueOfKey } from '../../../../server/contract/query/edit-query.ts'
import { useFlag, useParameter } from '../../../lib/parameters.ts'
import { useFiltered } from '../../../shared/query/use-filtered.ts'
import { useQueryNames } from '../../../shared/query/use-query-names.ts'
import { filterFlows, subjectOfFlow, unknownChoices } from './filter-flows.ts'

/** Filter of the flows, kept in the URL. */
export function useFlowView(flows: readonly FlowItem[]) {
  const [kind, setKind] = useParameter('kind')
  const [outcome, setOutcome] = useParameter('outcome')
  const [isShown, setAudited] = useFlag('audited')
  const [text, setText] = useParameter('q')
  const known = useQueryNames()
  // A query that asks for them shows them.
  const audited = isShown || valueOfKey('flows', text, 'is') === 'audit'
  const auditCount = useMemo(() => flows.filter(({ audit }) => audit === true).length, [flows])
  const chosen = useMemo(
    () => filterFlows(flows, { kind, outcome, audited }),
    [flows, kind, outcome, audited],
  )
  const { entries: shown, issues } = useFiltered('flows', text, known, chosen, subjectOfFlow)
  const problems = unknownChoices({ kind, outcome }).map((message) => ({
    start: 0,
    end: 0,
    message,
  }))
  return {
    filter: { kind, outcome, audited, text },
    setKind,
    setOutcome,
    setAudited,
    setText,
    known,
    shown,
    /** Sign-ins of audits, which are folded. */
    auditCount,
    /** Number of sign-ins without a filter. */
    loaded: audited ? flows.length : flows.length - auditCount,
    issues: [...problems, ...issues],
  }
}

export type FlowView = ReturnType<typeof useFlowView>
