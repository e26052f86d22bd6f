import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useLiveRows } from '../../../api/deliveries.ts'
import { dropLoadedRows, pauseAt } from '../../../api/delivery-cache.ts'
import { cursorAfter, type DeliveryRow, numberOf } from '../../../api/delivery-rows.ts'
import type { useLoadedRows } from './use-loaded-rows.ts'

/** Live rows from which the first page is read again, so that they do not grow without limit. */
const mostBeforePage = 200

interface LiveHeadOptions {
  loaded: ReturnType<typeof useLoadedRows>
  isMatch: (row: DeliveryRow) => boolean
}

/** Rows before the loaded ones, by the live feed, and the pause that lets newer ones wait. */
export function useLiveHead({ loaded: { cursor, first }, isMatch }: LiveHeadOptions) {
  const client = useQueryClient()
  const live = useLiveRows()
  const { pausedAt = Infinity } = live
  useEffect(() => () => pauseAt(client, undefined), [client])

  const loadedNumber = cursor === '' ? Infinity : numberOf(cursor)
  const { dataUpdatedAt, refetch } = first
  useEffect(() => {
    if (cursor !== '') dropLoadedRows(client, numberOf(cursor))
  }, [client, cursor, dataUpdatedAt])

  /** Some rows between the loaded ones and these are missing. */
  const isCut = live.dropped > loadedNumber
  const newer = useMemo(
    () => (isCut ? [] : live.rows.filter((row) => row.number > loadedNumber && isMatch(row))),
    [live, isCut, loadedNumber, isMatch],
  )
  const rows = useMemo(() => newer.filter(({ number }) => number <= pausedAt), [newer, pausedAt])

  const isLong = loadedNumber < pausedAt && (isCut || live.rows.length > mostBeforePage)
  useEffect(() => {
    if (isLong) void refetch({ cancelRefetch: false })
  }, [isLong, refetch, live])

  const isPaused = pausedAt !== Infinity
  return {
    /** Matching rows, newest first. */
    rows,
    /** All of them, matching or not. */
    live: live.rows,
    waitingCount: newer.length - rows.length,
    isPaused,
    /** Cursor of everything that is shown; absent while the list follows. */
    shownCursor: isPaused ? cursorAfter(pausedAt) : undefined,
    /** @returns cursor of everything that is shown; undefined before the first page is there */
    pause: (): string | undefined => {
      if (cursor === '') return undefined
      const newest = Math.max(loadedNumber, isCut ? 0 : (live.rows[0]?.number ?? 0))
      if (!isPaused) pauseAt(client, newest)
      return cursorAfter(isPaused ? pausedAt : newest)
    },
    resume: () => pauseAt(client, undefined),
  }
}
