import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'

interface VirtualRowsOptions {
  count: number
  /** Estimated height of a row in pixels; each is measured once shown. */
  estimateSize: number
  keyOf: (index: number) => string
  /** Row to scroll to. */
  openKey?: string | undefined
}

/**
 * Visible rows of a long list with a margin. The list scrolls with its `data-scroller` ancestor, page or dialog, and
 * keeps the height of the other rows.
 */
export function useVirtualRows({ count, estimateSize, keyOf, openKey }: VirtualRowsOptions) {
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  const [place, setPlace] = useState<number>()
  const isPlaced = place !== undefined
  const offset = place ?? 0
  const scroller = frame?.closest('[data-scroller]') ?? null
  useLayoutEffect(() => {
    if (!frame || !scroller) return undefined
    const look = () => {
      const top = frame.getBoundingClientRect().top - scroller.getBoundingClientRect().top
      setPlace(Math.round(top + scroller.scrollTop))
    }
    look()
    // Content above the list may grow and shrink.
    const observer = new ResizeObserver(look)
    for (const child of scroller.children) observer.observe(child)
    return () => observer.disconnect()
  }, [frame, scroller])
  const virtualizer = useVirtualizer({
    count,
    // Rows that are measured before their place is known would move the page.
    enabled: isPlaced,
    getScrollElement: () => scroller,
    // A list that appears late leaves the page where it is.
    initialOffset: () => scroller?.scrollTop ?? 0,
    getItemKey: keyOf,
    estimateSize: () => estimateSize,
    scrollMargin: offset,
    overscan: 15,
  })
  const openIndex =
    openKey === undefined ? -1 : Array.from({ length: count }, (_, i) => keyOf(i)).indexOf(openKey)
  const isKnown = isPlaced && openIndex !== -1
  const scrollToOpen = useEffectEvent(() => {
    virtualizer.scrollToIndex(openIndex, { align: 'center' })
  })
  // Once: new rows above it do not take the user back to it.
  useEffect(() => {
    if (isKnown) scrollToOpen()
  }, [isKnown, openKey])
  const rows = virtualizer.getVirtualItems()
  const [first] = rows
  const last = rows.at(-1)
  return {
    /** The element that holds the rows. */
    setFrame,
    rows,
    measure: virtualizer.measureElement,
    /** Pixels of a row, measured or estimated. */
    sizeOf: (index: number) => virtualizer.measurementsCache[index]?.size ?? estimateSize,
    /** Pixels of the rows left out above and below. */
    before: first ? first.start - offset : 0,
    after: last ? virtualizer.getTotalSize() - (last.end - offset) : 0,
  }
}
