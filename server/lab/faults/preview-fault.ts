import { pathOf } from '../../core/request-target.ts'
import type { FaultMatch } from '../../contract/control-faults.ts'
import { matches } from './matching.ts'

/** Logged request that a rule could have matched. */
interface PastRequest {
  /** Path and query. */
  readonly url: string
  readonly method: string
  readonly clientId?: string | undefined
  readonly grantType?: string | undefined
}

/** Returns the logged requests that a rule would have matched, in their order. */
export function matchingRequests<T extends PastRequest>(
  requests: readonly T[],
  match: FaultMatch,
): T[] {
  return requests.filter(({ url, method, clientId, grantType }) => {
    const path = pathOf(url)
    return matches(match, { kind: 'request', path, method, clientId, grantType })
  })
}

/** Returns the logged deliveries that a rule would have matched, in their order. */
export function matchingDeliveries<T extends { readonly webhookId: string }>(
  deliveries: Iterable<T>,
  match: FaultMatch,
): T[] {
  return [...deliveries].filter(({ webhookId }) => matches(match, { kind: 'delivery', webhookId }))
}
