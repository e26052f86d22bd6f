import { useEffect, useLayoutEffect, useRef } from 'react'

/** Distance from the end that still counts as the end. */
const nearPx = 80

/**
 * Keeps the end of a growing scrolled element in view, unless the user scrolled away.
 * @param height of its content
 * @param atEnd whether it begins at the end
 */
export function useStayAtEnd(scroller: HTMLElement | null, height: number, atEnd: boolean): void {
  const stays = useRef(atEnd)
  useEffect(() => {
    if (!scroller) return undefined
    const look = () => {
      stays.current = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < nearPx
    }
    // Not by `scroll`, which growth triggers too.
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
