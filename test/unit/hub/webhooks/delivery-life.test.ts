import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Attempt, Delivery } from '../../../../server/store/entities/webhook-entities.ts'
import type { DeliveryState } from '../../../../server/contract/words/webhook-words.ts'
import {
  apply,
  beginDelivery,
  type FirstState,
  type Happening,
  type HappeningKind,
  mayHappen,
} from '../../../../server/hub/webhooks/delivery/delivery-life.ts'

const about = {
  id: 'd00000000000000000000001',
  seq: 1,
  messageId: 'm-1',
  webhookId: 'b00000000000000000000001',
  eventId: 'e00000000000000000000001',
  scope: 'repo.content',
  action: 'update',
  repo: 'acme/corpus',
  repoType: 'dataset',
  repoId: '4e9000000000000000000001',
  matchedBy: 'org:acme',
  createdAt: 1000,
}

function attemptNumbered(number: number): Attempt {
  return { id: `${about.id}/${number}`, deliveryId: about.id, number, source: 'auto', at: 1000 }
}

const states = [
  'held',
  'queued',
  'sending',
  'waiting',
  'succeeded',
  'failed',
  'cancelled',
] as const satisfies readonly DeliveryState[]

/** Next state for each event and each state above; `-` = impossible. */
const leads: Record<HappeningKind, string> = {
  held: '            -         held      -         -         -         -         -',
  released: '        queued    -         -         -         -         -         -',
  begun: '           -         sending   -         -         -         -         -',
  interrupted: '     -         -         queued    -         -         -         -',
  rescheduled: '     -         -         waiting   -         -         -         -',
  postponed: '       -         -         -         waiting   -         -         -',
  due: '             -         -         -         queued    -         -         -',
  succeeded: '       succeeded succeeded succeeded succeeded -         -         -',
  failed: '          -         -         failed    -         -         -         -',
  cancelled: '       cancelled cancelled cancelled cancelled -         -         -',
  reopened: '        -         -         -         -         -         queued    queued',
  replayBegun: '     held      queued    sending   waiting   succeeded failed    cancelled',
  replaySucceeded: ' succeeded succeeded succeeded succeeded -         succeeded succeeded',
}
const kinds = Object.keys(leads) as HappeningKind[]

/** A happening of a kind, with all that any kind needs. */
function happening(kind: HappeningKind, nextRetryAt = 9000, number = 2): Happening {
  return { kind, nextRetryAt, because: 'a test', attempt: attemptNumbered(number) }
}

/** A delivery with all that belongs to a state, as a log may hold it. */
function deliveryThatIs(state: DeliveryState): Delivery {
  return Object.freeze({
    ...about,
    state,
    attempts: 3,
    tries: 2,
    ...(state === 'waiting' && { nextRetryAt: 5000 }),
    ...(['succeeded', 'failed', 'cancelled'].includes(state) && { finishedAt: 4000 }),
    ...(state === 'cancelled' && { cancelledBecause: 'somebody did' }),
  })
}

/** @returns `undefined` when it cannot happen */
function outcome(before: Delivery, what: Happening, at: number) {
  try {
    return apply(before, what, at)
  } catch (error) {
    if (error instanceof TypeError && error.message.includes('cannot happen')) return undefined
    throw error
  }
}

describe('the life of a delivery', () => {
  describe.each(kinds)('%s', (kind) => {
    const row = leads[kind].trim().split(/ +/)

    test.each(states.map((state, index) => [state, row[index] ?? '']))('%s → %s', (state, next) => {
      const before = deliveryThatIs(state)
      expect(mayHappen(before, kind)).toBe(next !== '-')
      expect(outcome(before, happening(kind), 7000)?.delivery.state ?? '-').toBe(next)
    })
  })

  test('a new delivery has no attempts and is announced', () => {
    for (const state of ['held', 'queued', 'sending'] as const) {
      expect(beginDelivery(about, state)).toMatchObject({
        delivery: { ...about, state, attempts: 0, tries: 0 },
        event: { type: 'delivery.queued', data: { deliveryId: about.id, state } },
      })
    }
  })

  test('an event has the delivery as it is after the transition', () => {
    const attempt = { ...attemptNumbered(3), status: 503, durationMs: 12 }
    const error = { class: 'http_status', message: 'responded with 503' } as const
    const sending = deliveryThatIs('sending')
    const common = {
      deliveryId: about.id,
      number: about.seq,
      webhookId: about.webhookId,
      eventId: about.eventId,
      scope: about.scope,
      action: about.action,
      repo: about.repo,
      repoType: about.repoType,
    }
    expect(apply(sending, { kind: 'succeeded', attempt }, 7000).event).toEqual({
      type: 'delivery.succeeded',
      data: { ...common, state: 'succeeded', attempt: 3, status: 503, durationMs: 12 },
    })
    const failed = { ...attempt, error }
    expect(apply(sending, { kind: 'failed', attempt: failed }, 7000).event).toEqual({
      type: 'delivery.failed',
      data: { ...common, state: 'failed', attempt: 3, status: 503, error },
    })
    expect(apply(sending, { kind: 'rescheduled', nextRetryAt: 9000 }, 7000).event).toEqual({
      type: 'delivery.waiting',
      data: { ...common, state: 'waiting', attempt: 3, nextRetryAt: 9000 },
    })
    expect(apply(sending, { kind: 'cancelled', because: 'no' }, 7000).event).toEqual({
      type: 'delivery.cancelled',
      data: { ...common, state: 'cancelled', because: 'no' },
    })
    expect(apply(deliveryThatIs('failed'), { kind: 'reopened' }, 7000).event).toEqual({
      type: 'delivery.queued',
      data: { ...common, state: 'queued' },
    })
  })

  test('the transitions agree with a small model over 2,000 random lives', () => {
    const step = fc.record({
      kind: fc.constantFrom(...kinds),
      passes: fc.nat({ max: 1000 }),
      wait: fc.nat({ max: 60_000 }),
    })
    fc.assert(
      fc.property(
        fc.constantFrom<FirstState>('held', 'queued', 'sending'),
        fc.array(step, { maxLength: 40 }),
        (first, steps) => {
          const model = new Model(first)
          let present = beginDelivery(about, first).delivery
          let now = about.createdAt
          for (const { kind, passes, wait } of steps) {
            now += passes
            const what = happening(kind, now + wait, Math.max(present.attempts, 1))
            // What came before is never changed in place.
            Object.freeze(present)
            const event = model.meet(what, now)
            const after = outcome(present, what, now)
            expect(after === undefined ? 'impossible' : (after.event?.type ?? 'nothing')).toBe(
              event,
            )
            present = after?.delivery ?? present
            expect(present).toEqual({ ...about, ...model.shows })
          }
        },
      ),
      { numRuns: 2000 },
    )
  })
})

