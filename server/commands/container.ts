import { existsSync } from 'node:fs'
import type { ResolvedOptions } from '../config/options.ts'
import { isLoopbackHost } from '../core/loopback.ts'

/** What Docker and Podman put into each container. */
const markers = ['/.dockerenv', '/run/.containerenv']

/** Whether a container is there for this program alone: where somebody works in one, its loopback is what they mean. */
export function isMainOfContainer(): boolean {
  const isFirst = process.pid === 1 || process.ppid === 1
  return isFirst && markers.some((path) => existsSync(path))
}

/**
 * What a start in a container lacks for anybody outside to reach it.
 * @returns one sentence; `undefined` where it listens beyond the loopback of the container
 */
export function containerNotice({ hosts }: Pick<ResolvedOptions, 'hosts'>): string | undefined {
  if (!hosts.every(isLoopbackHost)) return undefined
  return 'This is a container, and nobody outside reaches a sandbox that listens on its loopback alone: start it with --host 0.0.0.0, with --base-url where browsers open another address than http://localhost:PORT, and with --back-channel-url where apps do.'
}
