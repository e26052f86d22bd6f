import { createRequire } from 'node:module'
import type * as Built from './product.ts'
import { createRandom } from '../../server/core/random.ts'
import { installDisk, SimulatedDisk } from './platform/disk.ts'
import { installProcess, type Source } from './platform/process.ts'
import { installPrograms } from './platform/programs.ts'
import { Scheduler } from './platform/scheduler.ts'
import type { Machine } from './play.ts'
import { fixtures } from './world/fixtures.ts'
import { port } from './world/machine.ts'
import { image } from './world/processes.ts'
import { dataFolder } from './world/world.ts'

/**
 * Replaces the platform of this process. To be called once, before a product is loaded.
 * @returns function that loads a built product by its entry
 */
export function installMachine(): (entry: string) => Promise<Machine> {
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
    throw new Error('a file was used before the first disk was made')
  }
  installProcess(source)
  installPrograms({ disk: () => disk(), scheduler: () => source.scheduler })
  installDisk('/simulated', () => disk())
  const newDisk: Machine['newDisk'] = (scheduler, chance) =>
    new SimulatedDisk({ random: chance, events: scheduler, now: () => scheduler.now })
  const useDisk = (next: () => SimulatedDisk) => (disk = next)
  return async (entry) => {
    const { runSandbox, resolveOptions, loadXetHashes } = createRequire(import.meta.url)(
      entry,
    ) as typeof Built
    // It compiles a program, which takes any time.
    await loadXetHashes()
    const first = newDisk(source.scheduler, random)
    useDisk(() => first)
    const options = await resolveOptions({
      fixtures,
      port,
      data: dataFolder,
      ephemeral: false,
      seed: 1,
      logLevel: 'silent',
      runJobs: { [image]: 'work' },
    })
    return { product: { runSandbox, options }, source, useDisk, newDisk }
  }
}
