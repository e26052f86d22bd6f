import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useDeliveryPlace } from '../../../api/deliveries.ts'
import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import { useParameterText } from '../../../lib/parameters.ts'
import type { VisibleRows } from './use-visible-rows.ts'

interface SelectionOptions {
  list: VisibleRows
  selectedId: string | undefined
  /** Path of the list; that of a delivery is below it. */
  base: string
}

/** Open delivery, whose id is part of the path. The list pauses, so that rows stay in place while the selection moves. */
export function useSelection({ list, selectedId, base }: SelectionOptions) {
  const [, navigate] = useLocation()
  const search = useParameterText()
  /** Delivery opened last: the selection stays there after closing it. */
  const [place, setPlace] = useState(selectedId)
  if (selectedId !== undefined && selectedId !== place) setPlace(selectedId)
  const placeIndex = useIndex(list, place)
  const selectedIndex = selectedId === place ? placeIndex : -1

  function select(id: string | undefined): void {
    navigate(id ? `${base}/${id}${search}` : `${base}${search}`, {
      replace: selectedId !== undefined,
    })
  }

  function open(id: string): void {
    list.pause()
    select(id)
  }

  const reading = useMutation({
    mutationFn: (read: () => Promise<DeliveryRow | undefined>) => read(),
    onSuccess: (row) => row && select(row.id),
    meta: { failed: 'Could not find the delivery' },
  })

  /** Rows that are not loaded are read first. */
  function openAt(index: number): void {
    list.pause()
    const row = list.rowAt(index)
    if (row) select(row.id)
    else if (index < list.count) reading.mutate(() => list.load(index))
  }

  return {
    selectedIndex,
    isListed: selectedIndex !== -1,
    select,
    open,
    openPlace: () => openAt(Math.max(0, placeIndex)),
    move: (step: number) => openAt(Math.max(0, Math.min(list.count - 1, placeIndex + step))),
    moveToFailure: (step: 1 | -1) =>
      reading.mutate(() => list.failureBeside(placeIndex === -1 ? undefined : place, step)),
  }
}

/** Index of a delivery, which need not be loaded; -1 if the list does not have it. */
function useIndex(list: VisibleRows, id: string | undefined): number {
  const loaded = list.indexOf(id)
  const isWanted = loaded === -1 && list.cursor !== ''
  const place = useDeliveryPlace(list.filters, list.cursor, isWanted ? id : undefined)
  if (!isWanted || place === undefined) return loaded
  return list.headLength + place
}

export type Selection = ReturnType<typeof useSelection>
