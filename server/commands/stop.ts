import { setTimeout as sleep } from 'node:timers/promises'
import { readLockIfAllowed } from '../state/lock.ts'
import { CommandError } from './command-error.ts'
import { connect, type Connection, NoSandboxError } from './connect.ts'
import { printJson } from './output.ts'
import type { ControlOptions } from './read-options.ts'

/** A sandbox takes 5 s at most for what is in flight; saving takes some more. */
const patienceMs = 15_000
const pauseMs = 50

/** Has the sandbox end and save its state, and waits until it has. */
export async function stop(options: ControlOptions): Promise<void> {
  const connection = await connect(options)
  const { dataDirectory } = await overviewOf(connection)
  const answer = await connection.call('POST stop')
  const { pid } = answer
  const deadline = performance.now() + patienceMs
  while ((await answers(connection)) || isLocked(dataDirectory, pid)) {
    if (performance.now() > deadline) {
      throw new CommandError(
        `The sandbox at ${connection.url} (process ${pid}) still runs after ${patienceMs / 1000} s.`,
      )
    }
    await sleep(pauseMs)
  }
  if (options.json === true) return printJson(answer)
  process.stderr.write(
    `Stopped the sandbox at ${connection.url} (process ${pid})${dataDirectory === undefined ? '' : `; its state is in ${dataDirectory}`}.\n`,
  )
}

async function overviewOf({ call, url }: Connection) {
  try {
    return await call('GET overview')
  } catch (error) {
    if (!(error instanceof NoSandboxError)) throw error
    throw new CommandError(`No sandbox answers at ${url}: there is nothing to stop.`, {
      cause: error,
    })
  }
}

/** Whether its port is still open, whatever comes out of it. */
async function answers({ request }: Connection): Promise<boolean> {
  try {
    await request({ method: 'GET', path: '/_sandbox/health' })
    return true
  } catch (error) {
    if (error instanceof NoSandboxError) return false
    // A connection that breaks off is the end, or just before it.
    if (error instanceof CommandError) return true
    throw error
  }
}

/**
 * The lock is let go of once the state is saved. In a container its folder is another machine's, and another user's may
 * be closed.
 */
function isLocked(folder: string | undefined, pid: number): boolean {
  return folder !== undefined && readLockIfAllowed(folder)?.pid === pid
}
