import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import {
  furtherPage,
  type ListRequest,
  pageSize,
  readRows,
  useFirstPage,
  useFurtherPages,
} from '../../../api/deliveries.ts'
import type { DeliveryRow } from '../../../api/delivery-rows.ts'

/** Rows that are read before they come into view: in the direction of scrolling, and elsewhere. */
const ahead = { moving: 400, still: pageSize }
/** Rows that are passed faster than they can be read: a moment of rest is awaited first. */
const restMs = 60
/** Most rows of one response. */
const mostInPage = 1000

/** Rows of a list by their place: the first page, and those around what is in view. */
export function useLoadedRows(request: ListRequest) {
  const { filters } = request
  const client = useQueryClient()
  const first = useFirstPage(request)
  const cursor = first.data?.asOf ?? ''
  const { pages, show, showPage } = usePagesInView()
  const places = placesOf(pages, first.data?.total ?? 0)
  const further = useFurtherPages(filters, cursor, places)
  const newest = [first, ...further].reduce((a, b) => (b.dataUpdatedAt > a.dataUpdatedAt ? b : a))

  function rowAt(place: number): DeliveryRow | undefined {
    const page = pageOf(place)
    const data = page === 0 ? first.data : further[places.indexOf(page * pageSize)]?.data
    return data?.rows[place - page * pageSize]
  }

  return {
    first,
    /** Cursor of the rows; empty before the first page is there. */
    cursor,
    total: newest.data?.total ?? 0,
    rowAt,
    /** Place of a loaded row; -1 if it is not loaded. */
    placeOf(id: string): number {
      for (const page of [first.data, ...further.map(({ data }) => data)]) {
        const index = page?.rows.findIndex((row) => row.id === id) ?? -1
        if (page && index !== -1) return page.start + index
      }
      return -1
    },
    show,
    /** Reads the page of a row that is not loaded. */
    async load(place: number): Promise<DeliveryRow | undefined> {
      const skip = pageOf(place) * pageSize
      const { rows } = await client.fetchQuery(furtherPage(filters, cursor, skip))
      showPage(pageOf(place))
      return rows[place - skip]
    },
    /** Reads rows from one place to another, without keeping them. */
    async readBetween(start: number, end: number): Promise<DeliveryRow[]> {
      const read: DeliveryRow[] = []
      for (let skip = start; skip <= end; skip += mostInPage) {
        const limit = Math.min(mostInPage, end - skip + 1)
        read.push(...(await readRows(filters, { cursor, skip, limit })).rows)
      }
      return read
    },
  }
}

interface Pages {
  from: number
  to: number
}

function usePagesInView() {
  const [pages, setPages] = useState<Pages>({ from: 0, to: 0 })
  const shownFrom = useRef(0)
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const show = useCallback((from: number, to: number) => {
    const step = from - shownFrom.current
    shownFrom.current = from
    const read = (direction: number) =>
      setPages((before) => {
        const next = {
          from: pageOf(from - (direction < 0 ? ahead.moving : ahead.still)),
          to: pageOf(to + (direction > 0 ? ahead.moving : ahead.still)),
        }
        return next.from === before.from && next.to === before.to ? before : next
      })
    clearTimeout(resting.current)
    if (Math.abs(step) < pageSize / 2) read(step)
    else resting.current = setTimeout(read, restMs, 0)
  }, [])
  return { pages, show, showPage: (page: number) => setPages({ from: page, to: page }) }
}

function pageOf(place: number): number {
  return Math.max(0, Math.floor(place / pageSize))
}

/** Further pages of a range, as numbers of rows before each. */
function placesOf({ from, to }: Pages, total: number): number[] {
  const start = Math.max(1, from)
  const count = Math.max(0, Math.min(to, pageOf(total - 1)) - start + 1)
  return Array.from({ length: count }, (_, index) => (start + index) * pageSize)
}
