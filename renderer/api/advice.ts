import type { AdviceFinding } from '../../server/contract/control-advice.ts'
import type { ReportFormat } from '../../server/contract/words/advice-words.ts'
import { callApi } from './client.ts'
import { useRead } from './query.ts'

/** Findings of the checks, reloaded after traffic. */
export function useAdvice() {
  return useRead('GET advice')
}

/** Findings as a file. */
export function readAdviceReport(format: ReportFormat) {
  return callApi('GET advice/report', { query: { format } })
}

/** Number of errors and warnings that are certain and not ignored. */
export function useOpenFindings(): number {
  const items = useAdvice().data?.items ?? []
  return items.filter(
    ({ level, certainty, ignored }) =>
      level !== 'note' && certainty === 'certain' && ignored === undefined,
  ).length
}

/** Something that a finding may be about. */
export interface CheckedThing {
  requestId?: string
  flowId?: string
  clientId?: string
  webhookId?: string
  deliveryId?: string
}

/** The worst finding about something that is not ignored. */
export function useFindingOf(thing: CheckedThing): AdviceFinding | undefined {
  return useAdvice().data?.items.find(
    (finding) => finding.ignored === undefined && isAbout(finding, thing),
  )
}

function isAbout(
  { app, webhook, evidence }: AdviceFinding,
  { requestId, flowId, clientId, webhookId, deliveryId }: CheckedThing,
): boolean {
  return (
    (clientId !== undefined && app?.clientId === clientId) ||
    (webhookId !== undefined && webhook?.id === webhookId) ||
    evidence.some(
      (entry) =>
        (requestId !== undefined && entry.kind === 'request' && entry.id === requestId) ||
        (flowId !== undefined && entry.flowId === flowId) ||
        (deliveryId !== undefined &&
          entry.kind === 'attempt' &&
          entry.id.startsWith(`${deliveryId}/`)),
    )
  )
}
