import { useMemo } from 'react'
import type { FlowItem } from '../../../../server/contract/control-requests.ts'
import { useParameter } from '../../../lib/parameters.ts'
import { useFiltered } from '../../../shared/query/use-filtered.ts'
import { useQueryNames } from '../../../shared/query/use-query-names.ts'
import { filterFlows, kindChoices, outcomeChoices, subjectOfFlow } from './filter-flows.ts'

/** Filter of the flows, kept in the URL. */
export function useFlowView(flows: readonly FlowItem[]) {
  const [kind, setKind] = useParameter('kind', kindChoices)
  const [outcome, setOutcome] = useParameter('outcome', outcomeChoices)
  const [text, setText] = useParameter('q')
  const known = useQueryNames()
  const chosen = useMemo(() => filterFlows(flows, { kind, outcome }), [flows, kind, outcome])
  const { entries: shown, issues } = useFiltered('flows', text, known, chosen, subjectOfFlow)
  return { filter: { kind, outcome, text }, setKind, setOutcome, setText, known, shown, issues }
}

export type FlowView = ReturnType<typeof useFlowView>
