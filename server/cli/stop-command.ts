import { setTimeout as sleep } from 'node:timers/promises'
import { readLockIfAllowed } from '../store/lock.ts'
import { CommandError } from './command-error.ts'
import { connect, type Connection, NoSandboxError } from './connect.ts'
import { printJson } from './output.ts'
import type { ControlOptions } from './read-options.ts'

/** The sandbox needs up to 5 s for requests in flight, plus the time to save. */
const patienceMs = 15_000
const pauseMs = 50

/** Stops the sandbox and waits until its state is saved. */
export async function stop(options: ControlOptions): Promise<void> {
  const connection = await connect(options)
  const { dataDirectory } = await overviewOf(connection)
  const answer = await connection.call('POST stop')
  const { pid } = answer
  const deadline = performance.now() + patienceMs
  while ((await answers(connection)) || isLocked(dataDirectory, pid)) {
    if (performance.now() > deadline) {
      throw new CommandError(
        `The sandbox at ${connection.url} (process ${pid}) is still running after ${patienceMs / 1000} s.`,
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
    throw new CommandError(`No sandbox is running at ${url}.`, {
      cause: error,
    })
  }
}

/** Returns whether its port is still open. */
async function answers({ request }: Connection): Promise<boolean> {
  try {
    await request({ method: 'GET', path: '/_sandbox/health' })
    return true
  } catch (error) {
    if (error instanceof NoSandboxError) return false
    // A lost connection means that it has ended or is about to.
    if (error instanceof CommandError) return true
    throw error
  }
}

/**
 * Waits until the lock is released, which happens after saving. The folder of a container is on another machine, and
 * that of another user may be unreadable.
 */
function isLocked(folder: string | undefined, pid: number): boolean {
  return folder !== undefined && readLockIfAllowed(folder)?.pid === pid
}