/**
 * The rules in other words than the table's. A delivery ends with a verdict or a cancellation; what ended without
 * success can be opened again, and a replay may still get through. Replays and attempts without a verdict take no step
 * of the schedule.
 */
class Model {
  /** Visible part of a delivery. */
  shows: Partial<Delivery>

  constructor(state: FirstState) {
    this.shows = { state, attempts: 0, tries: 0 }
  }

  /** @returns the fact that is event, or `nothing`; `impossible` when this cannot happen, and nothing has */
  meet(what: Happening, at: number): string {
    const { state, attempts = 0, tries = 0 } = this.shows
    const isOver = state === 'succeeded' || state === 'failed' || state === 'cancelled'
    switch (what.kind) {
      case 'replayBegun':
        this.shows.attempts = attempts + 1
        return 'nothing'
      case 'begun':
        return this.#become(state === 'queued', { state: 'sending', attempts: attempts + 1 })
      case 'held':
        return this.#become(state === 'queued', { state: 'held' })
      case 'released':
        return this.#become(state === 'held', { state: 'queued' })
      case 'due':
        return this.#become(state === 'waiting', { state: 'queued' })
      case 'interrupted':
        return this.#become(state === 'sending', { state: 'queued' })
      case 'postponed': {
        const { nextRetryAt } = what
        return this.#become(state === 'waiting', { state: 'waiting', nextRetryAt })
      }
      case 'rescheduled': {
        const waiting = {
          state: 'waiting',
          tries: tries + 1,
          nextRetryAt: what.nextRetryAt,
        } as const
        return this.#become(state === 'sending', waiting, 'delivery.waiting')
      }
      case 'failed':
        return this.#become(
          state === 'sending',
          { state: 'failed', finishedAt: at },
          'delivery.failed',
        )
      case 'cancelled': {
        const end = { finishedAt: at, cancelledBecause: what.because }
        return this.#become(!isOver, { state: 'cancelled', ...end }, 'delivery.cancelled')
      }
      case 'succeeded':
        return this.#succeed(!isOver, what.attempt, at)
      case 'replaySucceeded':
        return this.#succeed(state !== 'succeeded', what.attempt, at)
      case 'reopened': {
        const isLost = isOver && state !== 'succeeded'
        return this.#become(isLost, { state: 'queued', tries: 0 }, 'delivery.queued')
      }
      default:
        throw new Error('nothing else can happen')
    }
  }

  #succeed(may: boolean, { number }: Attempt, at: number): string {
    const isFirst = number === 1
    const success = { finishedAt: at, ...(isFirst && { succeededAtFirst: true }) }
    return this.#become(may, { state: 'succeeded', ...success }, 'delivery.succeeded')
  }

  /** Only what every delivery has outlives a change of state. */
  #become(may: boolean, changes: Partial<Delivery>, event = 'nothing'): string {
    if (!may) return 'impossible'
    const { attempts = 0, tries = 0 } = this.shows
    this.shows = { attempts, tries, ...changes }
    return event
  }
}

describe('the log of deliveries', () => {
  const server = join(import.meta.dirname, '../../../../server')
  const put = /\bdeliveries\s*\.\s*put\b/
  const takesTable =
    /import\s*\{[^}]*\b(apply|beginDelivery)\b[^}]*\}\s*from '[^']*delivery-life\.ts'/
  const writes = (source: string) => put.test(source) || takesTable.test(source)

  test('only the delivery log changes a delivery', () => {
    const found = readdirSync(server, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .filter((path) => writes(readFileSync(join(server, path), 'utf8')))
    expect(found).toEqual([join('hub', 'webhooks', 'delivery', 'delivery-log.ts')])
  })

  test.each([
    'state.deliveries.put({ ...delivery, state })',
    'deps.state.deliveries\n  .put(delivery)',
    "import { apply } from './delivery-life.ts'",
    "import {\n  beginDelivery,\n  mayHappen,\n} from '../../webhooks/delivery-life.ts'",
  ])('the search of this test finds %j', (planted) => {
    expect(writes(planted)).toBe(true)
  })
})

test.each([
  [{ jobId: 'j' }, true],
  [{ jobId: 'j', status: 0 }, undefined],
  [{ status: 200 }, undefined],
])('a success of %j is a recorded job: %s', (more, recorded) => {
  const { delivery } = beginDelivery(about, 'sending')
  const attempt = { ...attemptNumbered(1), ...more }
  expect(apply(delivery, { kind: 'succeeded', attempt }, 2000).delivery.recorded).toBe(recorded)
})
