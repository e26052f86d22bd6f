import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Dashboards } from './dashboards.ts'
import { soakFixtures } from './fixtures.ts'
import { startReceivers } from './receivers.ts'
import { Client } from './traffic/client.ts'
import { type Tally, Traffic } from './traffic/traffic.ts'
import {
  judgeCurve,
  judgeQuiet,
  type Point,
  type Quiet,
  showBytes,
  type Verdict,
} from './verdicts.ts'
import { type Inside, WatchedSandbox } from './watched-sandbox.ts'

export interface SoakOptions {
  minutes: number
  /** Requests per second. */
  rate: number
  seed: number
  /** Modules loaded into the sandbox first, as URLs. */
  preloads?: readonly string[]
  /** The folder for heap snapshots of before and after, made if need be; none are written without it. */
  heapSnapshots?: string
  onSample?: (sample: Sample) => void
}

export interface Sample extends Inside {
  atMs: number
  /** Bytes of the data folder. */
  diskBytes: number
  sent: number
}

export interface SoakReport {
  samples: Sample[]
  liveHeap: Point[]
  before: Quiet
  after: Quiet
  tallies: ReadonlyMap<string, Tally>
  sent: number
  received: number
  messages: number
  verdicts: Verdict[]
}

/** In shares of the run, which begins when the warm-up is over. */
const warmUp = 0.1
const betweenResets = 0.05
const betweenRenewals = 0.05
const betweenClockMoves = 1 / 120
const betweenCollections = 1 / 60
const dashboardCount = 10
/** The event loop may be held for so long in one sample of a hundred, on a machine that does other things, too. */
const longestDelayMs = 100
const sampleMs = 2000

