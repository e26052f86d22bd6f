import type { FaultMatch } from '../../contract/control-faults.ts'
import { fitsRoute } from './route-pattern.ts'

/** Request or delivery that a rule may match. */
export type Subject =
  | {
      kind: 'request'
      path: string
      method: string
      clientId?: string | undefined
      grantType?: string | undefined
    }
  | { kind: 'delivery'; webhookId: string }

/** Returns whether a rule matches. A rule with a webhook only matches deliveries, any other only requests. */
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
