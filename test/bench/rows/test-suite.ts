import { freePort } from '../../helpers/free-port.ts'
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

/** A test of 50 in one program that has started already. Each run is in a process of its own, as a file of tests is. */
export const testSuiteRow: Row = {
  name: 'test-of-50',
  async measure() {
    const results: Result[] = []
    for (const suite of suites) results.push(await measureBeside(suite))
    return results
  },
}

async function measureBeside({ name, delivers, what }: (typeof suites)[number]): Promise<Result> {
  const peer = peers.find((each) => each.name === name)
  if (peer === undefined) throw new Error(`there is no peer ${name}`)
  const modules = await installPeer(peer)
  const run = async (of: string) =>
    withProgram('test-suite', { of, modules, delivers, port: await freePort() }, (program) =>
      program.ask<number>('run'),
    )
  const pairs: { ours: number; theirs: number }[] = []
  for (let round = 0; round < rounds(7); round++) {
    pairs.push({ ours: await run('hub-sandbox'), theirs: await run(name) })
  }
  const ratios = pairs.map(({ ours, theirs }) => ours / theirs)
  const inMs = (of: 'ours' | 'theirs') => `${median(pairs.map((pair) => pair[of])).toFixed(1)} ms`
  return {
    what: `a test of 50 (${what}), beside ${name}`,
    ours: inMs('ours'),
    baseline: inMs('theirs'),
    ratio: median(ratios),
    noise: noise(ratios),
    goal: { atMost: 1.2 },
  }
}
