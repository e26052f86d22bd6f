import { existsSync } from 'node:fs'
import type { ResolvedOptions } from '../config/options.ts'
import { isLoopbackHost } from '../core/loopback.ts'

/** What Docker and Podman put into each container. */
const markers = ['/.dockerenv', '/run/.containerenv']

export function isInContainer(): boolean {
  return markers.some((path) => existsSync(path))
}

/**
 * What a start in a container lacks for anybody outside to reach it.
 * @returns one sentence; `undefined` where it listens beyond the loopback of the container
 */
export function containerNotice({ hosts }: Pick<ResolvedOptions, 'hosts'>): string | undefined {
  if (!hosts.every(isLoopbackHost)) return undefined
  return 'This is a container, and nobody outside reaches a sandbox that listens on its loopback alone: start it with --host 0.0.0.0, with --base-url where browsers open another address than http://localhost:PORT, and with --back-channel-url where apps do.'
}
