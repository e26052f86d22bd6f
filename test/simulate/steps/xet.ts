import type { Commit } from '../world/facts.ts'
import { users } from '../world/fixtures.ts'
import { chooseContent } from '../world/xet-contents.ts'
import type { World } from '../world/world.ts'
import { chooseRepo, push } from './hub.ts'
import type { Steps } from './step.ts'
import { readByLfs, readByXet, uploadByXet } from './xet-client.ts'

const paths = ['weights.bin', 'data/part.bin']
const isLarge = ({ path }: Commit) => path.endsWith('.bin')

async function upload(world: World): Promise<void> {
  const repo = chooseRepo(world)
  if (repo === undefined) return
  const content = chooseContent(world.random)
  if (!(await uploadByXet(world, repo.path, content))) return
  const { oid, text } = content
  const path = world.random.pick(paths)
  const value = { path, algo: 'sha256', oid, size: text.length }
  await push(world, repo, { path, text, line: { key: 'lfsFile', value } })
}

/** Reads a large file by Git LFS or Xet. It may have been uploaded by the other one. */
async function read(world: World): Promise<void> {
  const { epoch, clockMoves } = world.facts
  const { starts } = world
  const commits = world.facts.commits.filter(isLarge)
  if (commits.length === 0) return
  const commit = world.random.pick(commits)
  const { repo: path, oid: revision, text } = commit
  const repo = world.facts.repos.find((known) => known.path === path)
  if (repo?.standing !== 'live') return
  const head = await world.send(
    `/${path.replace('models/', '')}/resolve/${revision}/${commit.path}`,
    {
      token: users.alice.token,
    },
  )
  const oid = /^"([0-9a-f]{64})"$/.exec(String(head.headers['x-linked-etag']))?.[1] ?? ''
  const hash = head.headers['x-xet-hash']
  const found =
    typeof hash === 'string' && world.random.chance(0.7)
      ? await readByXet(world, path, hash, revision)
      : await readByLfs(world, path, { oid, size: text.length })
  if (found.status === 200 && found.text === text) return
  // Tokens and URLs end with the process, and when the clock moves.
  const isSame = world.facts.isSame(epoch) && world.starts === starts
  if (!isSame || world.facts.clockMoves !== clockMoves) return
  if (repo.standing !== 'live' || !world.facts.commits.includes(commit)) return
  world.fail(
    'a file of a confirmed commit has its content',
    `${commit.path} of ${revision} in ${path}: ${found.status} ${found.text.slice(0, 200)}`,
  )
}

/** Longer than anything that is unused stays. */
const hourMs = 3_700_000

async function letAnHourPass(world: World): Promise<void> {
  const end = world.scheduler.now + hourMs
  while (world.scheduler.now < end && (await world.scheduler.step(end - world.scheduler.now))) {
    if (world.isDead) return world.recover()
  }
}

export const xetSteps: Steps = {
  'upload by Xet': { weight: 2, run: upload },
  'read a large file': { weight: 1.5, run: read },
  'let an hour pass': { weight: 0.2, alone: true, run: letAnHourPass },
}
