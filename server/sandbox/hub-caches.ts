import { homedir } from 'node:os'
import { join } from 'node:path'
import { userCaches } from '../core/user-caches.ts'

/**
 * Variables that give the Hub's clients a cache for the sandbox's files. In the cache that they share with the real Hub,
 * `HF_HUB_OFFLINE=1` would serve the files of the sandbox later.
 * @param folder absolute
 */
export function hubCacheVariables(folder: string): Record<string, string> {
  const hub = join(folder, 'hub')
  return {
    HF_HUB_CACHE: hub,
    // Its name before huggingface_hub 0.21.
    HUGGINGFACE_HUB_CACHE: hub,
    HF_ASSETS_CACHE: join(folder, 'assets'),
    // What the library `datasets` makes of the files.
    HF_DATASETS_CACHE: join(folder, 'datasets'),
  }
}

/**
 * Folder for the cached files of the sandbox at a URL: of the user's, one for each port.
 * @returns `undefined` without a home folder
 */
export function hubCacheFolder(url: string): string | undefined {
  const { platform, env } = process
  const base = userCaches({ platform, env, home: homedir() || undefined })
  if (base === undefined) return undefined
  const { port, protocol } = new URL(url)
  const own = platform === 'win32' ? 'hub-sandbox-cache' : 'hub-sandbox'
  return join(base, own, 'huggingface', port || (protocol === 'https:' ? '443' : '80'))
}
