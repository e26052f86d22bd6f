import { useCallback } from 'react'
import { ApiError } from '../../../api/client.ts'
import { useDeliverySums, useFirstPage } from '../../../api/deliveries.ts'
import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import { withoutTypedKey } from '../../../shared/query/filter-entries.ts'
import { type DeliverySelection, useDeliveryFilter } from './filter.ts'
import { findFailure } from './find-failure.ts'
import { useLiveHead } from './use-live-head.ts'
import { useLoadedRows } from './use-loaded-rows.ts'

/** Rows of the list by index, of which those in view are loaded; filtered by the sandbox. */
export function useVisibleRows(selection: DeliverySelection) {
  const filter = useTypedFilter(selection)
  const { filters } = filter
  const loaded = useLoadedRows(filter)
  const head = useLiveHead({ loaded, isMatch: filter.isMatch })
  const sums = useDeliverySums(filter, head.shownCursor)
  const headLength = head.rows.length
  const count = headLength + loaded.total

  const rowAt = (index: number): DeliveryRow | undefined =>
    head.rows[index] ?? loaded.rowAt(index - headLength)

  function indexOf(id: string | undefined): number {
    const index = head.rows.findIndex((row) => row.id === id)
    const place = index === -1 && id !== undefined ? loaded.placeOf(id) : -1
    return place === -1 ? index : headLength + place
  }

  const { show: showPlaces } = loaded
  const show = useCallback(
    (from: number, to: number) => showPlaces(from - headLength, to - headLength),
    [showPlaces, headLength],
  )

  async function loadBetween(start: number, end: number): Promise<DeliveryRow[]> {
    const rows = Array.from({ length: end - start + 1 }, (_, index) => rowAt(start + index))
    const gap = rows.indexOf(undefined)
    const known = rows.slice(0, gap === -1 ? rows.length : gap).flatMap((row) => row ?? [])
    if (gap === -1) return known
    return [...known, ...(await loaded.readBetween(start + gap - headLength, end - headLength))]
  }

  const error = loaded.first.error ?? sums.error
  const refused = error instanceof ApiError && error.status === 400 ? error.issues : []
  // A webhook that does not exist, and has no deliveries, has an empty list.
  const wrong = refused.filter(({ path }) => path !== 'webhookId')
  const isUnfiltered = (filters.q ?? '') === '' && selection.state === ''
  const listed = sums.data?.listed ?? 0
  return {
    count,
    headLength,
    rowAt,
    /** Index of a loaded row; -1 if it is not loaded. */
    indexOf,
    /** Tells which rows are in view. */
    show,
    load: (index: number) => loaded.load(index - headLength),
    loadBetween,
    async failureBeside(id: string | undefined, step: 1 | -1) {
      const cursor = head.pause()
      return cursor === undefined ? undefined : findFailure(filters, cursor, id, step)
    },
    filters,
    /** Cursor of the loaded rows. */
    cursor: loaded.cursor,
    /** Cursor of everything that is shown; absent while the list follows. */
    shownCursor: head.shownCursor,
    sums: sums.data,
    /** Number of deliveries without query and state. */
    listed: isUnfiltered ? count : Math.max(listed, count),
    isEmpty: listed === 0 && count === 0 && !head.live.some(filter.isListed) && wrong.length === 0,
    known: filter.known,
    issues: [...filter.issues, ...wrong.map(({ message }) => ({ start: 0, end: 0, message }))],
    live: !head.isPaused,
    waitingCount: head.isPaused ? Math.max(head.waitingCount, sums.data?.newer ?? 0) : 0,
    loading: loaded.first.isPending || sums.isPending,
    error: refused.length > 0 ? null : error,
    retry: () => void Promise.all([loaded.first.refetch(), sums.refetch()]),
    pause: head.pause,
    resume: head.resume,
  }
}

export type VisibleRows = ReturnType<typeof useVisibleRows>

/** Leaves out the start of a key at the end of a query if nothing matches: a query that is being typed never empties the list. */
function useTypedFilter(selection: DeliverySelection) {
  const { text } = selection
  const typed = useFirstPage(useDeliveryFilter(selection))
  const begun = typed.data?.total === 0 ? withoutTypedKey('deliveries', text) : undefined
  return useDeliveryFilter({ ...selection, text: begun ?? text })
}
