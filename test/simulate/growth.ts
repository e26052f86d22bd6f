import { Session } from 'node:inspector'
import { buildProduct, type Mistake } from './build.ts'
import { drain, type Machine, openWorld, take } from './play.ts'
import { type Script, writeScript } from './script.ts'
import { processSteps } from './steps/process.ts'
import { settled } from './platform/scheduler.ts'
import type { World } from './world/world.ts'

/** Rounds before the first that counts: what is bounded gets full. */
const firstRounds = 3
const rounds = 6
/** Time after a round, in which the sandbox removes what nobody needs. */
const restMs = 2 * 3_600_000

/** Things that a sandbox holds: the most that a round may add, how to count them, and a mistake that adds more. */
export const held = {
  'open files': {
    most: 0,
    count: ({ disk }: World) => disk.counts().openDescriptors,
    mistake: {
      file: 'server/store/files.ts',
      from: '    await handle.sync()\n  } finally {\n    await handle.close()',
      to: '    await handle.sync()\n  } finally {\n    await Promise.resolve()',
    },
  },
  'waiting events': {
    most: 0,
    count: ({ scheduler }: World) => scheduler.waiting.length,
    mistake: {
      file: 'server/app/system-time.ts',
      from: 'return () => clearTimeout(timer)',
      to: 'return () => void setTimeout(() => clearTimeout(timer), 1e9)',
    },
  },
  'unfinished files': {
    most: 0,
    count: ({ disk }: World) => disk.files().filter((path) => path.includes('/unfinished/')).length,
    mistake: {
      file: 'server/store/objects/loose-files.ts',
      from: 'renameSync(temporary, this.file(id))',
      to: 'linkSync(temporary, this.file(id))',
    },
  },
  'entries in memory': {
    most: 10,
    count: () => countEntries('Map') + countEntries('Set'),
    mistake: {
      file: 'server/inspect/flows/flows.ts',
      from: 'memberships.clear()',
      to: '',
    },
  },
} as const satisfies Record<
  string,
  { most: number; count: (world: World) => number; mistake: Mistake }
>
type Name = keyof typeof held
const names = Object.keys(held) as Name[]

const session = new Session()

/**
 * Collects the garbage, and returns the sum of all Maps or Sets that are left in this process, without the simulated disk
 * and the cache of objects, which is bounded by bytes.
 */
function countEntries(kind: 'Map' | 'Set'): number {
  let count: unknown
  session.connect()
  // Each calls back before it returns.
  session.post(
    'Runtime.evaluate',
    { expression: `${kind}.prototype` },
    (_error, { result: { objectId = '' } }) =>
      session.post('Runtime.queryObjects', { prototypeObjectId: objectId }, (_, { objects }) =>
        session.post(
          'Runtime.callFunctionOn',
          {
            ...(objects.objectId !== undefined && { objectId: objects.objectId }),
            functionDeclaration: String(sumOfSizes),
            returnByValue: true,
          },
          (_problem, { result }) => (count = result.value),
        ),
      ),
  )
  session.disconnect()
  return count as number
}

/** Runs beside all modules. */
function sumOfSizes(this: readonly Set<object>[]): number {
  return this.reduce((sum, one) => {
    try {
      const [first] = one.values()
      const isLeftOut = first instanceof Object && ['ino', 'shelf'].some((name) => name in first)
      return isLeftOut ? sum : sum + one.size
    } catch {
      // Prototype of a class that extends it.
      return sum
    }
  }, 0)
}

/**
 * Plays the same steps again and again on one sandbox that never ends, and resets it after each round.
 * @param length steps of a round
 * @returns what has grown
 */
export async function playRounds(
  machine: Machine,
  { seed, length }: { seed: number; length: number },
  say: (text: string) => void,
): Promise<Name[]> {
  const world = openWorld(machine, seed)
  await world.start()
  world.facts.begin()
  const script = writeScript(seed, length)
  // `any requests` keeps what it finds in responses.
  const steps = script.steps.filter(
    ({ name }) => !(name in processSteps) && name !== 'any requests',
  )
  const counts: Record<Name, number>[] = []
  for (let round = 0; round < rounds; round++) {
    await playRound(world, steps)
    if (world.violation !== undefined) throw world.violation
    const found = names.map((name) => [name, held[name].count(world)])
    counts.push(Object.fromEntries(found) as Record<Name, number>)
  }
  world.crash('kill')
  say(`${rounds} rounds of ${steps.length} steps`)
  return names.filter((name) => {
    const found = counts.slice(firstRounds).map((count) => count[name])
    const gained = ((found.at(-1) ?? 0) - (found[0] ?? 0)) / (found.length - 1)
    const hasGrown = gained > held[name].most
    say(`${name}: ${found.join(', ')}${hasGrown ? `, ${gained} more in each round` : ''}`)
    return hasGrown
  })
}

async function playRound(world: World, steps: Script['steps']): Promise<void> {
  for (const step of steps) await take(world, step)
  await drain(world)
  for (const [path, json] of [
    ['clock', { real: true }],
    ['reset', {}],
  ] as const) {
    await world.scheduler.until(world.control('POST', path, json), 60_000)
  }
  world.facts.begin(world.scheduler.now)
  const lastMs = world.scheduler.now + restMs
  while (await world.scheduler.step(lastMs - world.scheduler.now));
  world.log.length = 0
  world.network.arrivals.length = 0
  // Memory that is collected is reported to its owner later.
  await settled()
}

/**
 * Plants the mistake of each thing that is held.
 * @param folder for the builds, below the root of the project
 * @returns mistakes that were not found
 */
export async function playGrowthControls(
  load: (entry: string) => Promise<Machine>,
  folder: string,
  given: { seed: number; length: number },
  say: (text: string) => void,
): Promise<Name[]> {
  const missed: Name[] = []
  for (const [index, name] of names.entries()) {
    const machine = await load(await buildProduct(`${folder}/${index}`, held[name].mistake))
    say(`With a mistake for ${name}:`)
    const grown = await playRounds(machine, given, say)
    if (!grown.includes(name)) missed.push(name)
  }
  return missed
}
