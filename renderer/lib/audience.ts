import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { useFlag } from './parameters.ts'

/**
 * Tells whether the page is presented (`?audience`): everything is larger, secrets stay masked, and only the page is
 * shown.
 */
export function useAudience() {
  const [isAsked, setAudience] = useFlag('audience')
  const [path] = useLocation()
  const isPage = path === '/sign-ins' || path.startsWith('/sign-ins/')
  return { isAudience: isAsked && isPage, setAudience }
}

/** Scale while presenting. */
export const audienceScale = 1.25

/** Scales everything measured in rem. */
export function useAudienceType(isAudience: boolean): void {
  useEffect(() => {
    if (!isAudience) return undefined
    const { style } = document.documentElement
    style.fontSize = `${16 * audienceScale}px`
    return () => {
      style.removeProperty('font-size')
    }
  }, [isAudience])
}
