import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { useFlag } from './parameters.ts'

/**
 * Whether the page is shown to an audience: `?audience`. Everything is larger then, secrets stay masked, and what is
 * around the page is out of sight.
 */
export function useAudience() {
  const [isAsked, setAudience] = useFlag('audience')
  const [path] = useLocation()
  const isPage = path === '/sign-ins' || path.startsWith('/sign-ins/')
  return { isAudience: isAsked && isPage, setAudience }
}

/** How much larger everything is for an audience. */
export const audienceScale = 1.25

/** Enlarges what is measured in letters. */
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
