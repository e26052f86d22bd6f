import type { Steps } from './step.ts'

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
  'stop and start': {
    weight: 0.4,
    alone: true,
    run: (world) => world.restart(),
  },
}
