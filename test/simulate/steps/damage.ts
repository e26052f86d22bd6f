import { closeSync, fsyncSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import type { Reply, World } from '../world/world.ts'
import { readFile } from './contents.ts'
import type { Steps } from './step.ts'

/** The low ones leave a letter a letter, so that only a checksum tells. */
const bits = [0, 0, 0, 1, 1, 2, 5, 7]

const kinds = ['/state.json', '/state.json', '/journal-', '/objects/', '/snapshots/']

/** Collections that no time changes. */
const lasting = [
  'users',
  'organizations',
  'apps',
  'repos',
  'discussions',
  'discussionEvents',
  'lfsFiles',
  'refreshTokens',
  'deliveryBodies',
] as const

type Answers = ReadonlyMap<string, string>

/** Flips a bit of a file on the disk of the next process. */
function flip(file: string, offset: number, bit: number): void {
  const descriptor = openSync(file, 'r+')
  const byte = Buffer.alloc(1)
  readSync(descriptor, byte, 0, 1, offset)
  byte[0] = (byte[0] ?? 0) ^ (1 << bit)
  writeSync(descriptor, byte, 0, 1, offset)
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** Reads what a damaged file can spoil: records by collection, successful responses by path. */
async function readAll(world: World): Promise<Answers> {
  const found = new Map<string, string>()
  const note = async (name: string, request: Promise<Reply>) => {
    const { status, text } = await world.scheduler.until(request, 60_000)
    // The clock of a snapshot goes on.
    if (status === 200) found.set(name, text.replaceAll(/"(now|expiresIn)":"[^"]*"/g, ''))
  }
  const { snapshots, commits } = world.facts
  for (const name of snapshots.keys()) {
    await note(name, world.control('GET', `snapshots/${name}`))
  }
  for (const commit of commits)
    await note(`${commit.oid} in ${commit.repo}`, readFile(world, commit))
  const { state } = world.sandbox.deps
  for (const name of lasting) found.set(name, JSON.stringify([...state[name].values()]))
  return found
}

function compare(world: World, what: string, before: Answers, after: Answers): void {
  for (const [path, text] of after) {
    const old = before.get(path) ?? ''
    if (old === text) continue
    let at = 0
    while (at < text.length && text[at] === old[at]) at += 1
    world.fail(
      'a damaged file is not served',
      `${what}: ${path} has ${text.slice(at - 40, at + 40)}, not ${old.slice(at - 40, at + 40)}`,
    )
  }
}

/** The process ends, a bit of a file flips, and the next one must not take it for good. Then the bit is flipped back. */
async function damage(world: World): Promise<void> {
  world.repairDisk()
  world.disk.dieAfter(Number.MAX_SAFE_INTEGER, () => undefined)
  await (world.random.chance(0.5) ? world.restart() : world.recover('kill'))
  world.damaged = ''
  const before = await readAll(world)
  world.crash('kill')
  // Contents of Git LFS are checked by their size only.
  const files = world.disk
    .files()
    .filter(
      (path) => !path.includes('/lock.json') && !path.includes('/lfs/') && statSync(path).size > 0,
    )
  // As often for each kind, of which some have few files.
  const groups = kinds.map((kind) => files.filter((path) => path.includes(kind)))
  const file = world.random.pick(world.random.pick(groups.filter(({ length }) => length > 0)))
  const place = [world.random.int(statSync(file).size), world.random.pick(bits)] as const
  flip(file, ...place)
  // Forks share the files of objects.
  const name = file.split('/').slice(-2).join('/')
  world.damaged = name
  try {
    await world.start()
    // The start says that it leaves out the end of the journal.
    if (world.hasLeftOut) world.facts.forget()
    const after = await readAll(world)
    if (!world.hasLeftOut) compare(world, `a flipped bit in ${name}`, before, after)
  } catch (error) {
    if (!String(error).includes(name))
      world.fail('a damaged file is not served', `${name}: ${String(error)}`)
  }
  world.damaged = undefined
  // The journal is shorter then.
  const { hasLeftOut } = world
  world.crash('kill')
  if (!hasLeftOut || !file.includes('/journal-')) flip(file, ...place)
  await world.start()
  if (hasLeftOut) return world.facts.forget()
  const after = await readAll(world)
  compare(world, `a bit in ${name} that was flipped back`, before, after)
  if (after.size < before.size)
    world.fail('a damaged file is not served', `${name} has lost something`)
}

export const damageSteps: Steps = {
  'flip a bit': { weight: 1.5, alone: true, run: damage },
}
