import type { DeliveryOrder } from '../../contract/words/webhooks.ts'
import type { Delivery } from '../../state/entities/webhooks.ts'

export interface QueueLimits {
  /** Attempts of one webhook at a time. */
  perWebhook: number
  /** Attempts in all at a time; a webhook with none under way may always start one more. */
  overall: number
}

/** What may be sent next, so that no webhook waits for the receiver of another. */
export interface Queues {
  add(delivery: Queueable): void
  /** A delivery whose turn comes once more: of an ordered line it is most likely the head. */
  addAgain(delivery: Queueable): void
  /**
   * Takes the next delivery, the webhooks by turns, and counts it as under way until `done`.
   * It may have been cancelled meanwhile: the caller looks.
   */
  take(): { webhookId: string; deliveryId: string } | undefined
  done(webhookId: string): void
  /** While a line is ordered, nothing that came after this delivery is taken from it until `unblock`. */
  block(delivery: Queueable): void
  unblock(webhookId: string, deliveryId: string): void
  /** What stands behind the head of an ordered line that is held up. */
  blocked(): Iterable<string>
  /** Forgets everything: what is under way does not count any more and is not to be told as done. */
  clear(): void
}

/** `seq`: its place in the order that an ordered line keeps to, of the events as a rule. */
export type Queueable = Pick<Delivery, 'id' | 'webhookId' | 'seq'>

interface Place {
  readonly deliveryId: string
  readonly seq: number
}

interface Line {
  readonly waiting: Place[]
  /** Whether those that wait stand in the order of `seq`: not all are asked to. */
  isSorted: boolean
  active: number
  /** The places of what holds the line up while it is ordered, by id: a line may become ordered at any time. */
  readonly blockedBy: Map<string, number>
}

/**
 * @param orderOf how the deliveries of a webhook are to be taken, asked anew each time
 * @param random a number in [0, 1), to shuffle
 */
export function createQueues(
  limits: QueueLimits,
  orderOf: (webhookId: string) => DeliveryOrder,
  random: () => number,
): Queues {
  const lines = new Map<string, Line>()
  // A webhook that was served goes to the end, so each gets its turn.
  const turns = new Set<string>()
  let active = 0

  function lineOf(webhookId: string): Line {
    const line = lines.get(webhookId) ?? {
      waiting: [],
      isSorted: true,
      active: 0,
      blockedBy: new Map<string, number>(),
    }
    lines.set(webhookId, line)
    return line
  }

  function mayStart(line: Line, order: DeliveryOrder): boolean {
    if (order === 'ordered') return line.active === 0 && !isHeldUp(line)
    return line.active < limits.perWebhook && (active < limits.overall || line.active === 0)
  }

  function forgetIfIdle(webhookId: string, line: Line): void {
    if (line.active === 0 && line.waiting.length === 0 && line.blockedBy.size === 0) {
      lines.delete(webhookId)
    }
  }

  return {
    add({ webhookId, id, seq }) {
      pushBack(lineOf(webhookId), { deliveryId: id, seq })
      turns.add(webhookId)
    },
    addAgain({ webhookId, id, seq }) {
      const push = orderOf(webhookId) === 'ordered' ? pushFront : pushBack
      push(lineOf(webhookId), { deliveryId: id, seq })
      turns.add(webhookId)
    },
    take() {
      for (const webhookId of turns) {
        const line = lineOf(webhookId)
        const order = orderOf(webhookId)
        if (!mayStart(line, order)) continue
        const place = order === 'shuffled' ? Math.floor(random() * line.waiting.length) : 0
        const taken = place === 0 ? line.waiting.shift() : line.waiting.splice(place, 1)[0]
        turns.delete(webhookId)
        if (line.waiting.length > 0) turns.add(webhookId)
        if (taken === undefined) continue
        line.active++
        active++
        return { webhookId, deliveryId: taken.deliveryId }
      }
      return undefined
    },
    done(webhookId) {
      const line = lineOf(webhookId)
      line.active--
      active--
      forgetIfIdle(webhookId, line)
    },
    block({ webhookId, id, seq }) {
      lineOf(webhookId).blockedBy.set(id, seq)
    },
    unblock(webhookId, deliveryId) {
      const line = lines.get(webhookId)
      if (line?.blockedBy.delete(deliveryId) === true) forgetIfIdle(webhookId, line)
    },
    *blocked() {
      for (const [webhookId, line] of lines) {
        if (orderOf(webhookId) !== 'ordered' || !isHeldUp(line)) continue
        for (const { deliveryId } of line.waiting) yield deliveryId
      }
    },
    clear() {
      lines.clear()
      turns.clear()
      active = 0
    },
  }
}

function pushBack(line: Line, place: Place): void {
  const last = line.waiting.at(-1)
  line.isSorted = last === undefined || (line.isSorted && last.seq < place.seq)
  line.waiting.push(place)
}

function pushFront(line: Line, place: Place): void {
  const first = line.waiting[0]
  line.isSorted = first === undefined || (line.isSorted && place.seq < first.seq)
  line.waiting.unshift(place)
}

/** Whether an ordered line waits for a delivery that came before all that stand in it. */
function isHeldUp(line: Line): boolean {
  if (!line.isSorted) {
    line.waiting.sort((a, b) => a.seq - b.seq)
    line.isSorted = true
  }
  const head = line.waiting[0]
  if (head === undefined) return false
  for (const seq of line.blockedBy.values()) if (seq < head.seq) return true
  return false
}
