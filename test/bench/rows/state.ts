import { randomBytes } from 'node:crypto'
import { cp, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { definitions, stateFormatVersion } from '../../../server/state/state.ts'
import { openStore } from '../../../server/state/store.ts'
import { type Child, commandLine } from '../children.ts'
import { rounds } from '../effort.ts'
import { firstAnswer } from '../first-answer.ts'
import { compare, drive } from '../load.ts'
import type { Result, Row } from '../row.ts'
import { exchangeRequest, startSandbox, withFolder } from '../sandbox.ts'
import { median, noise } from '../statistics.ts'

const many = 100_000
const some = 10_000
const few = 1000
/** In which a sandbox has to answer again, however much it has stored. */
const restartMs = 2000
const exchange = {
  scenario: 'same',
  input: { request: exchangeRequest('read-repos') },
}

/** What much state costs. */
export const stateRows: Row[] = [
  { name: 'stored', measure: () => withFolder(measureWrites) },
  { name: 'restart', measure: () => withFolder(measureRestart) },
  { name: 'snapshot', measure: () => withFolder(measureStall) },
]

async function measureWrites(folder: string): Promise<Result[]> {
  return [
    await measureWritesAt(join(folder, 'some-'), some),
    await measureWritesAt(join(folder, 'many-'), many),
  ]
}

async function measureWritesAt(prefix: string, tokens: number): Promise<Result> {
  const full = await startWith(`${prefix}full`, tokens)
  const small = await startWith(`${prefix}small`, few)
  try {
    // Every write stores a token more: short rounds, or the small one would not stay small.
    const { ours, baseline, ratio, noise, cpuRatio, cpu, baselineNoise } = await compare(
      { server: full, load: exchange },
      { server: small, load: exchange },
      { items: 250, warmUpItems: 500, rounds: 21 },
    )
    return {
      what: `a write with ${tokens.toLocaleString('en')} tokens stored`,
      ours: microseconds(ours),
      baseline: microseconds(baseline),
      ratio: 1 / ratio,
      noise,
      goal: { atMost: 1.1 },
      cpuRatio: 1 / cpuRatio,
      cpu,
      baselineNoise,
    }
  } finally {
    await full.stop()
    await small.stop()
  }
}

/** From starting the process to the end of its first answer, each time as if it had been killed. */
async function measureRestart(folder: string): Promise<Result[]> {
  const results: Result[] = []
  for (const tokens of [few, some, many]) {
    const data = join(folder, String(tokens))
    const store = await openFilled(data, tokens)
    await store.close()
    const command = commandLine(['--data', data, '--fixtures', `${data}-fixtures.json`])
    const start = () =>
      firstAnswer(command, '/.well-known/openid-configuration', { signal: 'SIGKILL' })
    await start()
    const took: number[] = []
    for (let round = 0; round < rounds(5); round++) took.push(await start())
    results.push({
      what: `restart with ${tokens.toLocaleString('en')} tokens stored, against 2 s`,
      ours: `${Math.round(median(took))} ms`,
      baseline: `${restartMs} ms`,
      ratio: median(took) / restartMs,
      noise: noise(took),
      goal: { atMost: 1 },
    })
  }
  return results
}

/** Against the time that the same records take as one `JSON.stringify`, which no other request gets through. */
async function measureStall(folder: string): Promise<Result[]> {
  const stalls: { stall: number; whole: number }[] = []
  const filled = join(folder, 'filled')
  const whole = await fill(filled, many)
  for (let round = 0; round < 3; round++) {
    const data = join(folder, `round-${round}`)
    await cp(filled, data, { recursive: true })
    const server = await startSandbox(data)
    try {
      const before = await snapshotTime(data)
      await drive(
        server.url,
        { scenario: 'same', input: { request: { path: '/oauth/jwks' } } },
        500,
      )
      await server.ask('watchStalls')
      // The journal is nearly as long as the snapshot: a few writes more, and it is renewed.
      do await drive(server.url, exchange, 200)
      while ((await snapshotTime(data)) === before)
      stalls.push({ stall: await server.ask<number>('longestStall'), whole })
    } finally {
      await server.stop()
    }
  }
  const ratios = stalls.map(({ stall, whole }) => stall / whole)
  return [
    {
      what: 'longest stall while the snapshot is renewed',
      ours: `${median(stalls.map(({ stall }) => stall)).toFixed(1)} ms`,
      baseline: `${whole.toFixed(1)} ms`,
      ratio: median(ratios),
      noise: noise(ratios),
      goal: { atMost: 0.25 },
    },
  ]
}

async function startWith(data: string, tokens: number): Promise<Child> {
  const store = await openFilled(data, tokens)
  await store.close()
  return startSandbox(data)
}

/**
 * Makes a data folder with so many tokens in its snapshot, and a journal that is about to outgrow it.
 * @returns milliseconds that turning all these tokens into one text takes
 */
async function fill(data: string, tokens: number): Promise<number> {
  const source = `${data}-source`
  const store = await openFilled(source, tokens)
  await store.renewSnapshot()
  const all = [...store.collections.tokens.values()]
  const almost = store.stats().snapshotBytes - 2 ** 20
  while (store.stats().journalBytes < almost) {
    for (const token of all.slice(0, few)) {
      // Of a record that has not changed, the journal gets nothing.
      store.collections.tokens.delete(token.id)
      store.collections.tokens.put(token)
    }
    await store.committed()
  }
  const started = performance.now()
  JSON.stringify(all)
  const elapsed = performance.now() - started
  // As if it had been killed now: closing it would renew the snapshot.
  await cp(source, data, { recursive: true, filter: (file) => !basename(file).startsWith('lock') })
  await store.close()
  return elapsed
}

/** A folder that a sandbox has used, with copies of its token added. */
async function openFilled(data: string, tokens: number) {
  const server = await startSandbox(data)
  await drive(server.url, exchange, 1)
  await server.stop()

  const store = await openStore(definitions, {
    directory: data,
    formatVersion: stateFormatVersion,
    snapshotAfterBytes: Number.MAX_SAFE_INTEGER,
  })
  const first = store.collections.tokens.last()
  if (first === undefined) throw new Error('the exchange has stored no token')
  for (let count = 0; count < tokens; count++) {
    const id = randomBytes(12).toString('hex')
    store.collections.tokens.put({
      ...first,
      id,
      token: `${first.token.slice(0, -id.length)}${id}`,
    })
    if (count % few === 0) await store.committed()
  }
  await store.committed()
  return store
}

async function snapshotTime(data: string): Promise<number> {
  await sleep(20)
  const file = await stat(join(data, 'state.json')).catch(() => undefined)
  return file?.mtimeMs ?? 0
}

function microseconds(perSecond: number): string {
  return `${Math.round(1e6 / perSecond)} µs`
}
