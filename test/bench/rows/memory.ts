import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from '../children.ts'
import { amount, rounds as roundsOf } from '../effort.ts'
import { userToken } from '../fixtures.ts'
import { drive } from '../load.ts'
import type { Goal, Result, Row } from '../row.ts'
import { withProgram, withSandbox } from '../sandbox.ts'
import { median, noise } from '../statistics.ts'

const rounds = roundsOf(1)
const requests = amount(100_000)
/** Lets what the start left behind settle. */
const restMs = 1000

interface Memory {
  afterStart: number
  afterRequests: number
  afterTwice: number
}

/** Resident memory of the whole process. */
export const memoryRow: Row = {
  name: 'memory',
  async measure() {
    const pairs: { ours: Memory; bare: Memory }[] = []
    for (let round = 0; round < rounds; round++) {
      const ours = await withSandbox((sandbox) =>
        memoryOf(sandbox, {
          path: '/api/whoami-v2',
          headers: [`Authorization: Bearer ${userToken}`],
        }),
      )
      const bare = await withProgram('bare-fastify', {}, (program) =>
        memoryOf(program, { path: '/json' }),
      )
      pairs.push({ ours, bare })
    }
    const result = (what: string, of: keyof Memory, goal: Goal): Result => {
      const ratios = pairs.map(({ ours, bare }) => ours[of] / bare[of])
      return {
        what,
        ours: megabytes(median(pairs.map(({ ours }) => ours[of]))),
        baseline: megabytes(median(pairs.map(({ bare }) => bare[of]))),
        ratio: median(ratios),
        noise: noise(ratios),
        goal,
      }
    }
    return [
      result('memory after start', 'afterStart', { atMost: 1.2 }),
      result('memory after 100,000 requests', 'afterRequests', { atMost: 1.5 }),
      result('memory after 200,000 requests', 'afterTwice', { atMost: 1.5 }),
    ]
  },
}

async function memoryOf(program: Child, request: object): Promise<Memory> {
  const load = { scenario: 'same', input: { request } }
  await drive(program.url, load, 1)
  await sleep(restMs)
  const afterStart = await program.usage()
  await drive(program.url, load, requests)
  const afterRequests = await program.usage()
  await drive(program.url, load, requests)
  const afterTwice = await program.usage()
  return {
    afterStart: afterStart.residentBytes,
    afterRequests: afterRequests.residentBytes,
    afterTwice: afterTwice.residentBytes,
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`
}
