import { pathOf } from '../../core/request-target.ts'
import { isMetadataDocumentUrl } from '../../hub/oauth/metadata-document.ts'
import { deviceCodeGrant, tokenExchangeGrant } from '../../contract/words/oauth-words.ts'
import type { FlowKind } from '../../contract/words/sandbox-words.ts'
import type { RequestRecord } from '../log/request-log.ts'
import { readTraces, type Traces } from './flow-traces.ts'

/** Requests that belong to one sign-in. */
export interface Flow {
  /** Id of its first request, also after the log dropped that request. */
  readonly id: string
  readonly kind: FlowKind
  /** Requests in the order of their arrival. */
  readonly records: readonly RequestRecord[]
  /** Number of its requests that the log has dropped. */
  readonly droppedCount: number
}

/**
 * Groups requests into sign-ins. Two requests belong together when one response contains a code or token that the other
 * request sends, or when both have the parameters of the same authorization request.
 *
 * Requests are grouped once: when a sign-in is read, and from then on as they come. Without a reader, most are dropped
 * before.
 */
export interface Flows {
  add(record: RequestRecord): void
  /** Removes a request, and its sign-in with the last one. */
  drop(record: RequestRecord): void
  get(id: string): Flow | undefined
  ofRequest(requestId: string): Flow | undefined
  /** Oldest first. */
  values(): Iterable<Flow>
  /** Ends all sign-ins: later requests start new ones, because a reset has made codes and tokens invalid. */
  beginSegment(): void
  clear(): void
}

interface Growing extends Flow {
  readonly records: RequestRecord[]
  droppedCount: number
  /** The app has received a code: another authorization request starts a new sign-in. */
  hasCode: boolean
}

interface Membership {
  flow: Growing
  traces: readonly string[]
}

export function createFlows(): Flows {
  const flows = new Map<string, Growing>()
  /** Requests that are not grouped yet, oldest first; empty while there are memberships. */
  const pending = new Map<string, RequestRecord>()
  const memberships = new Map<string, Membership>()
  /** Each trace with the number of kept requests that sent or returned it. */
  const byTrace = new Map<string, { flow: Growing; count: number }>()

  function find(record: RequestRecord, { brought }: Traces): Growing | undefined {
    for (const trace of brought) {
      const flow = byTrace.get(trace)?.flow
      if (flow !== undefined && !(flow.hasCode && isFirstAsk(record))) return flow
    }
    return undefined
  }

  function remember(flow: Growing, traces: readonly string[]): void {
    for (const trace of traces) {
      const known = byTrace.get(trace)
      if (known?.flow === flow) known.count += 1
      else byTrace.set(trace, { flow, count: 1 })
    }
  }

  function forget({ flow, traces }: Membership): void {
    for (const trace of traces) {
      const known = byTrace.get(trace)
      if (known?.flow !== flow) continue
      known.count -= 1
      if (known.count === 0) byTrace.delete(trace)
    }
  }

  function group(record: RequestRecord): void {
    const traces = readTraces(record)
    if (traces === undefined) return
    let flow = find(record, traces)
    if (flow === undefined) {
      const kind = kindOf(record)
      if (kind === undefined) return
      flow = { id: record.id, kind, records: [], droppedCount: 0, hasCode: false }
      flows.set(flow.id, flow)
    }
    insert(flow.records, record)
    flow.hasCode ||= traces.given.some((trace) => trace.startsWith('code:'))
    const all = [...new Set([...traces.brought, ...traces.given])]
    memberships.set(record.id, { flow, traces: all })
    remember(flow, all)
  }

  function groupPending(): void {
    for (const record of pending.values()) group(record)
    pending.clear()
  }

  return {
    add(record) {
      // It may continue the sign-in of a grouped request, which may be dropped before a reader comes.
      if (memberships.size > 0) group(record)
      else pending.set(record.id, record)
    },
    drop(record) {
      pending.delete(record.id)
      const membership = memberships.get(record.id)
      if (membership === undefined) return
      memberships.delete(record.id)
      forget(membership)
      const { flow } = membership
      flow.records.splice(flow.records.indexOf(record), 1)
      flow.droppedCount += 1
      if (flow.records.length === 0) flows.delete(flow.id)
    },
    get(id) {
      groupPending()
      return flows.get(id)
    },
    ofRequest(requestId) {
      groupPending()
      return memberships.get(requestId)?.flow
    },
    values() {
      groupPending()
      return flows.values()
    },
    beginSegment() {
      groupPending()
      byTrace.clear()
    },
    clear() {
      flows.clear()
      pending.clear()
      memberships.clear()
      byTrace.clear()
    },
  }
}

/** Inserts a request by its time of arrival: requests are logged in the order in which they ended. */
function insert(records: RequestRecord[], record: RequestRecord): void {
  const before = records.findLastIndex(({ receivedMs }) => receivedMs <= record.receivedMs)
  records.splice(before + 1, 0, record)
}

/** Checks whether this is the authorization request as the client sent it: the login page adds a parameter when it repeats it. */
function isFirstAsk({ method, url }: RequestRecord): boolean {
  return method === 'GET' && url.startsWith('/oauth/authorize?') && !url.includes('&signed_in=')
}

/** Kind of the sign-in that a request starts, if it starts one. */
function kindOf(record: RequestRecord): FlowKind | undefined {
  const { url, method, grantType, error, clientId = '' } = record
  const path = pathOf(url)
  if (path === '/oauth/authorize') {
    // No sign-in began: the app's metadata document is invalid.
    const isUseless = error === 'invalid_client' && isMetadataDocumentUrl(clientId)
    return isUseless ? 'metadata-document' : 'authorization-code'
  }
  if (method !== 'POST') return undefined
  if (path === '/oauth/device') return 'device-code'
  if (path === '/oauth/register') return 'registration'
  if (path !== '/oauth/token') return undefined
  if (grantType === deviceCodeGrant) return 'device-code'
  if (grantType === tokenExchangeGrant) return 'token-exchange'
  return grantType === 'refresh_token' ? 'refresh' : 'authorization-code'
}
