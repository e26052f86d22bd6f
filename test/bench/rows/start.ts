import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandLine, readJsonLine } from '../children.ts'
import { rounds } from '../effort.ts'
import { firstResponse, type StartOptions } from '../first-response.ts'
import { inBothOrders, type Pair, timeResult } from '../pairs.ts'
import type { Result, Row } from '../row.ts'
import { withFolder } from '../sandbox.ts'

/** Time after which a sandbox has certainly written its code cache. */
const settledMs = 2_000

/** Time from starting the process to the end of its first response, without npm. */
export const startRow: Row = {
  name: 'start',
  measure: () =>
    withFolder(async (folder) => [
      await measure('start until first response, warm', 1, warm(folder, 'SIGTERM')),
      await measure('start until first response, first ever', 1.6, firstEver(folder)),
      await measure('start until first response, after SIGKILL', 1.05, warm(folder, 'SIGKILL')),
    ]),
}

interface Starts {
  /** Prepares the measurement. */
  before: () => Promise<unknown>
  /** @returns milliseconds */
  start: () => Promise<number>
}

/** Starts in one data folder, each after the end of the previous one. */
function warm(folder: string, signal: NodeJS.Signals): Starts {
  const data = join(folder, signal)
  const start = (options: StartOptions) =>
    startOurs(data, { caches: join(folder, `caches-${signal}`), signal, ...options })
  return { before: () => start({ staysMs: settledMs }), start: () => start({}) }
}

/** Starts of new users, without state and caches. */
function firstEver(folder: string): Starts {
  const start = async () => {
    const own = await mkdtemp(join(folder, 'user-'))
    return startOurs(join(own, 'data'), { caches: join(own, 'caches') })
  }
  // One start loads the program from disk, as one does for the baseline.
  return { before: start, start }
}

const startOurs = (data: string, options: StartOptions) =>
  firstResponse(commandLine(['--data', data]), '/.well-known/openid-configuration', options)

const startBare = () =>
  firstResponse(
    {
      name: 'bare-fastify',
      path: fileURLToPath(new URL('../programs/bare-fastify.mjs', import.meta.url)),
      args: [],
      readUrl: readJsonLine,
    },
    '/json',
  )

async function measure(what: string, atMost: number, { before, start }: Starts): Promise<Result> {
  await before()
  await startBare()
  const pairs: Pair[] = []
  for (let round = 0; round < rounds(15); round++) {
    pairs.push(await inBothOrders(round, { ours: start, baseline: startBare }))
  }
  return timeResult(what, pairs, { atMost })
}
