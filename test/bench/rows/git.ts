import { execFile } from 'node:child_process'
import { cp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Child } from '../children.ts'
import { amount, rounds } from '../effort.ts'
import { userToken } from '../fixtures.ts'
import { inBothOrders, stallResult, watchingStalls } from '../pairs.ts'
import { addCommits, pathsOf } from '../repos.ts'
import type { Result, Row } from '../row.ts'
import { startSandbox, whileRunning, withFolder, withProgram } from '../sandbox.ts'
import { median, noise } from '../statistics.ts'

/** Clones and pushes with git, against git's own program behind the same Node, on a copy of the same folder. */
export const gitRow: Row = { name: 'git', measure: () => withFolder(measure) }

interface Pair {
  ours: number
  baseline: number
}

async function measure(folder: string): Promise<Result[]> {
  const data = join(folder, 'data')
  return whileRunning(await startSandbox(data), async (sandbox) => {
    await addCommits(sandbox, pathsOf(), { first: 0, count: amount(1000) })
    const ours = `${withToken(sandbox)}${pathsOf().git}`
    // With that it has the files in which git finds refs.
    const clone = join(folder, 'ours')
    await git(folder, 'clone', '-q', ours, clone)
    const root = join(folder, 'root')
    const [repo = ''] = (await readdir(join(data, 'repos'))).filter((name) => name.endsWith('.git'))
    await cp(join(data, 'repos', repo), join(root, 'repo.git'), { recursive: true })
    await git(join(root, 'repo.git'), 'config', 'http.receivepack', 'true')
    return withProgram('bare-git', { root }, async (bare) => {
      const theirs = `${bare.url}/repo.git`
      const theirClone = join(folder, 'theirs')
      await git(folder, 'clone', '-q', theirs, theirClone)
      const stalls: number[] = []
      const clones: Pair[] = []
      const pushes: Pair[] = []
      for (let round = 0; round <= rounds(9); round++) {
        const cloned = await inBothOrders(round, {
          ours: () => watchingStalls(sandbox, stalls, () => timeToClone(ours, folder)),
          baseline: () => timeToClone(theirs, folder),
        })
        const pushed = await inBothOrders(round, {
          ours: () => watchingStalls(sandbox, stalls, () => timeToPush(clone, round)),
          baseline: () => timeToPush(theirClone, round),
        })
        // The first one is there to warm up.
        if (round === 0) continue
        clones.push(cloned)
        pushes.push(pushed)
      }
      return [
        resultOf('clone of 1,000 commits', clones),
        resultOf('push of one commit', pushes),
        stallResult('clones and pushes', stalls),
      ]
    })
  })
}

/** The address of a sandbox as git takes it. */
export function withToken({ url }: Child): string {
  return url.replace('//', `//alice:${userToken}@`)
}

async function timeToClone(from: string, folder: string): Promise<number> {
  const to = join(folder, 'clone')
  const took = await timed(() => git(folder, 'clone', '-q', '--bare', from, to))
  await rm(to, { recursive: true })
  return took
}

async function timeToPush(clone: string, round: number): Promise<number> {
  await writeFile(join(clone, 'pushed'), `${round}`)
  await git(clone, 'add', '-A')
  await git(clone, 'commit', '-qm', `Push ${round}`)
  return timed(() => git(clone, 'push', '-q', 'origin', 'HEAD:main'))
}

async function timed(act: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await act()
  return performance.now() - started
}

/** git, as if nobody had set up anything. */
export async function git(folder: string, ...args: string[]): Promise<void> {
  await promisify(execFile)('git', ['-C', folder, ...args], {
    env: {
      PATH: process.env['PATH'],
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_AUTHOR_NAME: 'Alice',
      GIT_AUTHOR_EMAIL: 'alice@example.com',
      GIT_COMMITTER_NAME: 'Alice',
      GIT_COMMITTER_EMAIL: 'alice@example.com',
    },
  })
}

function resultOf(what: string, pairs: readonly Pair[]): Result {
  const ratios = pairs.map(({ ours, baseline }) => ours / baseline)
  const bare = pairs.map(({ baseline }) => baseline)
  return {
    what,
    ours: `${Math.round(median(pairs.map(({ ours }) => ours)))} ms`,
    baseline: `${Math.round(median(bare))} ms`,
    ratio: median(ratios),
    noise: noise(ratios),
    baselineNoise: noise(bare),
    goal: { atMost: 1.5 },
  }
}
