import type { Child } from '../children.ts'
import { rounds } from '../effort.ts'
import { userToken } from '../fixtures.ts'
import { compare } from '../load.ts'
import { openReaders } from '../readers.ts'
import type { Result, Row } from '../row.ts'
import { withSandbox } from '../sandbox.ts'
import { same } from './baselines.ts'

const whoami = same({
  path: '/api/whoami-v2',
  headers: [`Authorization: Bearer ${userToken}`],
})

/** What requests cost more while somebody watches them; the readers run beside, so by CPU time of the sandbox. */
export const readersRow: Row = {
  name: 'readers',
  measure: () =>
    withSandbox((watched) =>
      withSandbox(async (unwatched) => {
        const measure = (what: string, count: number, page?: string) =>
          measureWatched(what, watched, unwatched, count, page)
        return [
          await measure('whoami, no reader of the live feed', 0),
          await measure('whoami, 1 reader of the live feed', 1),
          await measure('whoami, 10 readers of the live feed', 10),
          await measure('whoami, dashboard open', 1, '/_sandbox/api/requests'),
        ]
      }),
    ),
}

async function measureWatched(
  what: string,
  watched: Child,
  unwatched: Child,
  count: number,
  page: string | undefined,
): Promise<Result> {
  const readers = await openReaders(watched, count, page)
  try {
    const { cpuRatio, cpuNoise, cpu, ours, baseline, baselineNoise } = await compare(
      { server: watched, load: whoami },
      { server: unwatched, load: whoami },
      { rounds: rounds(7), warmUpItems: 10_000 },
    )
    if (count > 0 && readers.messages() === 0) throw new Error(`${what}: the feed told nothing`)
    return {
      what,
      ours: `${Math.round(ours)}/s`,
      baseline: `${Math.round(baseline)}/s`,
      ratio: 1 / cpuRatio,
      noise: cpuNoise,
      cpuRatio: 1 / cpuRatio,
      cpu,
      baselineNoise,
    }
  } finally {
    await readers.close()
  }
}
