import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandLine, readJsonLine } from '../children.ts'
import { firstAnswer, type StartOptions } from '../first-answer.ts'
import type { Result, Row } from '../row.ts'
import { withFolder } from '../sandbox.ts'
import { median, noise } from '../statistics.ts'

const rounds = 15
/** In which a sandbox has long written its code cache. */
const settledMs = 2_000

/** From starting the process to the end of its first answer; npm is not part of it. */
export const startRow: Row = {
  name: 'start',
  measure: () =>
    withFolder(async (folder) => [
      await measure('start until first answer, warm', 1, warm(folder, 'SIGTERM')),
      await measure('start until first answer, first ever', 1.2, firstEver(folder)),
      await measure('start until first answer, after SIGKILL', 1.05, warm(folder, 'SIGKILL')),
    ]),
}

interface Starts {
  /** Not measured. */
  before: () => Promise<unknown>
  /** @returns milliseconds */
  start: () => Promise<number>
}

/** Starts of one data folder, each after the end of the one before. */
function warm(folder: string, signal: NodeJS.Signals): Starts {
  const data = join(folder, signal)
  const start = (options: StartOptions) =>
    startOurs(data, { caches: join(folder, `caches-${signal}`), signal, ...options })
  return { before: () => start({ staysMs: settledMs }), start: () => start({}) }
}

/** Starts of users who have never had one: nothing is there, neither state nor cache. */
function firstEver(folder: string): Starts {
  const start = async () => {
    const own = await mkdtemp(join(folder, 'user-'))
    return startOurs(join(own, 'data'), { caches: join(own, 'caches') })
  }
  // What the disk has to bring is there after it, for the baseline as well.
  return { before: start, start }
}

const startOurs = (data: string, options: StartOptions) =>
  firstAnswer(commandLine(['--data', data]), '/.well-known/openid-configuration', options)

const startBare = () =>
  firstAnswer(
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
  const pairs: { ours: number; bare: number }[] = []
  for (let round = 0; round < rounds; round++) {
    // Who goes first changes, or a machine that slows down would favour one of them.
    const first = round % 2 === 0 ? await start() : await startBare()
    const second = round % 2 === 0 ? await startBare() : await start()
    pairs.push(round % 2 === 0 ? { ours: first, bare: second } : { ours: second, bare: first })
  }
  const ratios = pairs.map(({ ours, bare }) => ours / bare)
  const bare = pairs.map((pair) => pair.bare)
  return {
    what,
    ours: `${Math.round(median(pairs.map(({ ours }) => ours)))} ms`,
    baseline: `${Math.round(median(bare))} ms`,
    ratio: median(ratios),
    noise: noise(ratios),
    baselineNoise: noise(bare),
    goal: { atMost },
  }
}
