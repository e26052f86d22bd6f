import { useEffect, useState } from 'react'

/** Pixels are told in such portions, so that not each turn of the wheel renders. */
const portion = 400
/** Further than a fast wheel turns in one frame. */
const beyond = 1600

/** From where to where a scrolled element is in sight, with what will be soon. Pixels from its top. */
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
