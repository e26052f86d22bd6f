/** The path below which everything is served. */
export const defaultRoot = '/webhooks'

/** Position of a request in an app. */
export interface MountPlace {
  /** Base path of the receiver as seen from outside: `/api`, or empty. */
  base: string
  /** The path below that. */
  path: string
}

/** Known base path of the receiver. */
export interface Mount {
  /** Given by the user: the path that the outside knows; the app may have taken it off, or not. */
  basePath?: string | undefined
  /** Told by the framework; it is in the path of the request. */
  mountPath?: string | undefined
  /** Tells the endpoints from a path that happens to hold `/webhooks` more than once. */
  hasEndpoint: (name: string) => boolean
}

/**
 * Splits the path of a request into the mount path of the receiver and the path below it. If the app has not set the
 * mount path, it is the part before `/webhooks`.
 */
export function placeOf(pathname: string, mount: Mount): MountPlace {
  const places = possiblePlaces(pathname, mount)
  return (
    places.find(({ path }) => mount.hasEndpoint(path.slice(defaultRoot.length + 1))) ??
    places.findLast(({ path }) => path === defaultRoot) ??
    places.at(-1) ?? { base: '', path: pathname }
  )
}

/** From the one that takes least for the base to the one that takes most. */
function possiblePlaces(pathname: string, { basePath, mountPath }: Mount): MountPlace[] {
  const base = basePath ?? mountPath
  if (base === undefined) {
    return [...pathname.matchAll(/\/webhooks(?=\/|$)/g)].map(({ index }) => ({
      base: pathname.slice(0, index),
      path: pathname.slice(index),
    }))
  }
  return [mountPath ?? '', basePath]
    .filter((prefix) => prefix !== undefined && isBelow(pathname, prefix))
    .map((prefix = '') => ({ base, path: pathname.slice(prefix.length) || '/' }))
}

function isBelow(pathname: string, base: string): boolean {
  return pathname === base || pathname.startsWith(`${base}/`)
}

/**
 * A path as `/api`: with a slash before it and none behind it; nothing for the root.
 * @throws {TypeError} for what is no path
 */
export function normalizeBasePath(given: string): string {
  const trimmed = given.replace(/^\/+|\/+$/g, '')
  if (trimmed === '') return ''
  const path = `/${trimmed}`
  if (!/[?#\s\\]|:\/\//.test(path) && new URL(path, 'http://localhost').pathname === path)
    return path
  throw new TypeError(
    `basePath must be a path prefix such as "/api", not ${JSON.stringify(given)}.`,
  )
}
