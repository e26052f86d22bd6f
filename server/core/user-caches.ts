import { isAbsolute, join } from 'node:path'

/** Facts about the machine and its user that decide the location of caches. */
export interface Surroundings {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  /** Home folder; `undefined` if the user has none. */
  home: string | undefined
}

/** Returns the user's cache folder; `undefined` without a home folder. */
export function userCaches({ platform, env, home }: Surroundings): string | undefined {
  const inHome = (...path: string[]) => (home === undefined ? undefined : join(home, ...path))
  switch (platform) {
    case 'darwin':
      return inHome('Library', 'Caches')
    case 'win32':
      return env['LOCALAPPDATA'] || inHome('AppData', 'Local')
    default: {
      const named = env['XDG_CACHE_HOME']
      // Relative paths are ignored (XDG Base Directory Specification, "Basics").
      return named !== undefined && isAbsolute(named) ? named : inHome('.cache')
    }
  }
}
