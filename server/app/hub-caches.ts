import { homedir } from 'node:os'
import { join } from 'node:path'
import { userCaches } from '../core/user-caches.ts'

/**
 * Variables that give clients of the Hub a separate cache. With a cache shared with the real Hub, `HF_HUB_OFFLINE=1` would
 * later return files of the sandbox.
 * @param folder absolute path
 */
export function hubCacheVariables(folder: string): Record<string, string> {
  const hub = join(folder, 'hub')
  return {
    HF_HUB_CACHE: hub,
    // Name of the variable before huggingface_hub 0.21.
    HUGGINGFACE_HUB_CACHE: hub,
    HF_ASSETS_CACHE: join(folder, 'assets'),
    // Cache of the library `datasets`.
    HF_DATASETS_CACHE: join(folder, 'datasets'),
  }
}

/**
 * Folder of the user for cached files of the sandbox at a URL, one for each port.
 * @returns `undefined` without a home folder
 */
export function hubCacheFolder(url: string): string | undefined {
  const { port, protocol } = new URL(url)
  return ownCache('huggingface', port || (protocol === 'https:' ? '443' : '80'))
}

/** Folder of the user for contents that a pull has fetched; `undefined` without a home folder. */
export function pullCacheFolder(): string | undefined {
  return ownCache('pull')
}

function ownCache(...path: string[]): string | undefined {
  const { platform, env } = process
  const base = userCaches({ platform, env, home: homedir() || undefined })
  if (base === undefined) return undefined
  return join(base, platform === 'win32' ? 'hub-sandbox-cache' : 'hub-sandbox', ...path)
}
