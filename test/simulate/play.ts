import { createHash } from 'node:crypto'
import type { SimulatedDisk } from './platform/disk.ts'
import { createRandom } from './platform/random.ts'
import { check } from './invariants.ts'
import type { Source } from './platform/process.ts'
import type { Step } from './steps/step.ts'
import { steps } from './steps/steps.ts'
import { present } from './platform/scheduler.ts'
import { type OwnLife, type Product, World } from './world/world.ts'

/** Script of a run; the same script gives the same run. */
export interface Script {
  readonly seed: number
  readonly steps: readonly Step[]
}

export interface Played {
  /** What was found; `undefined` if nothing was. */
  readonly violation: string | undefined
  /** Index of the step after which it was found. */
  readonly at: number
  /** Hash over everything that happened: files, deliveries, responses. */
  readonly hash: string
  readonly events: number
  readonly starts: number
}

/** Parts of the simulated machine. */
export interface Machine {
  readonly product: Product
  readonly source: Source
  /** Puts a disk in the place of the present one. */
  readonly useDisk: (disk: () => SimulatedDisk) => void
  readonly newDisk: ConstructorParameters<typeof World>[2]
}

const names = Object.keys(steps)
const weights = Object.values(steps).map(({ weight }) => weight)
const total = weights.reduce((sum, weight) => sum + weight, 0)

/** Returns the script of a seed. */
export function writeScript(seed: number, length: number): Script {
  const random = createRandom(`script ${seed}`)
  const chosen = Array.from({ length }, (): Step => {
    let left = (random.int(2 ** 20) / 2 ** 20) * total
    const at = weights.findIndex((weight) => (left -= weight) < 0)
    return { name: names[at] ?? '', seed: random.int(2 ** 30) }
  })
  return { seed, steps: chosen }
}

/** Runs a script on a fresh machine. */
export async function play(machine: Machine, script: Script): Promise<Played> {
  const world = new World(machine.product, `world ${script.seed}`, machine.newDisk)
  machine.source.scheduler = world.scheduler
  machine.source.random = world.chance
  machine.useDisk(() => (present.getStore() as OwnLife | undefined)?.disk ?? world.disk)
  let at = -1
  await world.start()
  world.facts.begin()
  for (const step of script.steps) {
    at += 1
    world.random = createRandom(step.seed)
    const kind = steps[step.name]
    if (kind === undefined) throw new TypeError(`there is no step ${JSON.stringify(step.name)}`)
    if (kind.alone === true) await kind.run(world)
    else world.begin(step.name, () => kind.run(world))
    await letHappen(world, world.random.int(30))
    check(world)
    if (world.violation !== undefined) break
  }
  if (world.violation === undefined) {
    await drain(world)
    check(world)
  }
  const result = {
    violation: world.violation?.message,
    at,
    hash: hashOf(world),
    events: world.scheduler.count,
    starts: world.starts,
  }
  if (world.isRunning) world.crash('kill')
  return result
}

/** Lets some events happen; a process that dies meanwhile is started again. */
async function letHappen(world: World, events: number): Promise<void> {
  for (let event = 0; event < events; event++) {
    if (!(await world.scheduler.step(2))) break
    if (world.isDead) await world.recover()
  }
}

/** Lets everything that was begun come to its end. */
async function drain(world: World): Promise<void> {
  world.network.calm()
  for (let event = 0; world.openWork > 0; event++) {
    if (event > 20_000) return world.fail(`${world.openWork} requests were never answered`)
    if (!(await world.scheduler.step(60_000)))
      return world.fail('requests wait, and nothing happens')
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
