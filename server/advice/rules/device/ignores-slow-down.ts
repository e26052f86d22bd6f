import { pollAgainErrors } from '../../../contract/words/oauth.ts'
import { because, overlaps, type SeenRequest, toleranceMs, waitBetween } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'
import { intervalOf, pairsOf } from './device-polls.ts'

/** Seconds that each `slow_down` adds. */
const added = 5

export const ignoresSlowDown: Rule = {
  id: 'device/ignores-slow-down',
  level: 'error',
  certainty: 'certain',
  title: 'The app does not poll more slowly after slow_down.',
  fix: 'After each slow_down, add 5 seconds to the interval, for the rest of the sign-in.',
  exceptions: ['a poll was on its way'],
  sources: [rfc(8628, '3.5')],
  check({ devices }) {
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
