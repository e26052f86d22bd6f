import { createHash } from 'node:crypto'
import type { SimulatedDisk } from './platform/disk.ts'
import { createRandom } from '../../server/core/random.ts'
import { type Crash, Duplicates } from './duplicates.ts'
import { checkEnding } from './ending.ts'
import { check } from './invariants.ts'
import { checkArrival } from './world/arrivals.ts'
import type { Source } from './platform/process.ts'
import type { Script } from './script.ts'
import type { Step } from './steps/step.ts'
import { steps } from './steps/steps.ts'
import { present } from './platform/scheduler.ts'
import type { Violation } from './world/violation.ts'
import { type OwnLife, type Product, World } from './world/world.ts'

export interface Played {
  /** What was found; `undefined` if nothing was. */
  readonly violation: Violation | undefined
  /** Steps that were played. */
  readonly steps: number
  /** Hash over everything that happened: files, deliveries, responses. */
  readonly hash: string
  readonly events: number
  readonly starts: number
  readonly crashes: readonly Crash[]
}

/** Parts of the simulated machine. */
export interface Machine {
  readonly product: Product
  readonly source: Source
  /** Puts a disk in the place of the present one. */
  readonly useDisk: (disk: () => SimulatedDisk) => void
  readonly newDisk: ConstructorParameters<typeof World>[2]
}

/**
 * Runs a script on a fresh machine.
 * @param trace receives a line for each step, event and response
 */
export async function play(
  machine: Machine,
  script: Script,
  trace?: (line: string) => void,
): Promise<Played> {
  const world = openWorld(machine, script.seed)
  world.scheduler.trace = trace
  const duplicates = new Duplicates()
  world.network.onArrival = (arrival) => {
    checkArrival(world, arrival)
    duplicates.note(world, arrival)
  }
  let played = 0
  try {
    await world.start()
    world.facts.begin()
    for (const step of script.steps) {
      played += 1
      trace?.(`step ${played}: ${step.name}`)
      await take(world, step)
      if (world.violation !== undefined) break
    }
    if (world.violation === undefined) await end(world)
  } catch (error) {
    world.fail('the process neither warns nor fails', String((error as Error).stack))
  }
  const result = {
    violation: world.violation,
    steps: played,
    hash: hashOf(world),
    events: world.scheduler.count,
    starts: world.starts,
    crashes: duplicates.crashes(world),
  }
  if (world.isRunning) world.crash('kill')
  return result
}

/** Makes a machine that was not started yet, and puts it in the place of the present one. */
export function openWorld(machine: Machine, seed: number): World {
  const world = new World(machine.product, `world ${seed}`, machine.newDisk)
  machine.source.scheduler = world.scheduler
  machine.source.random = world.chance
  machine.useDisk(() => (present.getStore() as OwnLife | undefined)?.disk ?? world.disk)
  machine.source.warn = (message) => world.notePlight(message)
  return world
}

export async function take(world: World, step: Step): Promise<void> {
  world.random = createRandom(step.seed)
  world.processes.isCalm = false
  const kind = steps[step.name]
  if (kind === undefined) throw new TypeError(`Unknown step ${JSON.stringify(step.name)}`)
  if (kind.alone === true) await kind.run(world)
  else world.begin(step.name, () => kind.run(world))
  await letHappen(world, world.random.int(30))
  check(world)
}

async function end(world: World): Promise<void> {
  await drain(world)
  check(world)
  if (world.violation === undefined) await checkEnding(world)
}

/** Lets some events happen; a process that dies meanwhile is started again. */
async function letHappen(world: World, events: number): Promise<void> {
  for (let event = 0; event < events; event++) {
    if (!(await world.scheduler.step(2))) break
    if (world.isDead) await world.recover()
  }
}

/** Lets everything that was begun come to its end. */
export async function drain(world: World): Promise<void> {
  world.network.calm()
  world.processes.calm()
  world.repairDisk()
  world.disk.dieAfter(Number.MAX_SAFE_INTEGER, () => undefined)
  for (let event = 0; world.openWork > 0; event++) {
    if (event > 20_000) {
      return world.fail('each request has a response', `${world.openWork} requests have none`)
    }
    if (!(await world.scheduler.step(60_000)))
      return world.fail('each request has a response', 'requests wait, and nothing happens')
    if (world.isDead) await world.recover()
  }
}

function hashOf(world: World): string {
  const hash = createHash('sha256')
  hash.update(world.disk.hash())
  for (const arrival of world.network.arrivals) hash.update(JSON.stringify(arrival))
  for (const line of world.log) hash.update(line)
  return hash.digest('hex')
}
