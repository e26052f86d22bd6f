import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { hasGit } from './platform/programs.ts'
import { dataFolder, type World } from './world/world.ts'

/** Longer than all retries of a delivery together. */
const longestRetryMs = 4 * 3_600_000

/** Checks what is true of a sandbox that everybody has left alone. */
export async function checkEnding(world: World): Promise<void> {
  const checks = [deliverAll, compareSums, checkRepo, holdNothing]
  for (const check of checks) {
    await check(world)
    if (world.violation !== undefined) return
  }
}

const request = (world: World, ...given: Parameters<World['control']>) =>
  world.scheduler.until(world.control(...given), 60_000)

/** Receivers respond, and time passes: each delivery comes to its end, unless a user holds it. */
async function deliverAll(world: World): Promise<void> {
  await request(world, 'POST', 'clock', { frozen: false })
  // Its moves back have put off the retries.
  await request(world, 'POST', 'clock', { advance: '30d' })
  const { state } = world.sandbox.deps
  const open = () =>
    (['queued', 'sending', 'waiting'] as const).flatMap((how) => [
      ...state.deliveries.group('state', how),
    ])
  const lastMs = world.scheduler.now + longestRetryMs
  while (open().length > 0 && world.violation === undefined) {
    if (await world.scheduler.step(lastMs - world.scheduler.now)) continue
    const left = open().map(({ id, state: how }) => `${id} is ${how}`)
    return world.fail('each delivery comes to its end', left.join(', '))
  }
}

const words = ['succeeded', 'failing', 'failed', 'pending', 'cancelled'] as const
type Sums = Readonly<Record<(typeof words)[number] | 'total', number>>

/** The sums of the control API against a recount of the stored deliveries. */
async function compareSums(world: World): Promise<void> {
  const { state } = world.sandbox.deps
  const wordOf = ({ id, state: how }: { id: string; state: string }) => {
    if (words.some((word) => word === how)) return how
    const attempts = state.attempts.group('delivery', id)
    return attempts.some(({ outcome }) => outcome !== undefined) ? 'failing' : 'pending'
  }
  const count = (webhook?: string): Sums => {
    const all = [...state.deliveries.values()].filter(
      ({ webhookId }) => webhook === undefined || webhookId === webhook,
    )
    const found = all.map(wordOf)
    const sums = words.map((word) => [word, found.filter((one) => one === word).length])
    return { ...(Object.fromEntries(sums) as Sums), total: all.length }
  }
  const compare = (what: string, given: Sums, webhook?: string) => {
    const counted = count(webhook)
    const wrong = [...words, 'total' as const].filter((word) => given[word] !== counted[word])
    if (wrong.length === 0) return
    const told = wrong.map((word) => `${given[word]} ${word} in place of ${counted[word]}`)
    world.fail('each sum is that of the stored deliveries', `${what}: ${told.join(', ')}`)
  }
  const overview = await request(world, 'GET', 'overview')
  compare('overview', (overview.json() as { deliveries: Sums }).deliveries)
  compare('summary', (await request(world, 'GET', 'deliveries/summary')).json() as Sums)
  const { items } = (await request(world, 'GET', 'webhooks?limit=100')).json() as {
    items: { id: string; deliveries: Sums }[]
  }
  for (const { id, deliveries } of items) compare(`webhook ${id}`, deliveries, id)
}

/** Copies a repo to the real disk, where git checks it. Its two processes take a fifth of a run, so that one run in eight has them. */
async function checkRepo(world: World): Promise<void> {
  if (world.random.int(8) > 0 || !hasGit) return
  const repos = [...world.sandbox.deps.state.repos.values()]
  if (repos.length === 0) return
  const repo = world.random.pick(repos)
  const root = `${dataFolder}/repos/${repo.id}.git`
  const files = world.disk.files().filter((path) => path.startsWith(`${root}/objects/`))
  if (files.length === 0) return
  const copy = mkdtempSync(join(tmpdir(), 'simulate-'))
  try {
    execFileSync('git', ['init', '-q', '--bare', copy])
    for (const file of files) {
      const path = copy + file.slice(root.length)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, readFileSync(file))
    }
    for (const [ref, target] of Object.entries(repo.refs)) {
      mkdirSync(dirname(join(copy, ref)), { recursive: true })
      writeFileSync(join(copy, ref), `${target}\n`)
    }
    // It checks what the refs reach: a power cut may spoil objects that nobody uses yet.
    const check = ['-c', 'fetch.fsckObjects=true', 'clone', '-q', '--bare', '--no-local']
    execFileSync('git', [...check, copy, join(copy, 'clone')], { stdio: 'pipe' })
  } catch (error) {
    world.fail('git finds no fault in a repo', `${repo.name}: ${String(error)}`)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** A minute after an orderly stop there are no timers, no open files and no unfinished ones. */
async function holdNothing(world: World): Promise<void> {
  // What a broken disk did not remove is removed by the next start.
  await world.restart()
  const held = await world.stop(60_000)
  const unfinished = world.disk.files().filter((path) => path.includes('/unfinished/'))
  world.checkRest(held, unfinished.length)
}
