import { freePort } from '../../helpers/free-port.ts'
import type { Child } from '../children.ts'
import { rounds } from '../effort.ts'
import { installPeer, peers } from '../peers.ts'
import type { Result, Row } from '../row.ts'
import { withProgram } from '../sandbox.ts'
import { median, noise } from '../statistics.ts'

/** Peers that run within a program of tests, and what they support of a test beside a sign-in and a call of the API. */
const suites = [
  { name: 'emulate', delivers: true, what: 'reset, sign-in, API call, delivery' },
  { name: 'oauth2-mock-server', delivers: false, what: 'reset, sign-in, userinfo' },
]

/** As many as the program runs. */
const tests = 50

/** A test of 50 in one program that has started already. Each run is in a process of its own, as a file of tests is. */
export const testSuiteRow: Row = {
  name: 'test-of-50',
  async measure() {
    const results: Result[] = []
    for (const suite of suites) results.push(await measureBeside(suite))
    return results
  },
}

/** Of one test. */
interface Cost {
  ms: number
  /** Of all threads, such as the one that generates a key. */
  cpuUs: number
}

async function measureRun(program: Child): Promise<Cost> {
  const before = await program.usage()
  const ms = await program.ask<number>('run')
  const { cpuMs } = await program.usage()
  return { ms, cpuUs: ((cpuMs - before.cpuMs) * 1000) / tests }
}

async function measureBeside({ name, delivers, what }: (typeof suites)[number]): Promise<Result> {
  const peer = peers.find((each) => each.name === name)
  if (peer === undefined) throw new Error(`there is no peer ${name}`)
  const modules = await installPeer(peer)
  const run = async (of: string) =>
    withProgram('test-suite', { of, modules, delivers, port: await freePort() }, measureRun)
  const pairs: { ours: Cost; theirs: Cost }[] = []
  for (let round = 0; round < rounds(7); round++) {
    pairs.push({ ours: await run('hub-sandbox'), theirs: await run(name) })
  }
  const ratios = pairs.map(({ ours, theirs }) => ours.ms / theirs.ms)
  const inMs = (of: 'ours' | 'theirs') =>
    `${median(pairs.map((pair) => pair[of].ms)).toFixed(1)} ms`
  const cpu = (of: 'ours' | 'theirs') => median(pairs.map((pair) => pair[of].cpuUs))
  return {
    what: `a test of 50 (${what}), beside ${name}`,
    ours: inMs('ours'),
    baseline: inMs('theirs'),
    ratio: median(ratios),
    noise: noise(ratios),
    cpuRatio: median(pairs.map(({ ours, theirs }) => ours.cpuUs / theirs.cpuUs)),
    cpu: { ours: cpu('ours'), baseline: cpu('theirs') },
    goal: { atMost: 1.2 },
  }
}
