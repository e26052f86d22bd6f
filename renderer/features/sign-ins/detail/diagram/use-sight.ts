import { useEffect, useState } from 'react'

/** Step of reported pixels, so that not every wheel event renders. */
const portion = 400
/** Margin beyond what a fast wheel scrolls in one frame. */
const beyond = 1600

/** Visible range of a scrolled element with a margin, in pixels from its top. */
export function useSight(scroller: HTMLElement | null): readonly [number, number] {
  const [place, setPlace] = useState({ top: 0, height: beyond })
  useEffect(() => {
    if (!scroller) return undefined
    const look = () =>
      setPlace((before) => {
        const top = Math.floor(scroller.scrollTop / portion) * portion
        const height = Math.ceil(scroller.clientHeight / portion + 1) * portion
        return before.top === top && before.height === height ? before : { top, height }
      })
    const observer = new ResizeObserver(look)
    observer.observe(scroller)
    scroller.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      scroller.removeEventListener('scroll', look)
    }
  }, [scroller])
  return [place.top - beyond, place.top + place.height + beyond]
}
