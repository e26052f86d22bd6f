import { isAbsolute, join } from 'node:path'

/** Facts about the machine and its user that decide where caches lie. */
export interface Surroundings {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  /** `undefined` for a user without a home folder. */
  home: string | undefined
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
