import type { ControlCall } from '../contract/control-call.ts'
import type { DeliverySelection, RequestSelection } from './sandbox-api.ts'
import type { TokenSelection } from './sandbox-parts.ts'

// Lists of the control API come page by page and begin with what came last; a program wants all, as it came.

const pageSize = 1000

export function allRequests(call: ControlCall, { refused, since, ...rest }: RequestSelection) {
  const query = {
    ...rest,
    ...timeOf(since),
    ...(refused === true ? { refused: '1' as const } : {}),
  }
  return oldestFirst((cursor) =>
    call('GET requests', { query: { ...query, limit: pageSize, cursor } }),
  )
}

export function allDeliveries(call: ControlCall, { since, ...rest }: DeliverySelection) {
  const query = { ...rest, ...timeOf(since) }
  return oldestFirst((cursor) =>
    call('GET deliveries', { query: { ...query, limit: pageSize, cursor } }),
  )
}

export function allFlows(call: ControlCall) {
  return oldestFirst((cursor) => call('GET flows', { query: { limit: pageSize, cursor } }))
}

export function allTokens(call: ControlCall, which: TokenSelection) {
  return oldestFirst((cursor) =>
    call('GET tokens', { query: { ...which, limit: pageSize, cursor } }),
  )
}

function timeOf(since: Date | string | undefined): { since?: string } {
  return since === undefined ? {} : { since: new Date(since).toISOString() }
}

async function oldestFirst<T>(
  page: (cursor: string | undefined) => Promise<{ items: T[]; nextCursor?: string }>,
): Promise<T[]> {
  const items: T[] = []
  let cursor: string | undefined
  do {
    const answer = await page(cursor)
    items.push(...answer.items)
    cursor = answer.nextCursor
  } while (cursor !== undefined)
  return items.toReversed()
}
