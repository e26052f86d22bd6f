import { isAbsolute, join } from 'node:path'

/** What the place of the cache follows from. */
export interface Surroundings {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  /** Undefined where the user has none. */
  home: string | undefined
}

/** Why nothing is cached, as `doctor` says it. */
export type Disabled =
  | 'HUB_SANDBOX_NO_CODE_CACHE is set'
  | 'NODE_DISABLE_COMPILE_CACHE is set'
  | 'coverage is measured'
  | 'this user has no home folder'

/**
 * Whether code is cached, and in which folder of the user's: never one that others share, since a cache is code.
 * @returns the folder that holds the one of hub-sandbox, and its path below it
 */
export function placeOfCache({ platform, env, home }: Surroundings): CachePlace | Disabled {
  if (isSet(env['HUB_SANDBOX_NO_CODE_CACHE'])) return 'HUB_SANDBOX_NO_CODE_CACHE is set'
  if (isSet(env['NODE_DISABLE_COMPILE_CACHE'])) return 'NODE_DISABLE_COMPILE_CACHE is set'
  // What comes out of a cache was compiled without the counters.
  if (isSet(env['NODE_V8_COVERAGE'])) return 'coverage is measured'
  const base = userCaches({ platform, env, home })
  if (base === undefined) return 'this user has no home folder'
  // On Windows the folder of that name is the sandbox's data.
  const own = platform === 'win32' ? 'hub-sandbox-cache' : 'hub-sandbox'
  return { base, below: [own, 'code'] }
}

/** Folders from the outside in: the user's for all caches, and those of this one in it. */
export interface CachePlace {
  base: string
  below: readonly string[]
}

/** Folder of the user for caches of all programs; `undefined` without a home folder. */
export function userCaches({ platform, env, home }: Surroundings): string | undefined {
  const inHome = (...path: string[]) => (home === undefined ? undefined : join(home, ...path))
  switch (platform) {
    case 'darwin':
      return inHome('Library', 'Caches')
    case 'win32':
      return env['LOCALAPPDATA'] || inHome('AppData', 'Local')
    default: {
      const named = env['XDG_CACHE_HOME']
      // A relative one is to be ignored (XDG Base Directory Specification, "Basics").
      return named !== undefined && isAbsolute(named) ? named : inHome('.cache')
    }
  }
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}
