import { homedir } from 'node:os'
import { join } from 'node:path'

export interface Platform {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  home: string
}

const here = (): Platform => ({ platform: process.platform, env: process.env, home: homedir() })

/** The folder of the user's sandbox, where each system keeps such things. */
export function userDataFolder({ platform, env, home }: Platform = here()): string {
  switch (platform) {
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'hub-sandbox')
    case 'win32':
      return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'hub-sandbox')
    default:
      return join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'hub-sandbox')
  }
}
