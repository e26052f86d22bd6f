import { because, endOf } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'
import { isOnItsWay, mayBeRace, refreshesByToken } from './refreshes.ts'

/** Fewest repetitions of a refused refresh that are reported. */
const fewestRepeats = 2

export const refreshAfterRefusal: Rule = {
  id: 'token/refresh-after-refusal',
  level: 'error',
  certainty: 'certain',
  title: 'The app repeats a refresh that was refused with invalid_grant, which can never succeed.',
  fix: 'After invalid_grant, forget the tokens and start a new sign-in.',
  exceptions: ['it is repeated once', 'a fault refused it', 'the requests were sent at once'],
  sources: [rfc(6749, '5.2')],
  check(evidence) {
    const groups = refreshesByToken(evidence)
    return {
      judged: groups.length,
      sightings: groups.flatMap((group) => {
        const refused = group.find(({ record }) => record.error === 'invalid_grant')
        if (refused === undefined || refused.isFaulted) return []
        const isRace = mayBeRace(group)
        const repeats = group.filter(
          (other) =>
            other.record.receivedMs > endOf(refused) && !(isRace && isOnItsWay(refused, other)),
        )
        const last = repeats.at(-1)
        if (last === undefined || repeats.length < fewestRepeats) return []
        return {
          subject: { clientId: last.clientId },
          key: 'refresh_token',
          at: last.record.at,
          evidence: [
            because(refused, 'was refused with invalid_grant'),
            because(last, `is repetition ${repeats.length} of it`, 'refresh_token'),
          ],
        }
      }),
    }
  },
}
