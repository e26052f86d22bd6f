import { useState } from 'react'
import { useLocation } from 'wouter'
import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import { useParameterText } from '../../../lib/parameters.ts'
import { isFailure } from './state-look.ts'

interface SelectionOptions {
  rows: readonly DeliveryRow[]
  selectedId: string | undefined
  /** Path of the list; that of a delivery is below it. */
  base: string
  /** Pauses the list, so that rows stay in place while the selection moves. */
  pause: () => void
}

/** Open delivery, whose id is part of the path. */
export function useSelection({ rows, selectedId, base, pause }: SelectionOptions) {
  const [, navigate] = useLocation()
  const search = useParameterText()
  /** Delivery opened last: the selection stays there after closing it. */
  const [place, setPlace] = useState(selectedId)
  if (selectedId !== undefined && selectedId !== place) setPlace(selectedId)
  const placeIndex = rows.findIndex(({ id }) => id === place)

  function select(id: string | undefined): void {
    navigate(id ? `${base}/${id}${search}` : `${base}${search}`, {
      replace: selectedId !== undefined,
    })
  }

  function open(id: string): void {
    pause()
    select(id)
  }

  return {
    isListed: rows.some(({ id }) => id === selectedId),
    select,
    open,
    openPlace: () => {
      const row = rows[Math.max(0, placeIndex)]
      if (row) open(row.id)
    },
    move: (step: number) => {
      pause()
      const next = rows[Math.max(0, Math.min(rows.length - 1, placeIndex + step))]
      if (next) select(next.id)
    },
    moveToFailure: (step: 1 | -1) => {
      pause()
      for (let index = placeIndex + step; index >= 0 && index < rows.length; index += step) {
        const row = rows[index]
        if (row && isFailure(row)) return select(row.id)
      }
    },
  }
}

export type Selection = ReturnType<typeof useSelection>
