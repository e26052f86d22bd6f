import type { FlowItem } from '../../../../server/contract/control-requests.ts'
import { resultOf } from '../../../../server/contract/flow-result.ts'
import { flowSubject } from '../../../../server/contract/query/subjects.ts'
import { flowKinds, flowResults } from '../../../../server/contract/words/sandbox-words.ts'
import { kindTitles } from '../../../shared/words.ts'

export const kindChoices = ['', ...flowKinds] as const
export const outcomeChoices = ['', ...flowResults] as const

export interface FlowFilter {
  /** A kind of the list above; an unknown one has no sign-ins. */
  kind: string
  /** A result of the list above; an unknown one has no sign-ins. */
  outcome: string
  /** Whether sign-ins of audits are shown, too. */
  audited: boolean
}

/** Filters by the controls beside the query. */
export function filterFlows(
  flows: readonly FlowItem[],
  { kind, outcome, audited }: FlowFilter,
): readonly FlowItem[] {
  const hasHidden = !audited && flows.some(({ audit }) => audit === true)
  if (kind === '' && outcome === '' && !hasHidden) return flows
  return flows.filter(
    (flow) =>
      (audited || flow.audit !== true) &&
      (kind === '' || flow.kind === kind) &&
      (outcome === '' || resultOf(flow) === outcome),
  )
}

/** Names the chosen words that do not exist, with those that do. */
export function unknownChoices({ kind, outcome }: Pick<FlowFilter, 'kind' | 'outcome'>): string[] {
  const unknown = (name: string, value: string, known: readonly string[]) =>
    value === '' || known.includes(value)
      ? []
      : [`Unknown ${name} "${value}": use ${known.join(', ')}.`]
  return [...unknown('kind', kind, flowKinds), ...unknown('outcome', outcome, flowResults)]
}

/** Prepares a sign-in for the query; the title of its kind is searched, too. */
export function subjectOfFlow(flow: FlowItem) {
  return flowSubject(flow, kindTitles[flow.kind])
}
