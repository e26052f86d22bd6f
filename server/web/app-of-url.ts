// Choice of the app for a URL, before any other part of the request is read.

/** Contents of a repo, as browsers, clients and git request them: `/acme/tiny/resolve/main/README.md`. */
const inRepo =
  /^\/(?:(?:datasets|spaces)\/)?[^/?#]+\/[^/?#]+\/(?:resolve|raw|info|git-upload-pack|git-receive-pack|ask-access|user-access-report)(?:[/?#]|$)/

/** Files of buckets: `/buckets/acme/results/resolve/a.txt`. */
const inBucket = /^\/buckets\/[^/?#]+\/[^/?#]+\/(?:resolve|contents)\//

/** @param url path and query of a request to the hub, its MCP server, its inference router or its API of inference endpoints */
export function isApiAddress(url: string): boolean {
  return (
    /^\/(?:(?:api|v1|v2|hf-inference|inference-endpoints)\/|mcp(?:[?#]|$))/.test(url) ||
    inRepo.test(url) ||
    inBucket.test(url)
  )
}

/** Groups of clients that expect their own error format, by path. */
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
