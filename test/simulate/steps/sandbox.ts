import { ConnectionLost, type Reply, type World } from '../world/world.ts'
import { askFor, type Change, creation, deletion } from './ask-for.ts'
import type { Steps } from './step.ts'

const jumps = ['1s', '30s', '5m', '2h', '9h', '3d', '-30s', '-2h']

type Move = { advance: string } | { frozen: boolean } | { real: true } | { untilIdle: true }

const chooseMove = (world: World) =>
  world.random.pick<Move>([
    ...jumps.map((advance) => ({ advance })),
    { frozen: true },
    { frozen: false },
    { real: true },
  ])

export async function moveClock(world: World, move: Move): Promise<void> {
  const { epoch } = world.facts
  // A token that was expired for long may be forgotten, and nobody knows what the clock says until the response.
  const doubt = () => {
    if (!world.facts.isSame(epoch)) return
    for (const grant of world.facts.grants) if (grant.standing === 'live') grant.standing = 'unsure'
  }
  const isBack = 'real' in move || ('advance' in move && move.advance.startsWith('-'))
  if (isBack) world.facts.jobs.backMoves += 1
  const isShort = 'frozen' in move || ('advance' in move && !/[hd]$/.test(move.advance))
  world.facts.moves.open += 1
  try {
    const reply = await world.control('POST', 'clock', move)
    if (!isShort || reply.status !== 200) doubt()
  } catch (error) {
    if (error instanceof ConnectionLost) doubt()
    throw error
  } finally {
    if (isBack) world.facts.jobs.backMoves += 1
    world.facts.moves.open -= 1
    world.facts.moves.ended += 1
  }
}

/** Replaces the state: nothing that was known before counts. */
async function replace(world: World, path: string): Promise<Reply> {
  world.facts.replacing += 1
  try {
    return await world.control('POST', path, {})
  } finally {
    world.facts.replacing -= 1
    world.facts.forget()
  }
}

/** Changes a snapshot, which is on the disk before the response. */
const askForSnapshot = (
  world: World,
  change: Change,
  request: (name: string) => Promise<Reply>,
): Promise<void> =>
  askFor(world.facts.snapshots, `s${world.random.int(3)}`, change, request, (problem) =>
    world.fail('a snapshot is there until it is deleted', problem),
  )

export const sandboxSteps: Steps = {
  'move the clock': { weight: 4, run: (world) => moveClock(world, chooseMove(world)) },
  'save a snapshot': {
    weight: 2,
    run: (world) =>
      askForSnapshot(world, creation, (name) => world.control('POST', 'snapshots', { name })),
  },
  'delete a snapshot': {
    weight: 0.2,
    run: (world) =>
      askForSnapshot(world, deletion, (name) => world.control('DELETE', `snapshots/${name}`)),
  },
  'restore a snapshot': {
    weight: 0.3,
    run: (world) =>
      askForSnapshot(world, { needs: 'live', leaves: 'live' }, (name) =>
        replace(world, `snapshots/${name}/restore`),
      ),
  },
  reset: {
    weight: 0.3,
    async run(world) {
      const { isChangingMembers, memberChanges, epoch, replacing } = world.facts
      const reply = await replace(world, 'reset')
      // A restored snapshot may have come after it.
      const isAlone = replacing + world.facts.replacing === 0 && world.facts.epoch === epoch + 1
      if (reply.status !== 200 || !isAlone) return
      world.facts.begin(world.scheduler.now)
      // Nobody knows which one was first.
      if (isChangingMembers || memberChanges !== world.facts.memberChanges) {
        world.facts.members = undefined
      }
    },
  },
  'read the sums': {
    weight: 2,
    async run(world) {
      for (const path of ['overview', 'deliveries?limit=20', 'webhooks', 'flows?limit=20']) {
        await world.control('GET', path)
      }
    },
  },
  'let time pass': {
    weight: 6,
    alone: true,
    async run(world) {
      for (let event = world.random.int(200); event > 0; event--) {
        if (!(await world.scheduler.step(2000))) break
        if (world.isDead) return world.recover()
      }
    },
  },
}
