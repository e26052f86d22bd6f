import type { FlowItem } from '../../../../server/contract/control-requests.ts'
import { flowSubject } from '../../../../server/contract/query/subjects.ts'
import { flowKinds, flowOutcomes } from '../../../../server/contract/words/sandbox-words.ts'
import { kindTitles } from '../../../shared/words.ts'

export const kindChoices = ['', ...flowKinds] as const
export const outcomeChoices = ['', ...flowOutcomes] as const

export interface FlowFilter {
  kind: (typeof kindChoices)[number]
  outcome: (typeof outcomeChoices)[number]
}

/** Filters by the menus beside the query. */
export function filterFlows(
  flows: readonly FlowItem[],
  { kind, outcome }: FlowFilter,
): readonly FlowItem[] {
  if (kind === '' && outcome === '') return flows
  return flows.filter(
    (flow) => (kind === '' || flow.kind === kind) && (outcome === '' || flow.outcome === outcome),
  )
}

/** Prepares a sign-in for the query; the title of its kind is searched, too. */
export function subjectOfFlow(flow: FlowItem) {
  return flowSubject(flow, kindTitles[flow.kind])
}
