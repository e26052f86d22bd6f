import { useLayoutEffect, useState } from 'react'

/** Width of an element in pixels; `undefined` before it exists. Known in the first frame, so nothing is drawn twice. */
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
