import type { Flow } from '../../inspect/flows/flows.ts'
import type { RequestPlace } from '../../inspect/live/live-entry.ts'
import { partiesOf } from '../../inspect/flows/parties.ts'
import type { RequestRecord } from '../../inspect/log/request-log.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Returns the sign-in of a request, and whether an audit sent it. */
export function placeOfRequest(deps: AuditMarkDeps, requestId: string): RequestPlace {
  const flow = deps.requests.flows.ofRequest(requestId)
  const record = deps.requests.get(requestId)
  const isOfAudit = record !== undefined && isRequestOfAudit(deps, record)
  return { ...(flow && { flowId: flow.id }), ...(isOfAudit && { audit: true }) }
}

export type AuditMarkDeps = Pick<ServerDeps, 'state' | 'requests' | 'adviceExceptions'>

/** Checks whether an audit of its app began a sign-in: its failures are not the app's. */
export function isFlowOfAudit(deps: AuditMarkDeps, { records: [first] }: Flow): boolean {
  return first !== undefined && isSentInAudit(deps, first)
}

/** Checks whether a request is part of an audit of its app. Its token, which names the app, may be gone. */
export function isRequestOfAudit(deps: AuditMarkDeps, record: RequestRecord): boolean {
  if (isSentInAudit(deps, record)) return true
  const flow = deps.requests.flows.ofRequest(record.id)
  return flow !== undefined && isFlowOfAudit(deps, flow)
}

function isSentInAudit(deps: AuditMarkDeps, record: RequestRecord): boolean {
  return deps.adviceExceptions.isOfAudit(record, partiesOf(deps, record).clientId)
}
