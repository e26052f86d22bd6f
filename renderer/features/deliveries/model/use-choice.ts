import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../api/client.ts'
import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import type { VisibleRows } from './use-visible-rows.ts'

/** A skipped delivery does not exist, and an attempt of an audit has no webhook: they cannot be sent again. */
export function isSendable({
  state,
  audit,
}: Pick<DeliveryRow, 'state'> & { audit?: unknown }): boolean {
  return state !== 'skipped' && audit === undefined
}

/** Adds the rows of a range to a selection. */
export function extendChoice(
  chosen: ReadonlySet<string>,
  between: readonly DeliveryRow[],
): Set<string> {
  return new Set([...chosen, ...between.filter(isSendable).map((row) => row.id)])
}

/** Deliveries selected for bulk actions. */
export function useChoice(list: VisibleRows) {
  const [active, setActive] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [last, setLast] = useState<string>()
  const all = useMutation({
    mutationFn: () =>
      callApi('GET deliveries/ids', { query: { ...list.filters, cursor: list.shownCursor } }),
    onSuccess: ({ ids }) => setChosen(new Set(ids)),
    meta: { failed: 'Could not select the deliveries' },
  })
  const range = useMutation({
    mutationFn: ([start, end]: readonly [number, number]) => list.loadBetween(start, end),
    onSuccess: (rows) => setChosen((before) => extendChoice(before, rows)),
    meta: { failed: 'Could not select the deliveries' },
  })

  function toggle(id: string | undefined, extended = false): void {
    const index = list.indexOf(id)
    const row = list.rowAt(index)
    if (id === undefined || !row || !isSendable(row)) return
    setActive(true)
    setLast(id)
    const from = extended && !chosen.has(id) ? list.indexOf(last) : -1
    if (from !== -1) return range.mutate([Math.min(from, index), Math.max(from, index)])
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }

  return {
    active,
    chosen,
    /** Number of rows that can be selected. */
    sendable: list.sums?.total ?? 0,
    /** Rows are being read to select them. */
    isBusy: all.isPending || range.isPending,
    setActive: (next: boolean) => {
      setActive(next)
      if (!next) setChosen(new Set())
    },
    toggle,
    chooseAll: () => all.mutate(),
    chooseNone: () => setChosen(new Set()),
  }
}

export type Choice = ReturnType<typeof useChoice>
