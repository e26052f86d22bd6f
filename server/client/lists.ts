import { takeTime } from '../core/arguments.ts'
import type { ControlCall } from '../contract/control-call.ts'
import { ControlError } from '../web/control-error.ts'
import type { DeliverySelection, RequestSelection } from './sandbox-api.ts'
import type { TokenSelection } from './sandbox-parts.ts'

// Lists of the control API are paged, newest first; programs get the whole list, oldest first.

export const pageSize = 1000

/** Parallel reads: more would slow down other callers. */
const portion = 16

export async function allRequests(
  call: ControlCall,
  { refused, since, ...rest }: RequestSelection,
) {
  const query = {
    ...rest,
    ...timeOf(since),
    ...(refused === true ? { refused: '1' as const } : {}),
  }
  return wholeList((cursor) =>
    call('GET requests', { query: { ...query, limit: pageSize, cursor } }),
  )
}

export async function allDeliveries(call: ControlCall, { since, ...rest }: DeliverySelection) {
  const query = { ...rest, ...timeOf(since) }
  return wholeList((cursor) =>
    call('GET deliveries', { query: { ...query, limit: pageSize, cursor } }),
  )
}

export function allFlows(call: ControlCall) {
  return wholeList((cursor) => call('GET flows', { query: { limit: pageSize, cursor } }))
}

export function allTokens(call: ControlCall, which: TokenSelection) {
  return wholeList((cursor) => call('GET tokens', { query: { ...which, limit: pageSize, cursor } }))
}

function timeOf(since: Date | string | undefined): { since?: string } {
  return since === undefined ? {} : { since: takeTime('since', since) }
}

/** Returns a whole list, oldest first. */
export async function wholeList<T>(
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

/** Reads each listed item, without those that the log has dropped since. */
export async function readEach<T>(
  ids: readonly string[],
  read: (id: string) => Promise<T>,
): Promise<T[]> {
  const all: T[] = []
  for (let index = 0; index < ids.length; index += portion) {
    const some = ids.slice(index, index + portion).map((id) => ifThere(read(id)))
    all.push(...(await Promise.all(some)).flat())
  }
  return all
}

/** @returns a list with the item, or an empty one */
async function ifThere<T>(reading: Promise<T>): Promise<[T] | []> {
  try {
    return [await reading]
  } catch (error) {
    if (error instanceof ControlError && error.status === 404) return []
    throw error
  }
}
