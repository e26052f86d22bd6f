import { namesTheDisk } from '../world/disk-trouble.ts'
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

/** A start that the disk refuses names it, and holds nothing afterwards. */
async function startOnBrokenDisk(world: World): Promise<void> {
  world.crash('kill')
  breakDisk(world)
  let problem: string
  try {
    return await world.start()
  } catch (error) {
    if (world.isDead) return world.recover()
    problem = String(error)
  }
  if (!namesTheDisk(problem)) world.fail('a refusal of the disk is named', `the start: ${problem}`)
  world.checkRest(await world.rest(60_000))
  await world.recover()
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
  'start on a broken disk': { weight: 0.4, alone: true, run: startOnBrokenDisk },
  'stop and start': {
    weight: 0.4,
    alone: true,
    run: (world) => world.restart(),
  },
}
