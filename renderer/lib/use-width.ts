import { useCallback, useState, type RefCallback } from 'react'

/** The width of an element as it changes, in pixels; a guess until it is there. */
export function useWidth(guess = 480): [RefCallback<HTMLElement>, number] {
  const [width, setWidth] = useState(guess)
  const frame = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(1, Math.floor(entry.contentRect.width)))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [frame, width]
}
