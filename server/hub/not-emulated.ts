import type { HubErrorName, RefusalCode } from '../core/refusal.ts'

/** Refusal of a part of the hub that the sandbox does not emulate. */
export interface NotEmulated {
  readonly code: RefusalCode
  readonly message: string
  readonly hubError?: HubErrorName
  /** Path to redirect to, for clients that show the URL of an error and not its message. */
  readonly location?: string
  /** Media type of the body; absent = the hub's JSON. */
  readonly type?: 'text/plain' | 'application/vnd.git-lfs+json'
}

export const missingRepo = {
  code: 'not_found',
  message: 'Repository not found',
  hubError: 'RepoNotFound',
} as const
const lfsType = 'application/vnd.git-lfs+json'

/** `name` or `namespace/name`, after the type for repos other than models. */
const repo = String.raw`(?:/(?:datasets|spaces|kernels|buckets))?/[^/]+(?:/[^/]+)?`
const xetToken = /^\/api\/kernels\/[^/]+\/[^/]+\/xet-(?:read|write)-token(?:\/|$)/
/** hf_xet shows only the URL of a refusal. */
export const xetHint = '/api/xet-is-not-emulated/set/HF_HUB_DISABLE_XET=1'
const withoutXet = {
  code: 'not_found',
  message: 'this Hub has no Xet storage for this: set HF_HUB_DISABLE_XET=1',
} as const
/** Files of kernels and old models without a namespace, which the sandbox does not have. */
const file = /^(?:\/kernels\/[^/]+)?\/[^/]+\/(?:resolve|raw)\/[^/]+\/./
/** Words of the hub's API beside repos, which nobody has as a namespace. */
const ownWords: ReadonlySet<string> = new Set([
  'by-subdomain',
  'hardware',
  'semantic-search',
  'tags-by-type',
  'templates',
  'trending',
  'zero-gpu',
])

/** Checks whether a path of the API names a word of the hub where a namespace would be, such as `/api/spaces/zero-gpu`. */
export function isOwnWord(path: string): boolean {
  const [, word = ''] = /^\/api\/(?:models|datasets|spaces)\/([^/]+)/.exec(path) ?? []
  return ownWords.has(word)
}

/** Old repos and buckets without a namespace, which the sandbox does not have. */
const nameless =
  /^\/api\/(?:(?:models|datasets|buckets)|spaces(?!\/(?:hardware|templates|semantic-search)$))\/[^/]+(?:\/(?:revision|tree|treesize|commits|commit|preupload|paths-info|branch|tag|super-squash|xet-read-token|xet-write-token)\/.+|\/like)?$/
/** Result of an endpoint that was configured with a trailing slash. */
const doubled = /^(?:\/api(?=\/).*)?\/\/./
const namelessLfs = /^\/[^/]+\/info\/lfs\//
const lfs = new RegExp(`^${repo}/info/lfs/`)
const git = /^(\/(?:kernels|buckets)\/[^/]+)?\/[^/]+\/(?:info\/refs|git-(?:upload|receive)-pack)$/

/**
 * Describes the refusal of a part of the hub that is not emulated, in the form that its client understands: the wrong form
 * makes clients retry for minutes, or blame the connection.
 * @param path without the query
 * @returns `undefined` for a path that the hub does not have
 */
export function describeNotEmulated(method: string, path: string): NotEmulated | undefined {
  // Its client retries 5xx, 408 and 429 for minutes.
  if (path === xetHint) return withoutXet
  if (xetToken.test(path)) return { ...withoutXet, location: xetHint }
  // The first version of whoami: the Hub refuses it with any token.
  if (path === '/api/whoami')
    return { code: 'unauthenticated', message: 'Invalid username or password.' }
  if (!isOwnWord(path) && nameless.test(path)) {
    return missingRepo
  }
  if (doubled.test(path)) return withoutDoubled(method, path)
  if (/^\/api\/.*[^/]\/+$/.test(path)) return withoutSlash(method, path)
  if (path === '/api' || path.startsWith('/api/')) {
    const message = `${method} ${path} is not emulated by this sandbox. /_sandbox/openapi.json lists what is.`
    return { code: 'not_emulated', message }
  }
  if (namelessLfs.test(path)) {
    return { ...missingRepo, type: lfsType }
  }
  if (lfs.test(path)) {
    if (path.endsWith('/')) return { ...withoutSlash(method, path), type: lfsType }
    const message = 'This part of Git LFS is not emulated by this sandbox.'
    return { code: 'not_emulated', message, type: lfsType }
  }
  const ofGit = git.exec(path)
  if (ofGit !== null) {
    // git shows only bodies of this type.
    const type = 'text/plain'
    return ofGit[1] === undefined
      ? { ...missingRepo, type }
      : { code: 'not_emulated', message: `${path} is not emulated by this sandbox.`, type }
  }
  if (file.test(path)) {
    return missingRepo
  }
  return undefined
}

function withoutDoubled(method: string, path: string): NotEmulated {
  const meant = path.replaceAll(/\/{2,}/g, '/')
  const message = `Nothing is at ${method} ${path}, with two slashes in a row. Ask for ${meant}: an endpoint has no slash at its end`
  return { code: 'not_found', message }
}

/** Refuses a trailing slash, since no API path of the hub has one. */
function withoutSlash(method: string, path: string): NotEmulated {
  const meant = path.replace(/\/+$/, '')
  const message = `Nothing is at ${method} ${path}, with a slash at its end. Ask for ${meant}`
  return { code: 'not_found', message }
}
