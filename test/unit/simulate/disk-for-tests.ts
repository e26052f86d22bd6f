import { afterAll, beforeAll } from 'vitest'
import { installDisk, SimulatedDisk } from '../../simulate/platform/disk.ts'
import { createRandom } from '../../../server/core/random.ts'

export const root = '/simulated'

/** Creates a disk whose operations of other threads happen soon, in an order of the seed. */
export function diskOf(seed: number | string): SimulatedDisk {
  const random = createRandom(`events ${seed}`)
  const waiting: (() => void)[] = []
  const later = (_name: string, act: () => void) => {
    waiting.push(act)
    setImmediate(() => waiting.splice(random.int(waiting.length), 1)[0]?.())
  }
  return new SimulatedDisk({ random: createRandom(seed), events: { later }, now: () => 0 })
}

/** Installs simulated disks for the tests of a file. */
export function installForTests(): { disk: SimulatedDisk } {
  const machine = { disk: diskOf(0) }
  let restore: (() => void) | undefined
  beforeAll(() => {
    restore = installDisk(root, () => machine.disk)
  })
  afterAll(() => restore?.())
  return machine
}

/** Runs work with the seeds from 0, so that a part of it which depends on the seed takes each of its forms. */
export function seeds(count: number): readonly number[] {
  return Array.from({ length: count }, (_, seed) => seed)
}
