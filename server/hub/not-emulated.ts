import type { HubErrorName } from '../core/refusal.ts'

/** How to refuse what the hub has and the sandbox has not. */
export interface NotEmulated {
  readonly code: 'not_found' | 'not_emulated'
  readonly message: string
  readonly hubError?: HubErrorName
  /** Media type of the body; absent = the hub's JSON. */
  readonly type?: 'text/plain' | 'application/vnd.git-lfs+json'
}

/** `name` or `namespace/name`, behind the type of the repo but for models. */
const repo = String.raw`(?:/(?:datasets|spaces|kernels|buckets))?/[^/]+(?:/[^/]+)?`
const xetToken = /^\/api\/[^/]+\/[^/]+(?:\/[^/]+)?\/xet-(?:read|write)-token(?:\/|$)/
const file = new RegExp(String.raw`^${repo}/(?:resolve|raw)/[^/]+/.`)
const lfs = new RegExp(`^${repo}/info/lfs/`)
const git = new RegExp(`^${repo}/(?:info/refs$|git-(?:upload|receive)-pack$)`)

/**
 * What to say to a request for a part of the hub that is not emulated, in the way its client understands: an answer of the
 * wrong kind makes clients try again for minutes, or tell their users to check the connection.
 * @param path without the query
 * @returns `undefined` when nothing of the hub is at that address
 */
export function describeNotEmulated(method: string, path: string): NotEmulated | undefined {
  if (xetToken.test(path)) {
    // Any 5xx is repeated with growing pauses.
    return { code: 'not_found', message: 'this hub has no Xet storage: set HF_HUB_DISABLE_XET=1' }
  }
  if (path === '/api' || path.startsWith('/api/')) {
    const message = `${method} ${path} is not emulated by this sandbox. /_sandbox/openapi.json lists what is.`
    return { code: 'not_emulated', message }
  }
  if (lfs.test(path)) {
    const message = 'Git LFS is not emulated by this sandbox.'
    return { code: 'not_emulated', message, type: 'application/vnd.git-lfs+json' }
  }
  if (git.test(path)) {
    // git shows its user a body of this type alone.
    return {
      code: 'not_emulated',
      message: 'Git is not emulated by this sandbox.',
      type: 'text/plain',
    }
  }
  if (file.test(path)) {
    // Without X-Repo-Commit, which would have clients remember that the file does not exist.
    const message = 'The sandbox does not serve files yet: it cannot tell whether this one exists.'
    return { code: 'not_found', message, hubError: 'EntryNotFound' }
  }
  return undefined
}
