// Which app of the server an address is led to, before anything of the request is looked at.

/** Contents of a repo, as browsers, clients and git ask for them: `/acme/tiny/resolve/main/README.md`. */
const inRepo =
  /^\/(?:(?:datasets|spaces)\/)?[^/?#]+\/[^/?#]+\/(?:resolve|raw|info|git-upload-pack|git-receive-pack)(?:[/?#]|$)/

/** @param url path and query of a request */
export function isApiAddress(url: string): boolean {
  return url.startsWith('/api/') || inRepo.test(url)
}

/** Clients that read errors in a shape of their own, by the paths that they ask for. */
export type ErrorShape = 'control' | 'git' | 'lfs' | 'oauth' | 'hub'

/** @param path without the query */
export function errorShapeOf(path: string): ErrorShape {
  if (isControlAddress(path)) return 'control'
  if (/^\/[^/]+(?:\/[^/]+){0,2}\/info\/lfs(?:\/|$)/.test(path)) return 'lfs'
  if (/^\/[^/]+(?:\/[^/]+){0,2}\/(?:info\/refs|git-(?:upload|receive)-pack)$/.test(path))
    return 'git'
  return /^\/(?:oauth|\.well-known)\//.test(path) ? 'oauth' : 'hub'
}

/** @param url path and query of a request */
export function isControlAddress(url: string): boolean {
  return /^\/_sandbox(?:[/?#]|$)/.test(url)
}
