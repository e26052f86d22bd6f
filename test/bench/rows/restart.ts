import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { definitions, stateFormatVersion } from '../../../server/store/state.ts'
import { openStore } from '../../../server/store/store.ts'
import { commandLine } from '../children.ts'
import { amount, rounds } from '../effort.ts'
import { firstResponse } from '../first-response.ts'
import { compare, drive } from '../load.ts'
import { same } from '../requests.ts'
import type { Result, Row } from '../row.ts'
import { exchangeRequest, startSandbox, whileRunning, withFolder } from '../sandbox.ts'
import { median, noise } from '../statistics.ts'

const many = 100_000
const few = 1000
const restartMs = 2000
const exchange = same(exchangeRequest('read-repos'))

/** Cost of much stored state: of a restart, and of a write. */
export const restartRow: Row = {
  name: 'restart',
  measure: () =>
    withFolder(async (folder) => {
      const [full, small] = [join(folder, 'full'), join(folder, 'small')]
      await fill(full, amount(many))
      await fill(small, amount(few))
      return [await measureRestart(full), await measureWrites(full, small)]
    }),
}

/** Measures the time from starting the process to the end of its first response, after the last one was killed. */
async function measureRestart(data: string): Promise<Result> {
  const command = commandLine(['--data', data, '--fixtures', `${data}-fixtures.json`])
  const start = () =>
    firstResponse(command, '/.well-known/openid-configuration', { signal: 'SIGKILL' })
  await start()
  const took: number[] = []
  for (let round = 0; round < rounds(5); round++) took.push(await start())
  return {
    what: 'restart with 100,000 tokens stored, against 2 s',
    ours: `${Math.round(median(took))} ms`,
    baseline: `${restartMs} ms`,
    ratio: median(took) / restartMs,
    noise: noise(took),
    goal: { atMost: 1 },
  }
}

async function measureWrites(full: string, small: string): Promise<Result> {
  return whileRunning(await startSandbox(full), async (ours) =>
    whileRunning(await startSandbox(small), async (baseline) => {
      // Each write stores another token: more of them would fill the small folder.
      const comparison = await compare(
        { server: ours, load: exchange },
        { server: baseline, load: exchange },
        { items: 250, warmUpItems: 500, rounds: rounds(21) },
      )
      return {
        what: 'a write with 100,000 tokens stored, against 1,000',
        ours: microseconds(comparison.ours),
        baseline: microseconds(comparison.baseline),
        ratio: 1 / comparison.ratio,
        noise: comparison.noise,
        cpuRatio: 1 / comparison.cpuRatio,
        cpu: comparison.cpu,
        baselineNoise: comparison.baselineNoise,
        goal: { atMost: 1.1 },
      }
    }),
  )
}

/** Creates the data folder of a used sandbox, and copies its token. */
async function fill(data: string, tokens: number): Promise<void> {
  await whileRunning(await startSandbox(data), (sandbox) => drive(sandbox.url, exchange, 1))
  const store = await openStore(definitions, {
    directory: data,
    formatVersion: stateFormatVersion,
    snapshotAfterBytes: Number.MAX_SAFE_INTEGER,
  })
  const first = store.collections.tokens.last()
  if (first === undefined) throw new Error('the exchange has stored no token')
  for (let count = 0; count < tokens; count++) {
    const id = randomBytes(12).toString('hex')
    const token = `${first.token.slice(0, -id.length)}${id}`
    store.collections.tokens.put({ ...first, id, token })
    if (count % 1000 === 0) await store.committed()
  }
  await store.close()
}

function microseconds(perSecond: number): string {
  return `${Math.round(1e6 / perSecond)} µs`
}
