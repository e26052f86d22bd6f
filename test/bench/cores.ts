import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { loadGenerator } from './load.ts'
import type { Child } from './children.ts'

/**
 * Why servers cannot be held to one core while what drives them has another.
 * @returns undefined where they can
 */
export function obstacleToPinning(): string | undefined {
  if (availableParallelism() < 2) return 'the machine has one core, which everything shares anyway'
  if (process.platform !== 'linux')
    return `taskset is a program of Linux, this is ${process.platform}`
  if (spawnSync('taskset', ['--version']).status !== 0) return 'there is no taskset on PATH'
  return undefined
}

/** Runs `act` while the servers share one core, and the load generator has the others. */
export async function onOneCore<T>(servers: readonly Child[], act: () => Promise<T>): Promise<T> {
  const cores = availableParallelism()
  const driver = await loadGenerator()
  for (const server of servers) pin(server, '0')
  pin(driver, `1-${cores - 1}`)
  try {
    return await act()
  } finally {
    for (const child of [...servers, driver]) pin(child, `0-${cores - 1}`)
  }
}

/** All threads of a process that runs. */
function pin({ pid }: Child, cores: string): void {
  const { status, stderr } = spawnSync('taskset', ['-acp', cores, String(pid)], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`taskset: ${stderr}`)
}
