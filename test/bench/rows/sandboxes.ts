import type { Child } from '../children.ts'
import { rounds as roundsOf } from '../effort.ts'
import type { Goal, Result, Row } from '../row.ts'
import { withProgram } from '../sandbox.ts'
import { median, noise } from '../statistics.ts'

/** Each in a process of its own: what counts is the second of a process, whose code is not warm yet. */
const rounds = roundsOf(11)
const forks = 100

interface Round {
  bare: number
  sandbox: number
  used: number
  fork: number
  /** Bytes of each of many forks. */
  memory: number
}

/**
 * CPU time of a further sandbox in a process that has one, beside a bare Fastify app of 50 routes there. That app is the
 * machine's measure: it takes 19 ms where 30 ms are promised.
 */
export const sandboxesRow: Row = {
  name: 'sandboxes',
  async measure() {
    const measured: Round[] = []
    for (let round = 0; round < rounds; round++) {
      measured.push(await withProgram('sandboxes', {}, measureOne))
    }
    const memory = Math.round(median(measured.map((round) => round.memory)) / 1024)
    return [
      resultOf(measured, 'second sandbox in one process', 'sandbox', { atMost: 1.6 }),
      resultOf(measured, 'the same, and its first call', 'used'),
      {
        ...resultOf(measured, 'fork', 'fork', { atMost: 1.6 }),
        details: { [`KiB each of ${forks} forks`]: memory },
      },
    ]
  },
}

/** The order differs from what is told: whoever comes first warms the code of the others. */
async function measureOne(program: Child): Promise<Round> {
  const costOf = (kind: keyof Round) => program.ask<number>('costOf', kind)
  const sandbox = await costOf('sandbox')
  const bare = await costOf('bare')
  const used = await costOf('used')
  await program.ask('makeKey')
  const fork = await costOf('fork')
  const memory = await program.ask<number>('memoryOf', forks)
  return { bare, sandbox, used, fork, memory }
}

function resultOf(measured: readonly Round[], what: string, of: keyof Round, goal?: Goal): Result {
  const ratios = measured.map((round) => round[of] / round.bare)
  const inMs = (name: keyof Round) =>
    `${median(measured.map((round) => round[name])).toFixed(1)} ms`
  return {
    what,
    ours: inMs(of),
    baseline: inMs('bare'),
    ratio: median(ratios),
    noise: noise(ratios),
    ...(goal === undefined ? {} : { goal }),
  }
}
