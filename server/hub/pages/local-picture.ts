import { encodeText } from '../../core/encode-text.ts'

/**
 * A picture that our pages may show: one of our own or inline. Nothing is fetched from elsewhere, which would tell
 * others who looks.
 */
export function localPicture(picture: string | undefined, name: string): string {
  return picture !== undefined && isLocalPicture(picture)
    ? picture
    : `/avatars/${encodeText(name)}.svg`
}

/** Checks whether a page shows this picture, rather than one of its own in its place. */
export function isLocalPicture(picture: string): boolean {
  return picture.startsWith('data:image/') || /^\/(?!\/)/.test(picture)
}

/** Pictures of the sandbox: avatars and files of repos. Other paths do something when they are loaded. */
const ownPictures = /^\/avatars\/|\/(?:resolve|raw)\//

/**
 * Turns the URL of a picture on the sandbox's own origin into its path. Apps register absolute URLs (RFC 7591 §2), and
 * the page is read under any name of the sandbox.
 */
export function ownPicturePath(uri: string, baseUrl: string): string {
  if (!URL.canParse(uri)) return uri
  const { origin, pathname, search } = new URL(uri)
  const isOwn = origin === new URL(baseUrl).origin && ownPictures.test(pathname)
  return isOwn ? `${pathname}${search}` : uri
}
