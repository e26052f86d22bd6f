import { useDeferredValue, useMemo } from 'react'
import type { FlowItem } from '../../../../server/contract/control-requests.ts'
import { useParameter } from '../../../lib/parameters.ts'
import { filterFlows, kindChoices, outcomeChoices } from './filter-flows.ts'

/** Filter of the flows, kept in the URL. */
export function useFlowView(flows: readonly FlowItem[]) {
  const [kind, setKind] = useParameter('kind', kindChoices)
  const [outcome, setOutcome] = useParameter('outcome', outcomeChoices)
  const [text, setText] = useParameter('q')
  const wanted = useDeferredValue(text)
  const shown = useMemo(
    () => filterFlows(flows, { kind, outcome, text: wanted }),
    [flows, kind, outcome, wanted],
  )
  return { filter: { kind, outcome, text }, setKind, setOutcome, setText, shown }
}

export type FlowView = ReturnType<typeof useFlowView>
