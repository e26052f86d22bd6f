import type { AddFaultRequest, FaultMatch } from '../../contract/control-faults.ts'
import { fitsRoute } from './route-pattern.ts'

/** Request or delivery that a rule may match. */
export type Subject =
  | {
      kind: 'request'
      path: string
      method: string
      clientId?: string | undefined
      grantType?: string | undefined
      /** Whether the response redirects back to the app. */
      isRedirectBack?: true
      /** Whether the response has the device code with which a sign-in begins. Only rules for this sign-in are left. */
      isDeviceCode?: true
      /** Whether the request exchanges the ID token of a CI job, which the sandbox issued. */
      hasCiIdToken?: boolean
      /** Sign-in that the request belongs to. */
      familyId?: string | undefined
      /** Experiment for which a demo sends the request. */
      playedFor?: string | undefined
    }
  | { kind: 'delivery'; webhookId: string }

/** Returns whether a rule could change something, so that it is not used up by requests that it does not concern. */
export function canApply({ redirect, ciDrill }: FaultEffects, subject: Subject): boolean {
  const { isRedirectBack, hasCiIdToken } = subject.kind === 'request' ? subject : {}
  return (
    (redirect !== undefined) === (isRedirectBack === true) &&
    (ciDrill === undefined || hasCiIdToken === true)
  )
}

type FaultEffects = Pick<AddFaultRequest, 'redirect' | 'ciDrill'>

/** Returns whether a rule matches. A rule with a webhook only matches deliveries, any other only requests. `flow` is not considered. */
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
