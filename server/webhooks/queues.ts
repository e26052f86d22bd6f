import { createFifo, type Fifo } from './fifo.ts'
import type { DeliveryOrder } from '../contract/words/webhooks.ts'

export interface QueueLimits {
  /** Attempts of one webhook at a time. */
  perWebhook: number
  /** Attempts in all at a time; a webhook with none under way may always start one more. */
  overall: number
}

/** What may be sent next, so that no webhook waits for the receiver of another. */
export interface Queues {
  add(webhookId: string, deliveryId: string): void
  /** A delivery whose turn comes once more: of an ordered line it is the head. */
  addAgain(webhookId: string, deliveryId: string): void
  /**
   * Takes the next delivery, the webhooks by turns, and counts it as under way until `done`.
   * It may have been cancelled meanwhile: the caller looks.
   */
  take(): { webhookId: string; deliveryId: string } | undefined
  done(webhookId: string): void
  /** Holds an ordered line up until this delivery is through. */
  block(webhookId: string, deliveryId: string): void
  unblock(webhookId: string, deliveryId: string): void
  /** What stands behind the head of an ordered line that is held up. */
  blocked(): Iterable<string>
  /** Forgets everything: what is under way does not count any more and is not to be told as done. */
  clear(): void
}

interface Line {
  readonly waiting: Fifo<string>
  active: number
  blockedBy: string | undefined
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
      waiting: createFifo<string>(),
      active: 0,
      blockedBy: undefined,
    }
    lines.set(webhookId, line)
    return line
  }

  function mayStart(line: Line, order: DeliveryOrder): boolean {
    if (order === 'ordered') return line.active === 0 && line.blockedBy === undefined
    return line.active < limits.perWebhook && (active < limits.overall || line.active === 0)
  }

  function forgetIfIdle(webhookId: string, line: Line): void {
    if (line.active === 0 && line.waiting.size === 0 && line.blockedBy === undefined) {
      lines.delete(webhookId)
    }
  }

  return {
    add(webhookId, deliveryId) {
      lineOf(webhookId).waiting.push(deliveryId)
      turns.add(webhookId)
    },
    addAgain(webhookId, deliveryId) {
      const { waiting } = lineOf(webhookId)
      if (orderOf(webhookId) === 'ordered') waiting.pushFront(deliveryId)
      else waiting.push(deliveryId)
      turns.add(webhookId)
    },
    take() {
      for (const webhookId of turns) {
        const line = lineOf(webhookId)
        const order = orderOf(webhookId)
        if (!mayStart(line, order)) continue
        const place = order === 'shuffled' ? Math.floor(random() * line.waiting.size) : 0
        const deliveryId = line.waiting.take(place)
        turns.delete(webhookId)
        if (line.waiting.size > 0) turns.add(webhookId)
        if (deliveryId === undefined) continue
        line.active++
        active++
        return { webhookId, deliveryId }
      }
      return undefined
    },
    done(webhookId) {
      const line = lineOf(webhookId)
      line.active--
      active--
      forgetIfIdle(webhookId, line)
    },
    block(webhookId, deliveryId) {
      lineOf(webhookId).blockedBy = deliveryId
    },
    unblock(webhookId, deliveryId) {
      const line = lines.get(webhookId)
      if (line?.blockedBy !== deliveryId) return
      line.blockedBy = undefined
      forgetIfIdle(webhookId, line)
    },
    *blocked() {
      for (const [webhookId, line] of lines) {
        if (line.blockedBy !== undefined && orderOf(webhookId) === 'ordered') {
          yield* line.waiting.values()
        }
      }
    },
    clear() {
      lines.clear()
      turns.clear()
      active = 0
    },
  }
}
