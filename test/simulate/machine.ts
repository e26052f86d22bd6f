import { createRequire } from 'node:module'
import type * as Built from './product.ts'
import { createRandom } from './platform/random.ts'
import { installDisk, SimulatedDisk } from './platform/disk.ts'
import { installProcess, type Source } from './platform/process.ts'
import { Scheduler } from './platform/scheduler.ts'
import type { Machine } from './play.ts'
import { fixtures } from './world/fixtures.ts'
import { port } from './world/machine.ts'
import { dataFolder } from './world/world.ts'

/**
 * Replaces the platform of this process, and then loads the product. To be called once.
 * @param entry of the built product
 */
export async function installMachine(entry: string): Promise<Machine> {
  const random = createRandom('start')
  const fail = (error: unknown) => {
    throw error
  }
  const source: Source = {
    random,
    scheduler: new Scheduler(random, Date.UTC(2026, 0, 1), fail),
    warn: () => undefined,
  }
  let disk: () => SimulatedDisk = () => {
    throw new Error('there is no disk yet')
  }
  installProcess(source)
  installDisk('/simulated', () => disk())
  const { runSandbox, resolveOptions } = createRequire(import.meta.url)(entry) as typeof Built
  const newDisk: Machine['newDisk'] = (scheduler, chance) =>
    new SimulatedDisk({ random: chance, events: scheduler, now: () => scheduler.now })
  disk = () => newDisk(source.scheduler, random)
  const first = disk()
  disk = () => first
  const options = await resolveOptions({
    fixtures,
    port,
    data: dataFolder,
    ephemeral: false,
    seed: 1,
    logLevel: 'silent',
  })
  return {
    product: { runSandbox, options },
    source,
    useDisk: (next) => (disk = next),
    newDisk,
  }
}
