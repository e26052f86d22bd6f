import { useLayoutEffect, useState } from 'react'

/**
 * Width of an element in pixels, as it changes; `undefined` before it is there. It is known in the frame that shows the
 * element first: what is drawn by it need not be drawn twice.
 */
export function useWidth() {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const [width, setWidth] = useState<number>()
  useLayoutEffect(() => {
    if (!element) return undefined
    const measure = () => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return [setElement, width, element] as const
}
