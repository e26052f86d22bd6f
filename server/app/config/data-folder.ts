import { homedir, userInfo } from 'node:os'
import { isAbsolute, join, sep } from 'node:path'

export interface Platform {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  home: string
}

const here = (): Platform => ({ platform: process.platform, env: process.env, home: homeFolder() })

/** Ignores an empty or relative HOME, which would be inside the current folder, and asks the system. */
function homeFolder(): string {
  try {
    const home = homedir()
    return isAbsolute(home) ? home : userInfo().homedir
  } catch {
    // A container may run as an unknown user.
    return sep
  }
}

/** Returns the per-user data folder by the convention of the system. */
export function userDataFolder({ platform, env, home }: Platform = here()): string {
  switch (platform) {
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'hub-sandbox')
    case 'win32':
      return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'hub-sandbox')
    default: {
      const named = env['XDG_DATA_HOME']
      // Relative paths must be ignored (XDG Base Directory Specification, "Basics").
      const isNamed = named !== undefined && isAbsolute(named)
      return join(isNamed ? named : join(home, '.local', 'share'), 'hub-sandbox')
    }
  }
}
