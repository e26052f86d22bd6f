import { existsSync } from 'node:fs'
import type { ResolvedOptions } from '../app/config/options.ts'
import { isLoopbackHost } from '../core/loopback.ts'

/** Files that Docker and Podman put into each container. */
const markers = ['/.dockerenv', '/run/.containerenv']

/** Returns whether this is the main process of a container. Inside a development container, loopback is fine. */
export function isMainOfContainer(): boolean {
  const isFirst = process.pid === 1 || process.ppid === 1
  return isFirst && markers.some((path) => existsSync(path))
}

/**
 * Returns a notice if nothing outside the container can reach the sandbox.
 * @returns `undefined` if it listens beyond the loopback of the container
 */
export function containerNotice({ hosts }: Pick<ResolvedOptions, 'hosts'>): string | undefined {
  if (!hosts.every(isLoopbackHost)) return undefined
  return 'The sandbox listens on the loopback of this container, so nothing outside can reach it. Start it with --host 0.0.0.0. Add --base-url if browsers use another URL than http://localhost:PORT, and --back-channel-url if apps do.'
}
