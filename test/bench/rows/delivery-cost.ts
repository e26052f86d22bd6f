import type { Child } from '../children.ts'
import { obstacleToPinning, onOneCore } from '../cores.ts'
import { amount, rounds } from '../effort.ts'
import { drive } from '../load.ts'
import type { Goal, Result, Row } from '../row.ts'
import { median, noise } from '../statistics.ts'
import {
  createWebhook,
  event,
  examplePayload,
  quiet,
  sendBare,
  trigger,
  type WebhookWorld,
  withWebhookWorld,
} from '../webhook-world.ts'

const count = amount(1500)

/** What a delivery costs, from the request that causes it on: one core, so that nothing hides on another. */
export const deliveryCostRows: Row[] = [
  costRow({
    name: 'delivery-cost',
    what: 'a delivery on one core, one trigger for all',
    // 0.75 ms where a warm bare sender takes 0.2 ms.
    goal: { atMost: 3.75 },
    cause: (sandbox) => trigger(sandbox, count),
  }),
  costRow({
    name: 'delivery-cost-http',
    what: 'a delivery on one core, a trigger by HTTP for each',
    goal: { atMost: 5 },
    cause: ({ url }) => drive(url, eachByHttp, count),
  }),
]

const eachByHttp = {
  scenario: 'same',
  input: {
    request: { method: 'POST', path: '/_sandbox/api/events', json: event },
    status: 202,
  },
}

interface CostRow {
  name: string
  what: string
  goal: Goal
  /** Causes so many deliveries. */
  cause: (sandbox: Child) => Promise<unknown>
}

interface Cost {
  elapsedMs: number
  /** Of the sender, for one delivery. */
  cpuUs: number
}

function costRow({ name, what, goal, cause }: CostRow): Row {
  return {
    name,
    measure: () =>
      withWebhookWorld(async (world) => {
        const obstacle = obstacleToPinning()
        const { sandbox, sender } = world
        const measure = () => measureRounds(world, cause)
        const [cold, ...warm] = await (obstacle === undefined
          ? onOneCore([sandbox, sender], measure)
          : measure())
        const note = obstacle === undefined ? {} : { note: `not held to one core: ${obstacle}` }
        return [
          { ...resultOf(`${what}, the first ${count}`, [cold!]), ...note },
          { ...resultOf(what, warm), goal, ...note },
        ]
      }),
  }
}

type Pair = Record<'ours' | 'bare', Cost>

async function measureRounds(world: WebhookWorld, cause: CostRow['cause']): Promise<Pair[]> {
  const { sandbox, receiver, sender } = world
  await createWebhook(sandbox, receiver.url)
  const body = await examplePayload(sandbox)
  const pairs: Pair[] = []
  for (let round = 0; round < rounds(5); round++) {
    const ours = await costOf(sandbox, async () => {
      const arrived = receiver.ask('expect', count)
      await Promise.all([cause(sandbox), arrived])
      await quiet(sandbox)
    })
    pairs.push({ ours, bare: await costOf(sender, () => sendBare(world, body, count)) })
  }
  return pairs
}

async function costOf(program: Child, act: () => Promise<unknown>): Promise<Cost> {
  const before = await program.usage()
  const started = performance.now()
  await act()
  const elapsedMs = performance.now() - started
  const { cpuMs } = await program.usage()
  return { elapsedMs, cpuUs: ((cpuMs - before.cpuMs) * 1000) / count }
}

/** By CPU time: the bare sender's is the machine's measure. */
function resultOf(what: string, pairs: readonly Pair[]): Result {
  const medianOf = (of: keyof Pair, field: keyof Cost) =>
    median(pairs.map((pair) => pair[of][field]))
  const perSecond = (of: keyof Pair) =>
    `${Math.round((count * 1000) / medianOf(of, 'elapsedMs'))}/s`
  const ratios = pairs.map(({ ours, bare }) => ours.cpuUs / bare.cpuUs)
  return {
    what,
    ours: perSecond('ours'),
    baseline: perSecond('bare'),
    ratio: median(ratios),
    ...(pairs.length > 1
      ? { noise: noise(ratios), baselineNoise: noise(pairs.map(({ bare }) => bare.cpuUs)) }
      : {}),
    cpu: { ours: medianOf('ours', 'cpuUs'), baseline: medianOf('bare', 'cpuUs') },
  }
}
