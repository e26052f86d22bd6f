import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from '../children.ts'
import { amount } from '../effort.ts'
import { userToken } from '../fixtures.ts'
import { drive } from '../load.ts'
import { same } from '../requests.ts'
import type { Result, Row } from '../row.ts'
import { type FixedRequest, withProgram, withSandbox } from '../sandbox.ts'

/** Numbers of requests after which memory is measured, with the goals. */
const points = [
  { requests: 0, atMost: 1.2 },
  { requests: 200_000, atMost: 1.5 },
  { requests: 400_000, atMost: 1.5 },
]
/** Time for work that the start left in the background. */
const restMs = 1000

/** Resident memory of the process after start and after many requests. */
export const memoryRow: Row = {
  name: 'memory',
  async measure() {
    const whoami = { path: '/api/whoami-v2', headers: [`Authorization: Bearer ${userToken}`] }
    const ours = await withSandbox((sandbox) => measure(sandbox, whoami))
    const bare = await withProgram('bare-fastify', {}, (program) =>
      measure(program, { path: '/json' }),
    )
    return points.map(({ requests, atMost }, index): Result => {
      const [resident = 0, baseline = 0] = [ours[index], bare[index]]
      return {
        what:
          requests === 0
            ? 'memory after start'
            : `memory after ${requests.toLocaleString('en')} requests`,
        ours: megabytes(resident),
        baseline: megabytes(baseline),
        ratio: resident / baseline,
        goal: { atMost },
      }
    })
  },
}

/** @returns resident bytes at each of the points */
async function measure(program: Child, request: FixedRequest): Promise<number[]> {
  const resident: number[] = []
  let sent = 0
  for (const { requests } of points) {
    const items = Math.max(1, amount(requests) - sent)
    await drive(program.url, same(request), items)
    sent += items
    if (requests === 0) await sleep(restMs)
    resident.push((await program.usage()).residentBytes)
  }
  return resident
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`
}
