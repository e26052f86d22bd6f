import { because, toleranceMs, waitBetween } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'
import { intervalOf, pairsOf } from './device-polls.ts'

/** One poll may be early by accident. */
const fewest = 2
/** From this number of early polls on, the app ignores the interval, which is an error. */
const asMany = 5

export const tooFast: Rule = {
  id: 'device/too-fast',
  level: 'warning',
  certainty: 'certain',
  title: 'The app polls for a device code more often than the response allows.',
  fix: 'Wait interval seconds (5 without one) from each response to the next poll.',
  exceptions: ['only one poll was early'],
  sources: [rfc(8628, '3.5')],
  check({ devices }) {
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
        if (before === undefined || poll === undefined || early.length < fewest) return []
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
