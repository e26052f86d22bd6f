import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from '../children.ts'
import { amount } from '../effort.ts'
import { userToken } from '../fixtures.ts'
import { drive, type Load } from '../load.ts'
import { same } from '../requests.ts'
import type { Result, Row } from '../row.ts'
import { exchangeRequest, withProgram, withSandbox } from '../sandbox.ts'
import { bareGet, barePost } from '../works.ts'

/** Numbers of items after which memory is measured, with the goals. */
type Points = readonly { items: number; atMost: number }[]

const requests: Points = [
  { items: 0, atMost: 1.2 },
  { items: 200_000, atMost: 1.5 },
  { items: 400_000, atMost: 1.5 },
]
/** The bare program keeps a string and a form for each token. */
const tokens: Points = [{ items: 50_000, atMost: 1.7 }]
/** Time for work that the start left in the background. */
const restMs = 1000

/** Resident memory of the process after start, after many requests, and with many tokens. */
export const memoryRow: Row = {
  name: 'memory',
  async measure() {
    const headers = [`Authorization: Bearer ${userToken}`]
    const whoami = same({ path: '/api/whoami-v2', headers })
    const exchange = same(exchangeRequest('read-repos'))
    return [
      ...(await measureBoth('requests', requests, { ours: whoami, baseline: bareGet })),
      ...(await measureBoth('issued tokens', tokens, { ours: exchange, baseline: barePost })),
    ]
  },
}

async function measureBoth(
  things: string,
  points: Points,
  loads: { ours: Load; baseline: Load },
): Promise<Result[]> {
  const ours = await withSandbox((sandbox) => measure(sandbox, points, loads.ours))
  const bare = await withProgram('bare-fastify', {}, (program) =>
    measure(program, points, loads.baseline),
  )
  return points.map(({ items, atMost }, index): Result => {
    const [resident = 0, baseline = 0] = [ours[index], bare[index]]
    return {
      what:
        items === 0 ? 'memory after start' : `memory after ${items.toLocaleString('en')} ${things}`,
      ours: megabytes(resident),
      baseline: megabytes(baseline),
      ratio: resident / baseline,
      goal: { atMost },
    }
  })
}

/** @returns resident bytes at each of the points */
async function measure(program: Child, points: Points, load: Load): Promise<number[]> {
  const resident: number[] = []
  let sent = 0
  for (const { items } of points) {
    const missing = Math.max(1, amount(items) - sent)
    await drive(program.url, load, missing)
    sent += missing
    if (items === 0) await sleep(restMs)
    resident.push((await program.usage()).residentBytes)
  }
  return resident
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`
}
