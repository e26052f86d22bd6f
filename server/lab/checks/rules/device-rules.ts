import { pollAgainErrors } from '../../../contract/words/oauth-words.ts'
import { jsonOf } from '../../../inspect/details/json-body.ts'
import { bodyText } from '../../../inspect/log/body-text.ts'
import {
  because,
  endOf,
  type Evidence,
  overlaps,
  type SeenRequest,
  toleranceMs,
  waitBetween,
} from '../evidence.ts'
import { rfc, type Rule } from '../rule.ts'

/** Seconds between polls, 5 where the response names none (RFC 8628 §3.2). */
function intervalOf({ issued }: Evidence['devices'][number]): number {
  const interval = jsonOf(bodyText(issued.record.response.body))?.['interval']
  return typeof interval === 'number' ? interval : 5
}

/** Polls with the one before each. */
function pairsOf(polls: readonly SeenRequest[]): [before: SeenRequest, poll: SeenRequest][] {
  return polls.slice(1).flatMap((poll, index) => {
    const before = polls[index]
    return before === undefined ? [] : [[before, poll] as [SeenRequest, SeenRequest]]
  })
}

/** One poll may be early by accident. */
const fewestEarlyPolls = 2
/** From this number of early polls on, the app ignores the interval, which is an error. */
const asMany = 5

const tooFast: Rule = {
  id: 'device/too-fast',
  level: 'warning',
  certainty: 'certain',
  title: 'The app polls for a device code more often than the response allows.',
  fix: 'Wait interval seconds (5 without one) from each response to the next poll.',
  exceptions: ['only one poll was early'],
  sources: [rfc(8628, '3.5')],
  watch({ devices }) {
    const polled = devices.filter(({ polls }) => polls.length > 1)
    return {
      judged: polled.length,
      sightings: polled.flatMap((device) => {
        const leastMs = intervalOf(device) * 1000 - toleranceMs
        const early = pairsOf(device.polls).filter(
          ([before, poll]) =>
            before.record.error === 'authorization_pending' && waitBetween(before, poll) < leastMs,
        )
        const [before, poll] = early.at(-1) ?? []
        if (before === undefined || poll === undefined || early.length < fewestEarlyPolls) return []
        return {
          subject: { clientId: poll.clientId },
          key: 'interval',
          ...(early.length >= asMany && { level: 'error' as const }),
          at: poll.record.at,
          evidence: [
            because(device.issued, `asked for ${intervalOf(device)} s between polls`),
            because(
              poll,
              `came ${Math.round(waitBetween(before, poll))} ms after the response before`,
            ),
          ],
        }
      }),
    }
  },
}

/** Seconds that each `slow_down` adds. */
const added = 5

const ignoresSlowDown: Rule = {
  id: 'device/ignores-slow-down',
  level: 'error',
  certainty: 'certain',
  title: 'The app does not poll more slowly after slow_down.',
  fix: 'After each slow_down, add 5 seconds to the interval, for the rest of the sign-in.',
  exceptions: ['a poll was on its way'],
  sources: [rfc(8628, '3.5')],
  watch({ devices }) {
    const pairs = devices.flatMap((device) => {
      let interval = intervalOf(device)
      let slowedBy: SeenRequest | undefined
      return pairsOf(device.polls).flatMap(([before, poll]) => {
        if (before.record.error === 'slow_down') {
          interval += added
          slowedBy = before
        }
        const mustWait = pollAgainErrors.has(before.record.error ?? '')
        if (slowedBy === undefined || !mustWait || overlaps(before, poll)) return []
        return [{ slowedBy, before, poll, interval }]
      })
    })
    return {
      judged: pairs.length,
      sightings: pairs
        .filter(
          ({ before, poll, interval }) => waitBetween(before, poll) < interval * 1000 - toleranceMs,
        )
        .map(({ slowedBy, before, poll, interval }) => ({
          subject: { clientId: poll.clientId },
          key: 'slow_down',
          at: poll.record.at,
          evidence: [
            because(slowedBy, `was answered slow_down: wait ${interval} s from now on`),
            because(
              poll,
              `came ${Math.round(waitBetween(before, poll))} ms after the response before`,
            ),
          ],
        })),
    }
  },
}

const pollsOn: Rule = {
  id: 'device/polls-on',
  level: 'error',
  certainty: 'certain',
  title: 'The app goes on polling after the sign-in has ended.',
  fix: 'Poll again after authorization_pending and slow_down only; stop at tokens and at every other error.',
  exceptions: ['a poll was on its way', 'the server failed', 'a fault changed the tokens'],
  sources: [rfc(8628, '3.5')],
  watch({ devices }) {
    const polled = devices.filter(({ polls }) => polls.length > 0)
    return {
      judged: polled.length,
      sightings: polled.flatMap(({ polls }) => {
        const last = polls.find(isEnd)
        const later = last && polls.find(({ record }) => record.receivedMs > endOf(last))
        if (last === undefined || later === undefined) return []
        const end = endedBy(last)
        return {
          subject: { clientId: later.clientId },
          key: end,
          at: later.record.at,
          evidence: [because(last, `was answered with ${end}`), because(later, 'polled again')],
        }
      }),
    }
  },
}

/** A connection that broke or a server error ends nothing, nor do tokens that a fault kept from the device. */
function isEnd({ record: { status, error }, isFaulted }: SeenRequest): boolean {
  if (status === 200) return !isFaulted
  return status >= 400 && status < 500 && status !== 429 && !pollAgainErrors.has(error ?? '')
}

function endedBy({ record: { status, error } }: SeenRequest): string {
  return status === 200 ? 'tokens' : (error ?? `status ${status}`)
}

export const deviceRules: readonly Rule[] = [tooFast, ignoresSlowDown, pollsOn]
