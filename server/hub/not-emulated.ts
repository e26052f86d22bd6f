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
/** Files of what is kept nowhere here: of kernels and buckets, and of models as old as to have no namespace. */
const file = /^(?:\/(?:kernels|buckets)\/[^/]+)?\/[^/]+\/(?:resolve|raw)\/[^/]+\/./
/** Repos as old: nobody has one here. */
const nameless = /^\/api\/(?:models|datasets)\/[^/]+(?:\/revision\/[^/]+)?$/
const lfs = new RegExp(`^${repo}/info/lfs/`)
const git = /^(\/(?:kernels|buckets)\/[^/]+)?\/[^/]+\/(?:info\/refs|git-(?:upload|receive)-pack)$/

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
  if (nameless.test(path)) {
    return { code: 'not_found', message: 'Repository not found', hubError: 'RepoNotFound' }
  }
  if (path === '/api' || path.startsWith('/api/')) {
    const message = `${method} ${path} is not emulated by this sandbox. /_sandbox/openapi.json lists what is.`
    return { code: 'not_emulated', message }
  }
  if (lfs.test(path)) {
    const what = /\/info\/lfs\/locks(?:\/|$)/.test(path)
      ? 'Locks of Git LFS are'
      : 'This part of Git LFS is'
    const message = `${what} not emulated by this sandbox.`
    return { code: 'not_emulated', message, type: 'application/vnd.git-lfs+json' }
  }
  const ofGit = git.exec(path)
  if (ofGit !== null) {
    // git shows its user a body of this type alone.
    const type = 'text/plain'
    return ofGit[1] === undefined
      ? { code: 'not_found', message: 'Repository not found', hubError: 'RepoNotFound', type }
      : { code: 'not_emulated', message: `${path} is not emulated by this sandbox.`, type }
  }
  if (file.test(path)) {
    return { code: 'not_found', message: 'Repository not found', hubError: 'RepoNotFound' }
  }
  return undefined
}
