import { pathOf } from '../../core/request-target.ts'
import { isMetadataDocumentUrl } from '../../oauth/metadata-document.ts'
import { deviceCodeGrant, tokenExchangeGrant } from '../../contract/words/oauth.ts'
import type { FlowKind } from '../../contract/words/sandbox.ts'
import type { RequestRecord } from '../log/request-log.ts'
import { readTraces, type Traces } from './flow-traces.ts'

/** Requests that belong to one sign-in. */
export interface Flow {
  /** Id of its first request, also when the log no longer has it. */
  readonly id: string
  readonly kind: FlowKind
  /** In the order in which they came. */
  readonly records: readonly RequestRecord[]
  /** Requests that the log dropped for newer ones. */
  readonly droppedCount: number
}

/**
 * Requests as they come, grouped into sign-ins: what one answer hands out (a code, a token) and another request brings
 * back ties them together, and so do the parameters of an authorization request. Nothing is grouped again when it is
 * read, and what is kept is that of the requests that are kept.
 */
export interface Flows {
  /** @returns the sign-in that the request belongs to, if it belongs to one */
  add(record: RequestRecord): Flow | undefined
  /** Forgets a request; a sign-in without any is gone. */
  drop(record: RequestRecord): void
  get(id: string): Flow | undefined
  ofRequest(requestId: string): Flow | undefined
  /** Oldest first. */
  values(): Iterable<Flow>
  /** What comes from now on belongs to no sign-in that there is: a reset has made codes and tokens invalid. */
  beginSegment(): void
  clear(): void
}

interface Growing extends Flow {
  records: RequestRecord[]
  droppedCount: number
  /** The app has been sent a code: who asks once more begins anew. */
  hasCode: boolean
}

interface Membership {
  flow: Growing
  traces: readonly string[]
}

export function createFlows(): Flows {
  const flows = new Map<string, Growing>()
  const memberships = new Map<string, Membership>()
  /** Each with the number of kept requests that hold or gave it. */
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

  return {
    add(record) {
      const traces = readTraces(record)
      if (traces === undefined) return undefined
      let flow = find(record, traces)
      if (flow === undefined) {
        const kind = kindOf(record)
        if (kind === undefined) return undefined
        flow = { id: record.id, kind, records: [], droppedCount: 0, hasCode: false }
        flows.set(flow.id, flow)
      }
      insert(flow.records, record)
      flow.hasCode ||= traces.given.some((trace) => trace.startsWith('code:'))
      const all = [...new Set([...traces.brought, ...traces.given])]
      memberships.set(record.id, { flow, traces: all })
      remember(flow, all)
      return flow
    },
    drop({ id }) {
      const membership = memberships.get(id)
      if (membership === undefined) return
      memberships.delete(id)
      forget(membership)
      const { flow } = membership
      flow.records.splice(
        flow.records.findIndex((record) => record.id === id),
        1,
      )
      flow.droppedCount += 1
      if (flow.records.length === 0) flows.delete(flow.id)
    },
    get: (id) => flows.get(id),
    ofRequest: (requestId) => memberships.get(requestId)?.flow,
    values: () => flows.values(),
    beginSegment: () => byTrace.clear(),
    clear() {
      flows.clear()
      memberships.clear()
      byTrace.clear()
    },
  }
}

/** An answer may overtake that of a request which came before. */
function insert(records: RequestRecord[], record: RequestRecord): void {
  const before = records.findLastIndex(({ receivedMs }) => receivedMs <= record.receivedMs)
  records.splice(before + 1, 0, record)
}

/** An authorization request as its client made it: back from the login page it has a mark. */
function isFirstAsk({ method, url }: RequestRecord): boolean {
  return method === 'GET' && url.startsWith('/oauth/authorize?') && !url.includes('&signed_in=')
}

/** What a request starts, if nothing before it did. */
function kindOf(record: RequestRecord): FlowKind | undefined {
  const { url, method, grantType, error, clientId = '' } = record
  const path = pathOf(url)
  if (path === '/oauth/authorize') {
    // No sign-in began: what stands at the address of the app cannot be used.
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
