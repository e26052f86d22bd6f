import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DeliveryState } from '../../../../server/contract/words/webhook-words.ts'
import type { Delivery } from '../../../../server/store/entities/webhook-entities.ts'
import type { DeliveryProfile } from '../../../../server/hub/webhooks/delivery/profiles.ts'
import { profileNamed } from '../../../../server/hub/webhooks/delivery/profiles.ts'
import type { AttemptResult } from '../../../../server/web/outgoing/wire.ts'
import { createWebhookWorld, type WebhookWorld, wireOf } from '../../../helpers/webhook-world.ts'

const profile: DeliveryProfile = {
  ...profileNamed('hub'),
  retryDelaysMs: [10_000, 60_000],
  suspension: { after: 'failures', count: 3 },
}

const verdicts = {
  received: { status: 200 },
  refused: { status: 500, error: { class: 'http_status', message: 'responded with 500' } },
  blocked: { error: { class: 'blocked_target', message: 'blocked' } },
} as const satisfies Record<string, Partial<AttemptResult>>

/** Everything that somebody or something can do; `pick` says to which of those there are. */
type Step = { pick: number } & (
  | { do: 'emit' | 'hold' | 'release' | 'disable' | 'enable' | 'cancel' | 'recover' | 'replay' }
  | { do: 'replayEdited' | 'restart' }
  | { do: 'answer'; verdict: keyof typeof verdicts }
  | { do: 'pass'; ms: number }
)

const step: fc.Arbitrary<Step> = fc
  .tuple(
    fc.oneof(
      { weight: 5, arbitrary: fc.constant({ do: 'emit' as const }) },
      {
        weight: 8,
        arbitrary: fc
          .constantFrom(...(Object.keys(verdicts) as (keyof typeof verdicts)[]))
          .map((verdict) => ({ do: 'answer' as const, verdict })),
      },
      {
        weight: 3,
        arbitrary: fc.constantFrom(5000, 12_000, 72_000).map((ms) => ({ do: 'pass' as const, ms })),
      },
      {
        weight: 8,
        arbitrary: fc
          .constantFrom(
            ...(['hold', 'release', 'disable', 'enable', 'cancel', 'recover'] as const),
            ...(['replay', 'replay', 'replayEdited', 'restart'] as const),
          )
          .map((name) => ({ do: name })),
      },
    ),
    fc.nat(),
  )
  .map(([what, pick]) => ({ ...what, pick }))

/** Allowed successors of each state between two writes. */
const follows: Record<DeliveryState, readonly DeliveryState[]> = {
  held: ['queued', 'succeeded', 'cancelled'],
  queued: ['held', 'sending', 'succeeded', 'cancelled'],
  sending: ['queued', 'waiting', 'succeeded', 'failed', 'cancelled'],
  waiting: ['waiting', 'queued', 'succeeded', 'cancelled'],
  succeeded: [],
  failed: ['queued', 'succeeded'],
  cancelled: ['queued', 'succeeded'],
}

/** Returns the rule that a change of a delivery breaks. */
function faultsOf(before: Delivery | undefined, after: Delivery): string[] {
  const isOver = ['succeeded', 'failed', 'cancelled'].includes(after.state)
  const faults: string[] = []
  const check = (isRight: boolean, what: string) => {
    if (!isRight) faults.push(`${before?.state ?? 'none'} → ${after.state}: ${what}`)
  }
  check((after.finishedAt !== undefined) === isOver, 'finishedAt')
  check((after.nextRetryAt !== undefined) === (after.state === 'waiting'), 'nextRetryAt')
  check((after.cancelledBecause !== undefined) === (after.state === 'cancelled'), 'because')
  check(after.succeededAtFirst === undefined || after.state === 'succeeded', 'succeededAtFirst')
  check(after.tries <= after.attempts, 'more steps of the schedule than attempts')
  if (before === undefined) return faults
  const { attempts, state } = before
  const isReplay = after.state === state && after.attempts === attempts + 1
  check(isReplay || follows[state].includes(after.state), 'no such way')
  check(after.attempts === attempts || isReplay || after.state === 'sending', 'attempts')
  check(!(state === 'sending' && after.state === 'sending') || isReplay, 'sent twice')
  check(before.messageId === after.messageId && before.seq === after.seq, 'another delivery')
  return faults
}

interface Rig {
  world: WebhookWorld
  /** Problems that the engine reported. */
  problems: string[]
  /** Ends the attempts that are under way, the oldest first. */
  answers: ((result: AttemptResult) => void)[]
}

