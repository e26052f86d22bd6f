import { useLayoutEffect } from 'react'
import { useLocation } from 'wouter'
import { useFlag } from './parameters.ts'

/** Tells whether a sign-in is presented (`?present`): it fills the window, and secrets stay masked. */
export function usePresent() {
  const [isAsked, setPresented] = useFlag('present')
  const [path] = useLocation()
  const isPage = path === '/sign-ins' || path.startsWith('/sign-ins/')
  return { isPresented: isAsked && isPage, setPresented }
}

/** Path of the presentation of a delivery; without one, of the newest sign-in. */
export function presentationOf(deliveryId?: string): string {
  const delivery = deliveryId === undefined ? '' : `&delivery=${encodeURIComponent(deliveryId)}`
  return `/sign-ins?present=1${delivery}`
}

/** Scales everything measured in rem to the window, and hides toasts from the audience (see `styles.css`). */
export function usePresentedLook(isPresented: boolean): void {
  useLayoutEffect(() => {
    if (!isPresented) return undefined
    document.documentElement.dataset['presented'] = ''
    return () => {
      delete document.documentElement.dataset['presented']
    }
  }, [isPresented])
}
