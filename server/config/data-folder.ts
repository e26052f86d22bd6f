import { homedir, userInfo } from 'node:os'
import { isAbsolute, join, sep } from 'node:path'

export interface Platform {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  home: string
}

const here = (): Platform => ({ platform: process.platform, env: process.env, home: homeFolder() })

/** Never below the folder that this is called in: an empty or relative HOME is none, and the system knows another. */
function homeFolder(): string {
  try {
    const home = homedir()
    return isAbsolute(home) ? home : userInfo().homedir
  } catch {
    // A container may run as a user whom its system does not know.
    return sep
  }
}

/** The folder of the user's sandbox, where each system keeps such things. */
export function userDataFolder({ platform, env, home }: Platform = here()): string {
  switch (platform) {
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'hub-sandbox')
    case 'win32':
      return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'hub-sandbox')
    default: {
      const named = env['XDG_DATA_HOME']
      // A relative one is to be ignored (XDG Base Directory Specification, "Basics").
      const isNamed = named !== undefined && isAbsolute(named)
      return join(isNamed ? named : join(home, '.local', 'share'), 'hub-sandbox')
    }
  }
}
