import { type Surroundings, userCaches } from '../../core/user-caches.ts'

/** Reason that nothing is cached, as `doctor` prints it. */
export type Disabled =
  | 'HUB_SANDBOX_NO_CODE_CACHE is set'
  | 'NODE_DISABLE_COMPILE_CACHE is set'
  | 'coverage is measured'
  | 'this user has no home folder'

/**
 * Finds the folder for compiled code. It is never a folder that other users share, since a cache is code.
 * @returns the user's cache folder and the path below it, or the reason that nothing is cached
 */
export function placeOfCache({ platform, env, home }: Surroundings): CachePlace | Disabled {
  if (isSet(env['HUB_SANDBOX_NO_CODE_CACHE'])) return 'HUB_SANDBOX_NO_CODE_CACHE is set'
  if (isSet(env['NODE_DISABLE_COMPILE_CACHE'])) return 'NODE_DISABLE_COMPILE_CACHE is set'
  // Cached code was compiled without coverage counters.
  if (isSet(env['NODE_V8_COVERAGE'])) return 'coverage is measured'
  const base = userCaches({ platform, env, home })
  if (base === undefined) return 'this user has no home folder'
  // On Windows, the folder of that name has the data of the sandbox.
  const own = platform === 'win32' ? 'hub-sandbox-cache' : 'hub-sandbox'
  return { base, below: [own, 'code'] }
}

/** Folders from the outside in: the user's cache folder, then those of this cache. */
export interface CachePlace {
  base: string
  below: readonly string[]
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}
