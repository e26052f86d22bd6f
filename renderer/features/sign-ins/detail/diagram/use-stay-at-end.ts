import { useEffect, useLayoutEffect, useRef } from 'react'

/** So near to the end, one looks at what comes next. */
const nearPx = 80

/**
 * Keeps the end of a scrolled element in sight as it grows, unless somebody has scrolled away from it.
 * @param height of what is in it
 * @param atEnd whether it begins there
 */
export function useStayAtEnd(scroller: HTMLElement | null, height: number, atEnd: boolean): void {
  const stays = useRef(atEnd)
  useEffect(() => {
    if (!scroller) return undefined
    const look = () => {
      stays.current = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < nearPx
    }
    // Not by `scroll`, which growth causes as well.
    const kinds = ['wheel', 'touchmove', 'keydown', 'pointerup'] as const
    const later = () => requestAnimationFrame(look)
    for (const kind of kinds) scroller.addEventListener(kind, later, { passive: true })
    return () => {
      for (const kind of kinds) scroller.removeEventListener(kind, later)
    }
  }, [scroller])
  useLayoutEffect(() => {
    if (stays.current) scroller?.scrollTo(0, scroller.scrollHeight)
  }, [scroller, height])
}
