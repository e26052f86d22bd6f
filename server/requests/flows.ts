import type { FlowItem } from '../contract/control-requests.ts'
import type { RequestRecord } from './request-log.ts'
import { readTraces, type Traces } from './flow-traces.ts'
import { deviceCodeGrant, tokenExchangeGrant } from '../contract/words/oauth.ts'

/** Requests that belong to one sign-in. */
export interface Flow {
  /** Id of its first request. */
  id: string
  kind: FlowItem['kind']
  records: RequestRecord[]
}

/**
 * Groups requests into sign-ins: what one answer hands out (a code, a token) and another request brings back ties them
 * together, and so do the parameters of an authorization request.
 * @param records oldest first
 */
export function groupIntoFlows(records: Iterable<RequestRecord>): Flow[] {
  const byTrace = new Map<string, Flow>()
  const flows: Flow[] = []
  for (const record of records) {
    const traces = readTraces(record)
    const kind = kindOf(record)
    let flow = traces.brought
      .map((trace) => byTrace.get(trace))
      .find((found) => found !== undefined)
    if (flow === undefined) {
      if (kind === undefined) continue
      flow = { id: record.id, kind, records: [] }
      flows.push(flow)
    }
    flow.records.push(record)
    remember(byTrace, traces, flow)
  }
  return flows
}

function remember(byTrace: Map<string, Flow>, { brought, given }: Traces, flow: Flow): void {
  for (const trace of [...brought, ...given]) {
    if (!byTrace.has(trace)) byTrace.set(trace, flow)
  }
}

/** What a request starts, if nothing before it did. */
function kindOf({ url, method, grantType }: RequestRecord): FlowItem['kind'] | undefined {
  const [path] = url.split('?', 1)
  if (path === '/oauth/authorize') return 'authorization-code'
  if (method !== 'POST') return undefined
  if (path === '/oauth/device') return 'device-code'
  if (path !== '/oauth/token') return undefined
  if (grantType === deviceCodeGrant) return 'device-code'
  if (grantType === tokenExchangeGrant) return 'token-exchange'
  return grantType === 'refresh_token' ? 'refresh' : 'authorization-code'
}
