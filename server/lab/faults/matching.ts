import type { FaultMatch } from '../../contract/control-faults.ts'
import { fitsRoute } from './route-pattern.ts'

/** What a rule may concern: a request, or the delivery of a webhook. */
export type Subject =
  | {
      kind: 'request'
      path: string
      method: string
      clientId?: string | undefined
      grantType?: string | undefined
    }
  | { kind: 'delivery'; webhookId: string }

/** Whether a rule concerns this. A rule that names a webhook concerns deliveries only, any other requests only. */
export function matches(match: FaultMatch, subject: Subject): boolean {
  if (subject.kind === 'delivery') {
    return match.webhookId === '*' || match.webhookId === subject.webhookId
  }
  return (
    match.webhookId === undefined &&
    (match.route === undefined || fitsRoute(match.route, subject.path)) &&
    (match.method === undefined || match.method.toUpperCase() === subject.method) &&
    (match.clientId === undefined || match.clientId === subject.clientId) &&
    (match.grantType === undefined || match.grantType === subject.grantType)
  )
}