/** An engine whose receivers the test plays, with every write of a delivery looked at. */
class Run {
  readonly faults: string[] = []
  readonly #rig: Rig

  constructor(rig: Rig) {
    this.#rig = rig
    const { deliveries } = rig.world.state
    const put = deliveries.put.bind(deliveries)
    deliveries.put = (delivery) => {
      this.faults.push(...faultsOf(deliveries.get(delivery.id), delivery))
      return put(delivery)
    }
  }

  async take({ pick, ...what }: Step): Promise<void> {
    const { world } = this.#rig
    const { engine, clock, state } = world
    const webhook = [...state.webhooks.values()][pick % 2]
    const delivery = [...state.deliveries.values()][pick % Math.max(state.deliveries.size, 1)]
    switch (what.do) {
      case 'emit':
        world.emit()
        break
      case 'pass':
        clock.advance(what.ms)
        // The timer of the clock is one of Node's.
        await new Promise((resolve) => setTimeout(resolve, 2))
        break
      case 'answer':
        this.#answer(pick, what.verdict)
        break
      case 'hold':
      case 'release':
        engine[what.do](webhook?.id ?? '')
        break
      case 'enable':
      case 'disable':
        if (webhook === undefined) break
        state.webhooks.put({ ...webhook, status: `${what.do}d` })
        world.bus.emit('webhook.updated', { webhookId: webhook.id, changed: ['status'] })
        break
      case 'cancel':
        if (delivery?.finishedAt === undefined && delivery) engine.cancel(delivery.id)
        break
      case 'recover':
        engine.recover({ since: 0 })
        break
      case 'replay':
        // A reset may come in between: that it is told so is not looked at here.
        if (delivery) engine.replay(delivery.id).catch(() => undefined)
        break
      case 'replayEdited':
        if (delivery) engine.replayEdited(delivery.id, { edited: pick }).catch(() => undefined)
        break
      case 'restart':
        // What a crash leaves, and the next start finds.
        engine.reset()
        break
      default:
    }
    // Lets all that follows happen.
    for (let count = 0; count < 3; count++) await new Promise(setImmediate)
  }

  #answer(pick: number, verdict: keyof typeof verdicts): void {
    const { answers } = this.#rig
    const [answer] = answers.splice(pick % Math.max(answers.length, 1), 1)
    answer?.({ durationMs: 1, timings: {}, ...verdicts[verdict] })
  }

  /** Receives whatever is still sent, and lets retries come: nothing may be left that never ends. */
  async end(): Promise<void> {
    const { world, answers } = this.#rig
    for (let count = 0; count < 200; count++) {
      while (answers.length > 0) this.#answer(0, 'received')
      if (await world.engine.idle({ timeoutMs: 5 })) return
      // Those held for want of room may stand behind one that waits.
      if (count % 10 === 9) world.clock.advance(72_000)
    }
    this.faults.push(`never quiet: ${JSON.stringify(world.engine.outstanding())}`)
  }
}

async function startRig(): Promise<Rig> {
  const problems: string[] = []
  const answers: Rig['answers'] = []
  const world = await createWebhookWorld({
    engine: {
      profile,
      concurrency: { perWebhook: 2, overall: 3 },
      backlog: { deliveries: 6, bytes: 1_000_000 },
      onProblem: (message) => problems.push(message),
      wire: wireOf(() => {
        let answer: Rig['answers'][number] = () => {}
        const result = new Promise<AttemptResult>((resolve) => {
          answer = resolve
        })
        answers.push(answer)
        return { result, abort: (error) => answer({ durationMs: 1, timings: {}, error }) }
      }),
    },
  })
  world.addWebhook({ url: 'http://127.0.0.1:9/' })
  world.addWebhook({ url: 'http://127.0.0.1:9/', order: 'ordered' })
  world.engine.start()
  return { world, problems, answers }
}

describe('the engine', () => {
  test('deliveries change by the rules only, in any order of actions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 15, maxLength: 40, size: 'max' }),
        async (steps) => {
          const rig = await startRig()
          const run = new Run(rig)
          for (const next of steps) await run.take(next)
          await run.end()
          expect({ faults: run.faults, problems: rig.problems }).toEqual({
            faults: [],
            problems: [],
          })
          await rig.world.close()
        },
      ),
      { numRuns: 150 },
    )
  }, 180_000)
})