/** Uses a sandbox as many would, for long, and judges whether it stays as it was. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  if (options.heapSnapshots !== undefined) await mkdir(options.heapSnapshots, { recursive: true })
  const directory = await mkdtemp(join(tmpdir(), 'hub-sandbox-soak-'))
  const receivers = await startReceivers()
  try {
    const fixtures = soakFixtures(receivers)
    const { preloads = [] } = options
    const sandbox = await WatchedSandbox.start({ directory, fixtures, preloads })
    try {
      const client = new Client(sandbox.url, receivers, options.rate, seededRandom(options.seed))
      const report = await run(options, sandbox, client)
      const exitCode = await sandbox.stop()
      report.verdicts.push({
        what: 'it ends when it is told to',
        isGood: exitCode === 0,
        why: `exit code ${exitCode ?? 'of a killed process'}`,
      })
      return report
    } finally {
      await sandbox.stop()
    }
  } finally {
    await receivers.close()
    await rm(directory, { recursive: true, force: true })
  }
}

async function run(
  options: SoakOptions,
  sandbox: WatchedSandbox,
  client: Client,
): Promise<SoakReport> {
  const runMs = options.minutes * 60_000
  const traffic = new Traffic(client)
  const dashboards = new Dashboards(client)
  const samples: Sample[] = []
  const liveHeap: Point[] = []

  const settled = async (): Promise<Quiet> => {
    dashboards.close()
    await traffic.stop()
    await client.control('DELETE', 'faults')
    await client.control('POST', 'reset')
    const inside = await untilQuiet(sandbox)
    return { ...inside, liveHeapBytes: await sandbox.liveHeapBytes() }
  }
  const keepHeap = async (name: string) => {
    const { heapSnapshots: folder } = options
    if (folder !== undefined) await sandbox.writeHeapSnapshot(join(folder, `${name}.heapsnapshot`))
  }
  const go = () => {
    dashboards.open(dashboardCount)
    traffic.start()
  }

  go()
  await sleep(runMs * warmUp)
  const before = await settled()
  await keepHeap('before')
  await sandbox.look()

  const startedAt = performance.now()
  const now = () => performance.now() - startedAt
  go()
  const timeline: { everyMs: number; dueAt: number; act: () => Promise<unknown> }[] = [
    {
      everyMs: sampleMs,
      dueAt: now(),
      async act() {
        const inside = await sandbox.look()
        const diskBytes = await sizeOf(sandbox.data)
        const sample = { ...inside, atMs: now(), diskBytes, sent: client.sent }
        samples.push(sample)
        options.onSample?.(sample)
      },
    },
    {
      everyMs: Math.max(sampleMs, runMs * betweenCollections),
      dueAt: now(),
      act: async () => liveHeap.push({ value: await sandbox.liveHeapBytes(), atMs: now() }),
    },
    // A day for every clock move: what expires, and what is forgotten a week later, comes to pass.
    {
      everyMs: Math.max(5000, runMs * betweenClockMoves),
      dueAt: now(),
      act: () => client.control('POST', 'clock', { advance: '1d' }),
    },
    // What waits for receivers that are too slow for it grows until the sandbox takes no more, which is no leak.
    {
      everyMs: Math.max(5000, runMs * betweenRenewals),
      dueAt: now(),
      act: () => renewWebhooks(client),
    },
    {
      everyMs: Math.max(10_000, runMs * betweenResets),
      dueAt: now(),
      // None in the second half, where it is judged whether what is used for long grows.
      act: async () => now() < runMs / 2 && client.control('POST', 'reset'),
    },
  ]
  while (now() < runMs) {
    for (const entry of timeline) {
      if (now() < entry.dueAt) continue
      entry.dueAt = now() + entry.everyMs
      await entry.act()
    }
    await sleep(50)
  }
  const { sent } = client
  const after = await settled()
  await keepHeap('after')

  const half = runMs / 2
  const lateSamples = samples.filter(({ atMs }) => atMs > half)
  const delays = lateSamples.map(({ delayP99Ms }) => delayP99Ms).toSorted((a, b) => a - b)
  const usualDelayMs = delays[Math.floor(delays.length / 2)] ?? 0
  const curve = (pick: (sample: Sample) => number) =>
    lateSamples.map((sample) => ({ atMs: sample.atMs, value: pick(sample) }))
  const neverDone = [...traffic.tallies].filter(([, { done }]) => done === 0)
  const verdicts: Verdict[] = [
    judgeCurve(
      'the live heap',
      liveHeap.filter(({ atMs }) => atMs > half),
      0.05,
      showBytes,
    ),
    judgeCurve(
      'resident memory',
      curve(({ residentBytes }) => residentBytes),
      0.1,
      showBytes,
    ),
    judgeCurve(
      'the data folder',
      curve(({ diskBytes }) => diskBytes),
      0.5,
      showBytes,
    ),
    judgeCurve(
      'the number of open files',
      curve(({ openFiles }) => openFiles),
      0.3,
      String,
    ),
    ...judgeQuiet(before, after),
    {
      what: 'the event loop is free',
      isGood: usualDelayMs <= longestDelayMs,
      why: `p99 ${usualDelayMs.toFixed(1)} ms in the usual sample`,
    },
    {
      what: 'no request made it fail',
      isGood: client.serverErrors.length === 0 && sandbox.complaints === '',
      why:
        [...client.serverErrors.slice(0, 3), sandbox.complaints.slice(0, 1000)].join('\n') ||
        'none',
    },
    {
      what: 'everything was really done',
      isGood: neverDone.length === 0,
      why:
        neverDone.map(([name, { failure }]) => `${name}: ${failure}`).join('; ') ||
        `${sent} requests`,
    },
  ]
  const { tallies } = traffic
  const received = client.receivers.received()
  const { messages } = dashboards
  return { samples, liveHeap, before, after, tallies, sent, received, messages, verdicts }
}

/** Makes the webhooks of receivers that cannot keep up anew, as a developer does to be rid of what waits for them. */
async function renewWebhooks(client: Client): Promise<void> {
  const { slow, failing, hanging } = client.receivers.urls
  const renewed = [slow, failing, hanging]
  const { items } = await client.control<{ items: { id: string; target: string }[] }>(
    'GET',
    'webhooks',
  )
  for (const { id, target } of items) {
    if (!renewed.includes(target)) continue
    // One of a short life may be gone meanwhile.
    await client.control('DELETE', `webhooks/${id}`).catch(() => {})
  }
  const watched = [{ type: 'org', name: 'acme' }]
  for (const url of renewed)
    await client.control('POST', 'webhooks', { user: 'alice', url, watched })
}

/** Connections linger, deliveries are given up: waits until nothing has changed for some time. */
async function untilQuiet(sandbox: WatchedSandbox): Promise<Inside> {
  const neededLooks = 16
  const mostLooks = 120
  let last = await sandbox.look()
  for (let looks = 0, same = 0; same < neededLooks && looks < mostLooks; looks++) {
    await sleep(500)
    const next = await sandbox.look()
    const isSame = JSON.stringify(next.resources) === JSON.stringify(last.resources)
    same = isSame && next.openFiles === last.openFiles ? same + 1 : 0
    last = next
  }
  return last
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  for (const name of await readdir(folder, { recursive: true })) {
    // A segment may be gone since it was listed.
    const file = await stat(join(folder, name)).catch(() => undefined)
    if (file?.isFile()) bytes += file.size
  }
  return bytes
}

/** Mulberry32: the same choices for the same seed. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
