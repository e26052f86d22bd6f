/** Path below which all endpoints are. */
export const defaultRoot = '/webhooks'

/** Position of a request in an app. */
export interface MountPlace {
  /** Base path of the receiver as seen from outside: `/api`, or empty. */
  base: string
  /** Path below the base path. */
  path: string
}

/** Known base path of the receiver. */
export interface Mount {
  /** External path, given by the user; the app may have removed it from the request. */
  basePath?: string | undefined
  /** Path given by the framework; the path of the request has it. */
  mountPath?: string | undefined
  /** Finds the endpoint in a path that has `/webhooks` more than once. */
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

/** Possible splits, the shortest base path first. */
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
 * Formats a path as `/api`: with a slash before it and none after it; empty for the root.
 * @throws {TypeError} for an invalid path
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
