import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { ApiError } from '../../../api/client.ts'
import { dropLoadedRows, pauseAt } from '../../../api/delivery-cache.ts'
import {
  furtherPage,
  pageSize,
  readRows,
  useDeliverySums,
  useFirstPage,
  useFurtherPages,
  useLiveRows,
} from '../../../api/deliveries.ts'
import { cursorAfter, type DeliveryRow, numberOf } from '../../../api/delivery-rows.ts'
import { withoutTypedKey } from '../../../shared/query/filter-entries.ts'
import { type DeliverySelection, useDeliveryFilter } from './filter.ts'

/** Live rows from which the first page is read again, so that they do not grow without limit. */
const mostBeforePage = 200
/** Rows that are read before they come into view: in the direction of scrolling, and elsewhere. */
const ahead = { moving: 400, still: pageSize }
/** Rows that are passed faster than they can be read: a moment of rest is awaited first. */
const restMs = 60

/** Rows of the list by index, of which those in view are loaded; filtered by the sandbox. */
export function useVisibleRows(selection: DeliverySelection) {
  const client = useQueryClient()
  const live = useLiveRows()
  const { pausedAt } = live
  const shownCursor = pausedAt === undefined ? undefined : cursorAfter(pausedAt)
  useEffect(() => () => pauseAt(client, undefined), [client])

  const { text } = selection
  const typed = useFirstPage(useDeliveryFilter(selection))
  const begun = typed.data?.total === 0 ? withoutTypedKey('deliveries', text) : undefined
  // A query that is being typed never empties the list.
  const filter = useDeliveryFilter({ ...selection, text: begun ?? text })
  const { filters, isMatch } = filter
  const first = useFirstPage(filter)
  const cursor = first.data?.asOf ?? ''
  const loadedNumber = cursor === '' ? Infinity : numberOf(cursor)
  const { dataUpdatedAt, refetch } = first
  useEffect(() => {
    if (cursor !== '') dropLoadedRows(client, numberOf(cursor))
  }, [client, cursor, dataUpdatedAt])

  const isCut = live.dropped > loadedNumber
  const newer = useMemo(
    () => (isCut ? [] : live.rows.filter((row) => row.number > loadedNumber && isMatch(row))),
    [live, isCut, loadedNumber, isMatch],
  )
  const lastNumber = pausedAt ?? Infinity
  const head = useMemo(
    () => newer.filter(({ number }) => number <= lastNumber),
    [newer, lastNumber],
  )

  const [range, setRange] = useState({ from: 0, to: 0 })
  /** First row in view. */
  const shownFrom = useRef(0)
  const places = placesOf(range, first.data?.total ?? 0)
  const further = useFurtherPages(filters, cursor, places)
  const newestPage = [first, ...further].reduce((a, b) =>
    b.dataUpdatedAt > a.dataUpdatedAt ? b : a,
  )
  const total = newestPage.data?.total ?? 0
  const pageAt = (index: number) =>
    index === 0 ? first.data : further[places.indexOf(index * pageSize)]?.data

  const sums = useDeliverySums(filter, shownCursor)
  const count = head.length + total

  /** There is much between the loaded rows and the newest one that is shown. */
  const isLong = loadedNumber < lastNumber && (isCut || live.rows.length > mostBeforePage)
  useEffect(() => {
    if (isLong) void refetch({ cancelRefetch: false })
  }, [isLong, refetch, live])

  function rowAt(index: number): DeliveryRow | undefined {
    const place = index - head.length
    if (place < 0) return head[index]
    return pageAt(Math.floor(place / pageSize))?.rows[place % pageSize]
  }

  function indexOf(id: string | undefined): number {
    const inHead = head.findIndex((row) => row.id === id)
    if (inHead !== -1) return inHead
    for (const page of [first.data, ...further.map(({ data }) => data)]) {
      const index = page?.rows.findIndex((row) => row.id === id) ?? -1
      if (page && index !== -1) return head.length + page.start + index
    }
    return -1
  }

  const headLength = head.length
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const show = useCallback(
    (from: number, to: number) => {
      const step = from - shownFrom.current
      shownFrom.current = from
      const read = (direction: number) =>
        setRange((before) => {
          const pages = {
            from: pageOf(from - headLength - (direction < 0 ? ahead.moving : ahead.still)),
            to: pageOf(to - headLength + (direction > 0 ? ahead.moving : ahead.still)),
          }
          return pages.from === before.from && pages.to === before.to ? before : pages
        })
      clearTimeout(resting.current)
      if (Math.abs(step) < pageSize / 2) read(step)
      else resting.current = setTimeout(read, restMs, 0)
    },
    [headLength],
  )

  async function load(index: number): Promise<DeliveryRow | undefined> {
    const place = index - head.length
    const skip = pageOf(place) * pageSize
    const page = await client.fetchQuery(furtherPage(filters, cursor, skip))
    setRange({ from: pageOf(place), to: pageOf(place) })
    return page.rows[place - skip]
  }

  async function loadBetween(start: number, end: number): Promise<DeliveryRow[]> {
    const rows: (DeliveryRow | undefined)[] = []
    for (let index = start; index <= end; index++) rows.push(rowAt(index))
    const gap = rows.indexOf(undefined)
    if (gap === -1) return rows.flatMap((row) => row ?? [])
    const read: DeliveryRow[] = []
    for (let skip = start + gap - head.length; skip <= end - head.length; skip += mostInPage) {
      const limit = Math.min(mostInPage, end - head.length - skip + 1)
      read.push(...(await readRows(filters, { cursor, skip, limit })).rows)
    }
    return [...rows.slice(0, gap).flatMap((row) => row ?? []), ...read]
  }

  /** @returns cursor of everything that is shown; undefined before the first page is there */
  function pause(): string | undefined {
    if (cursor === '') return undefined
    const newest = Math.max(numberOf(cursor), isCut ? 0 : (live.rows[0]?.number ?? 0))
    const number = pausedAt ?? newest
    if (pausedAt === undefined) pauseAt(client, number)
    return cursorAfter(number)
  }

  /** Failed delivery next to another one, after (1) or before (-1) it; without one, the first. */
  async function failureBeside(id: string | undefined, step: 1 | -1) {
    const failed = { ...filters, q: `${filters.q ?? ''} status:failed,failing`.trim() }
    const from = pause()
    if (from === undefined) return undefined
    const beside = { cursor: from, limit: 3, ...(id === undefined ? { skip: 0 } : { around: id }) }
    const { rows, start } = await readRows(failed, beside)
    if (id === undefined) return step === 1 ? rows[0] : undefined
    const own = rows.findIndex((row) => row.id === id)
    if (own !== -1) return rows[own + step]
    // Not a failure itself: the page begins with the failure before its place, if there is one.
    const place =
      start > 0 ? start + 1 : (await readRows(failed, { cursor: from, around: id, limit: 1 })).start
    return rows[place - start + (step === 1 ? 0 : -1)]
  }

  const error = first.error ?? sums.error
  const refused = error instanceof ApiError && error.status === 400 ? error.issues : []
  // A webhook that does not exist, and has no deliveries, has an empty list.
  const wrong = refused.filter(({ path }) => path !== 'webhookId')
  const isUnfiltered = (filters.q ?? '') === '' && selection.state === ''
  const listed = sums.data?.listed ?? 0
  const waiting = newer.length - head.length
  return {
    count,
    rowAt,
    indexOf,
    show,
    load,
    loadBetween,
    failureBeside,
    filters,
    /** Cursor of the loaded rows. */
    cursor,
    /** Cursor of everything that is shown; absent while the list follows. */
    shownCursor,
    headLength,
    sums: sums.data,
    /** Number of deliveries without query and state. */
    listed: isUnfiltered ? count : Math.max(listed, count),
    isEmpty: listed === 0 && count === 0 && !live.rows.some(filter.isListed) && wrong.length === 0,
    known: filter.known,
    issues: [...filter.issues, ...wrong.map(({ message }) => ({ start: 0, end: 0, message }))],
    live: pausedAt === undefined,
    waitingCount: pausedAt !== undefined ? Math.max(waiting, sums.data?.newer ?? 0) : 0,
    loading: first.isPending || sums.isPending,
    error: refused.length > 0 ? null : error,
    retry: () => void Promise.all([first.refetch(), sums.refetch()]),
    pause,
    resume: () => pauseAt(client, undefined),
  }
}

export type VisibleRows = ReturnType<typeof useVisibleRows>

/** Most rows of one response. */
const mostInPage = 1000

function pageOf(place: number): number {
  return Math.max(0, Math.floor(place / pageSize))
}

/** Further pages of a range, as numbers of rows before each. */
function placesOf({ from, to }: { from: number; to: number }, total: number): number[] {
  const last = Math.min(to, pageOf(total - 1))
  const count = Math.max(0, last - Math.max(1, from) + 1)
  return Array.from({ length: count }, (_, index) => (Math.max(1, from) + index) * pageSize)
}
