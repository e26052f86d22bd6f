import { freePort } from '../../helpers/free-port.ts'
import type { Child } from '../children.ts'
import { rounds } from '../effort.ts'
import { type Pair, timeResult } from '../pairs.ts'
import { installPeer, type Peer, peers } from '../peers.ts'
import type { Result, Row } from '../row.ts'
import { withProgram } from '../sandbox.ts'
import { median } from '../statistics.ts'

/** Number of tests that the program runs. */
const tests = 50

/** Time of a test out of 50 in a program that has started. Each run is a process of its own, as a test file is. */
export const testSuiteRow: Row = {
  name: 'test-of-50',
  async measure() {
    const results: Result[] = []
    for (const peer of peers) {
      if (peer.hasSuite !== undefined) results.push(await measureBeside(peer))
    }
    return results
  },
}

/** Cost of one test. */
interface Cost {
  ms: number
  /** Of all threads, including the one that generates a key. */
  cpuUs: number
}

async function measureRun(program: Child): Promise<Cost> {
  const before = await program.usage()
  const ms = await program.ask<number>('run')
  const { cpuMs } = await program.usage()
  return { ms, cpuUs: ((cpuMs - before.cpuMs) * 1000) / tests }
}

async function measureBeside(peer: Peer): Promise<Result> {
  const modules = await installPeer(peer)
  const { name, delivers } = peer
  const run = async (of: string) =>
    withProgram('test-suite', { of, modules, delivers, port: await freePort() }, measureRun)
  const times: Pair[] = []
  const cpu: Pair[] = []
  for (let round = 0; round < rounds(7); round++) {
    const [ours, theirs] = [await run('hub-sandbox'), await run(name)]
    times.push({ ours: ours.ms, baseline: theirs.ms })
    cpu.push({ ours: ours.cpuUs, baseline: theirs.cpuUs })
  }
  const what = delivers ? 'reset, sign-in, API call, delivery' : 'reset, sign-in, userinfo'
  const { baselineNoise: _, ...result } = timeResult(
    `a test of 50 (${what}), beside ${name}`,
    times,
    { atMost: 1.2 },
  )
  return {
    ...result,
    cpuRatio: median(cpu.map(({ ours, baseline }) => ours / baseline)),
    cpu: {
      ours: median(cpu.map(({ ours }) => ours)),
      baseline: median(cpu.map(({ baseline }) => baseline)),
    },
  }
}
