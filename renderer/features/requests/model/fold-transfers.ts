import type { RequestItem } from '../../../../server/contract/control-requests.ts'

/** All listed requests of an upload or download by Xet, as one row. */
export interface FoldedTransfer {
  readonly isUpload: boolean
  readonly requests: number
  readonly bytes: number
  /** Requests that failed. */
  readonly failed: number
  readonly isOpen: boolean
}

export interface FoldedRequests {
  /** Requests, and rows that stand for a transfer: its newest request under another id. */
  readonly rows: readonly RequestItem[]
  /** Transfers by the id of their row. */
  readonly transfers: ReadonlyMap<string, FoldedTransfer>
}

/**
 * Folds the requests of each transfer into one row, at the place of its newest request. Below an open one they follow.
 * @param requests newest first
 * @param isOpen whether the requests of a transfer are shown
 */
export function foldTransfers(
  requests: readonly RequestItem[],
  isOpen: (transferId: string, members: readonly RequestItem[]) => boolean,
): FoldedRequests {
  const members = membersOf(requests)
  const transfers = new Map<string, FoldedTransfer>()
  const rows = requests.flatMap((request) => {
    const id = request.transfer?.id
    const all = id === undefined ? [] : (members.get(id) ?? [])
    if (id === undefined || all.length === 1) return [request]
    if (all[0] !== request) return []
    const folded = fold(all, isOpen(id, all))
    const row = rowOf(all, request, `transfer:${id}`)
    transfers.set(row.id, folded)
    return folded.isOpen ? [row, ...all] : [row]
  })
  return { rows, transfers }
}

function membersOf(requests: readonly RequestItem[]): ReadonlyMap<string, RequestItem[]> {
  const members = new Map<string, RequestItem[]>()
  for (const request of requests) {
    if (request.transfer === undefined) continue
    const { id } = request.transfer
    const known = members.get(id)
    if (known === undefined) members.set(id, [request])
    else known.push(request)
  }
  return members
}

function fold(all: readonly RequestItem[], isOpen: boolean): FoldedTransfer {
  return {
    isUpload: all.some(({ transfer }) => transfer?.right === 'write'),
    requests: all.length,
    bytes: all.reduce((sum, { transfer }) => sum + (transfer?.bytes ?? 0), 0),
    failed: all.filter(isFailed).length,
    isOpen,
  }
}

/** The row has the status of a failure, if there is one, and the time from the first request to the last. */
function rowOf(all: readonly RequestItem[], newest: RequestItem, id: string): RequestItem {
  const shown = all.find(isFailed) ?? newest
  const from = Math.min(...all.map(({ at }) => Date.parse(at)))
  const until = Math.max(...all.map(({ endedAt }) => Date.parse(endedAt)))
  // Only the request for the token has the user's credentials.
  const user = all.find((one) => one.user !== undefined)?.user
  return { ...shown, ...(user && { user }), id, durationMs: until - from }
}

function isFailed({ error, expected }: RequestItem): boolean {
  return error !== undefined && expected !== true
}
