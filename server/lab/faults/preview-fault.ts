import { pathOf } from '../../core/request-target.ts'
import type { FaultMatch } from '../../contract/control-faults.ts'
import { matches } from './matching.ts'

/** What is remembered of a request that a rule could have concerned. */
interface PastRequest {
  /** Path and query. */
  readonly url: string
  readonly method: string
  readonly clientId?: string | undefined
  readonly grantType?: string | undefined
}

/** Which of the requests a rule would have concerned, had it been there; in their order. */
export function requestsConcerned<T extends PastRequest>(
  requests: readonly T[],
  match: FaultMatch,
): T[] {
  return requests.filter(({ url, method, clientId, grantType }) => {
    const path = pathOf(url)
    return matches(match, { kind: 'request', path, method, clientId, grantType })
  })
}

/** The same of deliveries. */
export function deliveriesConcerned<T extends { readonly webhookId: string }>(
  deliveries: Iterable<T>,
  match: FaultMatch,
): T[] {
  return [...deliveries].filter(({ webhookId }) => matches(match, { kind: 'delivery', webhookId }))
}
