import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'wouter'
import { places } from './destinations.ts'

/** Ctrl+1 to Ctrl+7 (or with ⌘) open the places; most browsers keep these keys for their tabs, and the desktop app does not. */
export function usePlaceKeys(onGo: () => void): void {
  const [, navigate] = useLocation()
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    const place = /^[1-9]$/.test(event.key) ? places[Number(event.key) - 1] : undefined
    if (place === undefined) return
    event.preventDefault()
    onGo()
    navigate(place.pages[0].path)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}
