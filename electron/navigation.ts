/** Target of a URL: the window, the system's browser, or none. */
export type Opener = 'window' | 'browser' | 'nowhere'

/**
 * Decides where a link or redirect opens. Only pages of the sandbox itself stay in the window: an app under test
 * belongs in the browser, and other schemes could start any program.
 * @param origin of the sandbox the window belongs to
 */
export function destinationOf(address: string, origin: string): Opener {
  if (!URL.canParse(address)) return 'nowhere'
  const url = new URL(address)
  // A blob: URL has the origin of its page, so the scheme is checked first.
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'nowhere'
  // Credentials in a URL can make one site look like another.
  if (url.username !== '' || url.password !== '') return 'nowhere'
  return url.origin === origin ? 'window' : 'browser'
}

/** The one permission of a page: copy buttons. Reading the clipboard is another one. */
export function isAllowedPermission(permission: string, page: string, origin: string): boolean {
  return permission === 'clipboard-sanitized-write' && destinationOf(page, origin) === 'window'
}
