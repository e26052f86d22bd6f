import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useState } from 'react'

interface VirtualRowsOptions {
  count: number
  /** Pixels of a row before it was seen; each is measured once it is. */
  estimateSize: number
  keyOf: (index: number) => string
}

/**
 * The rows of a long list that are in sight, with some around them. The list scrolls with what is
 * marked as `data-scroller` around it, page or dialog, and keeps the height of those left out.
 */
export function useVirtualRows({ count, estimateSize, keyOf }: VirtualRowsOptions) {
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  const [offset, setOffset] = useState(0)
  const scroller = frame?.closest('[data-scroller]') ?? null
  useEffect(() => {
    if (!frame || !scroller) return undefined
    // What stands above the list may grow and shrink with anything on the page.
    const observer = new ResizeObserver(() => {
      const top = frame.getBoundingClientRect().top - scroller.getBoundingClientRect().top
      setOffset(Math.round(top + scroller.scrollTop))
    })
    for (const child of scroller.children) observer.observe(child)
    return () => observer.disconnect()
  }, [frame, scroller])
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller,
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
