import { useState } from 'react'
import type { DeliveryRow } from '../../../api/delivery-rows.ts'

/** A skipped delivery does not exist, and an attempt of an audit has no webhook: they cannot be sent again. */
export function isSendable({
  state,
  audit,
}: Pick<DeliveryRow, 'state'> & { audit?: unknown }): boolean {
  return state !== 'skipped' && audit === undefined
}

/** Extends a selection by the row of `id` and all rows between it and the row of `from`. */
export function extendChoice(
  rows: readonly DeliveryRow[],
  chosen: ReadonlySet<string>,
  from: string | undefined,
  id: string,
): Set<string> {
  const [start, end] = [from, id]
    .map((wanted) => rows.findIndex((row) => row.id === wanted))
    .toSorted((a, b) => a - b)
  if (start === undefined || end === undefined || start === -1) return new Set([...chosen, id])
  const between = rows.slice(start, end + 1).filter(isSendable)
  return new Set([...chosen, ...between.map((row) => row.id)])
}

/** Deliveries selected for bulk actions. */
export function useChoice(rows: readonly DeliveryRow[]) {
  const [active, setActive] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [last, setLast] = useState<string>()

  function toggle(id: string | undefined, extended = false): void {
    const row = rows.find((candidate) => candidate.id === id)
    if (id === undefined || !row || !isSendable(row)) return
    setActive(true)
    setLast(id)
    if (extended && !chosen.has(id)) return setChosen(extendChoice(rows, chosen, last, id))
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }

  return {
    active,
    chosen,
    /** Number of rows that can be selected. */
    sendable: rows.filter(isSendable).length,
    setActive: (next: boolean) => {
      setActive(next)
      if (!next) setChosen(new Set())
    },
    toggle,
    chooseAll: () => setChosen(new Set(rows.filter(isSendable).map(({ id }) => id))),
    chooseNone: () => setChosen(new Set()),
  }
}

export type Choice = ReturnType<typeof useChoice>
