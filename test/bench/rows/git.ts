import { cp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { amount, rounds } from '../effort.ts'
import { git, gitUrl } from '../git.ts'
import { inBothOrders, type Pair, timed, timeResult } from '../pairs.ts'
import { addCommits } from '../repos.ts'
import type { Result, Row } from '../row.ts'
import { startSandbox, whileRunning, withFolder, withProgram } from '../sandbox.ts'

const goal = { atMost: 1.5 }

/** Clones and pushes with git, beside git's own http-backend on a copy of the same repo. */
export const gitRow: Row = { name: 'git', measure: () => withFolder(measure) }

async function measure(folder: string): Promise<Result[]> {
  const data = join(folder, 'data')
  return whileRunning(await startSandbox(data), async (sandbox) => {
    await addCommits(sandbox, amount(1000))
    const ours = gitUrl(sandbox)
    // The first clone also writes the files in which git finds refs.
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
      const clones: Pair[] = []
      const pushes: Pair[] = []
      for (let round = 0; round <= rounds(9); round++) {
        const cloned = await inBothOrders(round, {
          ours: () => timeToClone(ours, folder),
          baseline: () => timeToClone(theirs, folder),
        })
        const pushed = await inBothOrders(round, {
          ours: () => timeToPush(clone, round),
          baseline: () => timeToPush(theirClone, round),
        })
        // The first round is a warm-up.
        if (round === 0) continue
        clones.push(cloned)
        pushes.push(pushed)
      }
      return [
        timeResult('clone of 1,000 commits', clones, goal),
        timeResult('push of one commit', pushes, goal),
      ]
    })
  })
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
