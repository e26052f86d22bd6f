import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandLine } from '../children.ts'
import { amount, rounds } from '../effort.ts'
import { firstAnswer } from '../first-answer.ts'
import { compare, drive, stopLoadGenerator } from '../load.ts'
import { inBothOrders, speedResult, stallResult, watchingStalls } from '../pairs.ts'
import {
  addCommits,
  authorization,
  commitAtOnce,
  createDataset,
  pathsOf,
  type RepoPaths,
  squash,
} from '../repos.ts'
import { answerOf } from '../requests.ts'
import type { Result, Row } from '../row.ts'
import { startSandbox, whileRunning, withFolder, withSandbox } from '../sandbox.ts'
import type { Child } from '../children.ts'
import { median, noise } from '../statistics.ts'
import { inTwo, same } from './baselines.ts'
import { requestRow } from './request-row.ts'

/** In which the disk has what was committed before: it is synced a while later. */
const settledMs = amount(1000)
const kilobyte = Buffer.alloc(1000, 'A line of a file.\n')
const info = { path: pathsOf().api }
const file = `${pathsOf().files}/resolve/main/kilobyte.txt`

/** What reading and writing repos costs, and how that grows with them. */
export const repoRows: readonly Row[] = [
  requestRow({
    name: 'repo-info',
    what: 'repo info',
    load: () => same(info),
    baseline: {
      program: 'bare-fastify',
      options: async (sandbox) => ({ answer: await answerOf(sandbox, info) }),
      load: () => same({ path: '/json' }),
    },
    goal: { atLeast: 0.4 },
  }),
  requestRow({
    name: 'head-resolve',
    what: 'HEAD of a file',
    load: async (sandbox) => {
      await commitAtOnce(sandbox, pathsOf(), [['kilobyte.txt', kilobyte]])
      return inTwo({ method: 'HEAD', path: file })
    },
    baseline: {
      program: 'bare-fastify',
      options: () => ({}),
      load: () => inTwo({ path: '/json' }),
    },
    goal: { atLeast: 0.4 },
  }),
  {
    name: 'download',
    measure: () =>
      withFolder((folder) =>
        requestRow({
          name: 'download',
          what: 'download of 1 KB',
          load: async (sandbox) => {
            await commitAtOnce(sandbox, pathsOf(), [['kilobyte.txt', kilobyte]])
            return inTwo({ path: file })
          },
          baseline: {
            program: 'bare-files',
            options: () => ({ file: join(folder, 'file') }),
            async load({ url }) {
              await fetch(`${url}/file`, { method: 'PUT', body: kilobyte })
              return inTwo({ path: '/file' })
            },
          },
          goal: { atLeast: 0.5 },
        }).measure(),
      ),
  },
  { name: 'commits', measure: () => withSandbox(measureCommits) },
  { name: 'history', measure: () => withSandbox(measureHistory) },
  { name: 'start-commits', measure: () => withFolder(measureStart) },
]

/** Commits a second to repos that have much already, against those to one that is new in each round. */
async function measureCommits(sandbox: Child): Promise<Result[]> {
  const [many, perRound] = [amount(1000), amount(200)]
  const long = await createDataset(sandbox, 'long')
  await addCommits(sandbox, long, { first: 0, count: many })
  const wide = await createDataset(sandbox, 'wide')
  await commitAtOnce(sandbox, wide, filesIn('data', many))
  const taken = { long: [] as Pair[], wide: [] as Pair[] }
  const stalls: number[] = []
  // The first one is there to warm up.
  for (let round = 0; round <= rounds(5); round++) {
    const count = { first: many + round * perRound, count: perRound }
    for (const [name, full] of Object.entries({ long, wide })) {
      const fresh = await createDataset(sandbox, `fresh-${name}-${round}`)
      const commitTo = async (repo: RepoPaths) => {
        await sleep(settledMs)
        return watchingStalls(sandbox, stalls, () => addCommits(sandbox, repo, count))
      }
      const pair = await inBothOrders(round, {
        ours: () => commitTo(full),
        baseline: () => commitTo(fresh),
      })
      if (round > 0) taken[name as keyof typeof taken].push(pair)
    }
  }
  const what = `${perRound} commits`
  return [
    speedResult(`${what}, 1,000 there`, taken.long, { atLeast: 0.9 }),
    speedResult(`${what}, 1,000 files in the folder`, taken.wide, { atLeast: 0.5 }),
    stallResult('commits', stalls),
  ]
}

