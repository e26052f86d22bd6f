import { useVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useState } from 'react'

interface VirtualRowsOptions {
  count: number
  /** Estimated height of a row in pixels; each is measured once shown. */
  estimateSize: number
  keyOf: (index: number) => string
}

/**
 * Visible rows of a long list with a margin. The list scrolls with its `data-scroller` ancestor, page or dialog, and
 * keeps the height of the other rows.
 */
export function useVirtualRows({ count, estimateSize, keyOf }: VirtualRowsOptions) {
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  const [place, setPlace] = useState<number>()
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
    enabled: place !== undefined,
    getScrollElement: () => scroller,
    // A list that appears late leaves the page where it is.
    initialOffset: () => scroller?.scrollTop ?? 0,
    getItemKey: keyOf,
    estimateSize: () => estimateSize,
    scrollMargin: offset,
    overscan: 15,
  })
  const rows = virtualizer.getVirtualItems()
  const [first] = rows
  const last = rows.at(-1)
  return {
    /** The element that holds the rows. */
    setFrame,
    rows,
    measure: virtualizer.measureElement,
    /** Pixels of the rows left out above and below. */
    before: first ? first.start - offset : 0,
    after: last ? virtualizer.getTotalSize() - (last.end - offset) : 0,
  }
}
