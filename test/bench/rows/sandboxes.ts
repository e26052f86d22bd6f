import type { Child } from '../children.ts'
import { rounds as roundsOf } from '../effort.ts'
import { type Pair, timeResult } from '../pairs.ts'
import type { Row } from '../row.ts'
import { withProgram } from '../sandbox.ts'

const rounds = roundsOf(11)

/** The goal is 30 ms; the bare app takes 19 ms on an idle machine. */
const goal = { atMost: 1.6 }

/**
 * CPU time of another sandbox in a process, beside a bare Fastify app of 50 routes there. Each round is a process of its
 * own: the second sandbox counts, whose code is not yet compiled for speed.
 */
export const sandboxesRow: Row = {
  name: 'sandboxes',
  async measure() {
    const second: Pair[] = []
    const forks: Pair[] = []
    for (let round = 0; round < rounds; round++) {
      const { sandbox, bare, fork } = await withProgram('sandboxes', {}, measureOne)
      second.push({ ours: sandbox, baseline: bare })
      forks.push({ ours: fork, baseline: bare })
    }
    return [
      timeResult('second sandbox in one process', second, goal),
      timeResult('fork', forks, goal),
    ]
  },
}

async function measureOne(program: Child): Promise<Record<'sandbox' | 'bare' | 'fork', number>> {
  const costOf = (kind: string) => program.ask<number>('costOf', kind)
  const sandbox = await costOf('sandbox')
  const bare = await costOf('bare')
  await program.ask('makeKey')
  return { sandbox, bare, fork: await costOf('fork') }
}