interface Pair {
  ours: number
  baseline: number
}

/** The newest commits, and a folder with the last commit of each file: of a long history, and of a short one. */
async function measureHistory(sandbox: Child): Promise<Result[]> {
  const long = await historyOf(sandbox, 'long', amount(1000))
  const short = await historyOf(sandbox, 'short', 10)
  const results: Result[] = []
  for (const [what, path] of [
    ['newest 50 commits of 1,000', '/commits/main?limit=50'],
    ['folder with last commits, of 1,000 commits', '/tree/main?expand=true'],
  ] as const) {
    const contender = ({ api }: RepoPaths) => ({
      server: sandbox,
      load: same({ path: api + path, headers: [authorization] }),
    })
    const {
      ours,
      baseline,
      ratio,
      noise: spread,
      cpuRatio,
      cpu,
      baselineNoise,
    } = await compare(contender(long), contender(short), {
      warmUpItems: 50,
      items: 100,
      rounds: rounds(7),
    })
    // One after the other: of many that wait, each would hold up all behind it.
    const stalls: number[] = []
    for (let round = 0; round < rounds(7); round++) {
      await watchingStalls(sandbox, stalls, () => drive(sandbox.url, contender(long).load, 20, 1))
    }
    results.push(
      {
        what,
        ours: `${Math.round(ours)}/s`,
        baseline: `${Math.round(baseline)}/s`,
        ratio,
        noise: spread,
        cpuRatio,
        cpu,
        baselineNoise,
        goal: { atLeast: 0.5 },
      },
      stallResult(`${what}, one reader`, stalls),
    )
  }
  return results
}

/** Ten files in the root, changed again and again. */
async function historyOf(sandbox: Child, name: string, commits: number): Promise<RepoPaths> {
  const repo = await createDataset(sandbox, name)
  await commitAtOnce(sandbox, repo, filesIn('.', 10))
  await addCommits(sandbox, repo, { first: 0, count: commits })
  return repo
}

/** From starting the process to the end of its first answer, with many commits stored and without. */
async function measureStart(folder: string): Promise<Result[]> {
  const [full, empty] = [join(folder, 'full'), join(folder, 'empty')]
  await whileRunning(await startSandbox(full), (sandbox) =>
    addCommits(sandbox, pathsOf(), { first: 0, count: amount(10_000) }),
  )
  await whileRunning(await startSandbox(empty), async () => undefined)
  await stopLoadGenerator()
  const start = (data: string) => () =>
    firstAnswer(
      commandLine(['--data', data, '--fixtures', `${data}-fixtures.json`]),
      '/.well-known/openid-configuration',
    )
  const pairs: Pair[] = []
  // The first one brings the journal of the killed sandbox into a snapshot.
  for (let round = 0; round <= rounds(11); round++) {
    const pair = await inBothOrders(round, { ours: start(full), baseline: start(empty) })
    if (round > 0) pairs.push(pair)
  }
  const ratios = pairs.map(({ ours, baseline }) => ours / baseline)
  const bare = pairs.map(({ baseline }) => baseline)
  return [
    {
      what: 'start with 10,000 commits stored, against none',
      ours: `${Math.round(median(pairs.map(({ ours }) => ours)))} ms`,
      baseline: `${Math.round(median(bare))} ms`,
      ratio: median(ratios),
      noise: noise(ratios),
      baselineNoise: noise(bare),
      goal: { atMost: 1.1 },
    },
    await measureRemoval(full),
  ]
}

/** What a start clears up in the background, as much of it as can be: each commit had three objects. */
async function measureRemoval(data: string): Promise<Result> {
  await whileRunning(await startSandbox(data), (sandbox) => squash(sandbox, pathsOf()))
  const stalls: number[] = []
  await whileRunning(await startSandbox(data), (sandbox) =>
    watchingStalls(sandbox, stalls, async () => {
      while (readdirSync(data, { recursive: true }).length > amount(10_000)) await sleep(500)
    }),
  )
  return stallResult('removing the objects of 10,000 commits', stalls)
}

function* filesIn(folder: string, count: number): Generator<readonly [string, Buffer]> {
  for (let number = 0; number < count; number++) {
    yield [folder === '.' ? `file-${number}` : `${folder}/file-${number}`, Buffer.from(`${number}`)]
  }
}
