import type { FlowItem } from '../../../../server/contract/control-requests.ts'
import { flowKinds, flowOutcomes } from '../../../../server/contract/words/sandbox.ts'
import { kindTitles } from '../../../shared/words.ts'

export const kindChoices = ['', ...flowKinds] as const
export const outcomeChoices = ['', ...flowOutcomes] as const

export interface FlowFilter {
  kind: (typeof kindChoices)[number]
  outcome: (typeof outcomeChoices)[number]
  /** Words that must all occur in the row's text or in an id. */
  text: string
}

export function filterFlows(flows: readonly FlowItem[], filter: FlowFilter): readonly FlowItem[] {
  const words = filter.text.toLowerCase().split(/\s+/u).filter(Boolean)
  if (filter.kind === '' && filter.outcome === '' && words.length === 0) return flows
  return flows.filter((flow) => {
    const isAsked =
      (filter.kind === '' || flow.kind === filter.kind) &&
      (filter.outcome === '' || flow.outcome === filter.outcome)
    if (!isAsked || words.length === 0) return isAsked
    const text = searchable(flow)
    return words.every((word) => text.includes(word))
  })
}

function searchable({ id, kind, app, user, explanation, requests }: FlowItem): string {
  const ids = requests.map((request) => request.id)
  return [id, kindTitles[kind], app?.name, app?.clientId, user?.username, explanation, ...ids]
    .join('\n')
    .toLowerCase()
}
