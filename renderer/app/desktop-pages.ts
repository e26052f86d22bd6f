import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'wouter'
import { desktopBridge } from '../lib/desktop.ts'

/** Navigates on request of the desktop app: its menu, a link or a notification. */
export function useDesktopPages(onGo: () => void): void {
  const [, navigate] = useLocation()
  const go = useEffectEvent((path: string) => {
    onGo()
    navigate(path)
  })
  useEffect(() => desktopBridge()?.onGoTo((path) => go(path)), [])
}
