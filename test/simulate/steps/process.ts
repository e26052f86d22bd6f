import type { World } from '../world/world.ts'
import type { Steps } from './step.ts'

/** Operations that a disk refuses, and the reason. */
const faults = [
  { code: 'ENOSPC', operations: ['write', 'mkdir', 'link', 'rename', 'fsync', 'fdatasync'] },
  { code: 'EMFILE', operations: ['open', 'scandir'] },
  { code: 'EIO', operations: ['write', 'fsync', 'fdatasync', 'read', 'rename', 'unlink'] },
] as const

function breakDisk(world: World): void {
  const { code, operations } = world.random.pick(faults)
  const refused = new Set<string>(operations.filter(() => world.random.chance(0.7)))
  const probability = world.random.pick([1, 0.5, 0.1])
  const isRefused = (operation: string) =>
    refused.has(operation) && world.random.chance(probability)
  const ms = world.random.pick([10, 1000, 20_000])
  world.breakDisk((operation) => (isRefused(operation) ? code : undefined), ms)
}

/** What happens to the process and its disk. */
export const processSteps: Steps = {
  kill: { weight: 0.6, alone: true, run: (world) => world.recover('kill') },
  'cut the power': { weight: 0.4, alone: true, run: (world) => world.recover('power cut') },
  'kill within an operation of the disk': {
    weight: 0.8,
    async run(world) {
      world.disk.dieAfter(world.random.int(40), () => {
        world.isDead = true
      })
    },
  },
  'break the disk': {
    weight: 1,
    async run(world) {
      breakDisk(world)
    },
  },
  'stop and start': {
    weight: 0.4,
    alone: true,
    run: (world) => world.restart(),
  },
}
