import { useLocation } from 'wouter'
import type { DeliveryRow } from '../../api/delivery-rows.ts'
import { useParameterText } from '../../lib/parameters.ts'
import { isFailure } from './lib/state-look.ts'

interface SelectionOptions {
  rows: readonly DeliveryRow[]
  selectedId: string | undefined
  /** The address of the list; that of a delivery is below it. */
  base: string
  /** Whoever moves wants the rows to stay where they are. */
  pause: () => void
}

/** The delivery that is opened: its id is part of the address. */
export function useSelection({ rows, selectedId, base, pause }: SelectionOptions) {
  const [, navigate] = useLocation()
  const search = useParameterText()
  const selectedIndex = rows.findIndex(({ id }) => id === selectedId)

  function select(id: string | undefined): void {
    navigate(id ? `${base}/${id}${search}` : `${base}${search}`, {
      replace: selectedId !== undefined,
    })
  }

  return {
    isListed: selectedIndex !== -1,
    select,
    open: (id: string) => {
      pause()
      select(id)
    },
    move: (step: number) => {
      pause()
      const next = rows[Math.max(0, Math.min(rows.length - 1, selectedIndex + step))]
      if (next) select(next.id)
    },
    moveToFailure: (step: 1 | -1) => {
      pause()
      for (let index = selectedIndex + step; index >= 0 && index < rows.length; index += step) {
        const row = rows[index]
        if (row && isFailure(row)) return select(row.id)
      }
    },
  }
}

export type Selection = ReturnType<typeof useSelection>
