import { useCallback, useMemo, useState } from 'react'
import type { QueryIssue } from '../../../../server/contract/query/compile-query.ts'
import { deliveryStatusWords } from '../../../../server/contract/words/webhook-words.ts'
import { statusWordsOf } from '../../../../server/contract/delivery-result.ts'
import { useDeliveryList } from '../../../api/deliveries.ts'
import { flattenRows, type DeliveryRow } from '../../../api/delivery-rows.ts'
import { useWebhookNames } from '../../../api/webhooks.ts'
import { useFiltered } from '../../../shared/query/use-filtered.ts'
import { useQueryNames } from '../../../shared/query/use-query-names.ts'
import { queryMarks, subjectOfRow } from './filter.ts'
import { decidedOf } from './state-look.ts'

/** Checks a row by the words that the list shows, and those of the control API. */
function isInState(row: DeliveryRow, state: string): boolean {
  return statusWordsOf(decidedOf(row)).includes(state)
}

function isKnownState(state: string): boolean {
  return state === '' || deliveryStatusWords.includes(state)
}

function unknownState(state: string): QueryIssue {
  const known = deliveryStatusWords.join(', ')
  return { start: 0, end: 0, message: `Unknown state "${state}": use ${known}.` }
}

interface Selection {
  text: string
  state: string
  skipped: boolean
  audited: boolean
  webhookId: string | undefined
  bookmarks: readonly string[]
}

/** Rows of the list after filter and pause. */
export function useVisibleRows(selection: Selection) {
  const { text, state, skipped, audited, webhookId, bookmarks } = selection
  const main = useDeliveryList('sent')
  const skippedList = useDeliveryList('skipped', skipped)
  const auditedList = useDeliveryList('audited', audited)
  /** Arrival of the newest shown row while paused. */
  const [pausedAt, setPausedAt] = useState<number>()

  const mainPages = main.data?.pages
  const skippedPages = skipped ? skippedList.data?.pages : undefined
  const auditedPages = audited ? auditedList.data?.pages : undefined
  const all = useMemo(() => {
    const rows = flattenRows(mainPages ?? [])
    const extra = [...(skippedPages ?? []), ...(auditedPages ?? [])]
    const merged = extra.length > 0 ? [...rows, ...flattenRows(extra)].toSorted(newestFirst) : rows
    return webhookId ? merged.filter((row) => row.webhookId === webhookId) : merged
  }, [mainPages, skippedPages, auditedPages, webhookId])

  const known = useQueryNames(queryMarks)
  const webhooks = useWebhookNames()
  const subjectOf = useCallback(
    (row: DeliveryRow) => {
      const webhook = webhooks.get(row.webhookId)
      const names = webhook && { ...webhook, owner: webhook.owner.username }
      return subjectOfRow(row, names, bookmarks.includes(row.id))
    },
    [webhooks, bookmarks],
  )
  const inState = useMemo(
    () => (state === '' ? all : all.filter((row) => isInState(row, state))),
    [all, state],
  )
  const { entries: matching, issues } = useFiltered('deliveries', text, known, inState, subjectOf)

  const rows = useMemo(() => {
    if (pausedAt === undefined) return matching
    const before = matching.filter(({ arrival }) => arrival <= pausedAt)
    // Returns the same list while nothing arrives, so that nothing is computed again.
    return before.length === matching.length ? matching : before
  }, [matching, pausedAt])

  return {
    all,
    rows,
    known,
    issues: isKnownState(state) ? issues : [unknownState(state), ...issues],
    live: pausedAt === undefined,
    waitingCount: matching.length - rows.length,
    loading: main.isPending,
    error: main.error,
    retry: () => void main.refetch(),
    pause: () => {
      setPausedAt((current) => current ?? Math.max(0, ...newest(all).map(({ arrival }) => arrival)))
    },
    resume: () => setPausedAt(undefined),
  }
}

export type VisibleRows = ReturnType<typeof useVisibleRows>

/** Arrivals only grow, so the newest rows are at the start of the list. */
function newest(rows: readonly DeliveryRow[]): readonly DeliveryRow[] {
  return rows.slice(0, 100)
}

function newestFirst(a: DeliveryRow, b: DeliveryRow): number {
  return Date.parse(b.createdAt) - Date.parse(a.createdAt)
}
