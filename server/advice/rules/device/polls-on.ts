import { pollAgainErrors } from '../../../contract/words/oauth.ts'
import { because, endOf, type SeenRequest } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

export const pollsOn: Rule = {
  id: 'device/polls-on',
  level: 'error',
  certainty: 'certain',
  title: 'The app goes on polling after the sign-in has ended.',
  fix: 'Poll again after authorization_pending and slow_down only; stop at tokens and at every other error.',
  exceptions: ['a poll was on its way', 'the server failed', 'a fault changed the tokens'],
  sources: [rfc(8628, '3.5')],
  check({ devices }) {
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
