import { groupBy } from '../../../core/group-by.ts'
import { because, overlaps, type SeenRequest, toleranceMs, waitBetween } from '../../evidence.ts'
import { kindOfCall } from '../../kind-of-call.ts'
import { rfc, type Rule } from '../../rule.ts'

/** One request may have been on its way. */
const fewest = 2

export const retryAfterIgnored: Rule = {
  id: 'api/retry-after-ignored',
  level: 'warning',
  certainty: 'certain',
  title: 'The app repeats a request before the time that Retry-After asks it to wait.',
  fix: 'Read Retry-After of 429 and 503, and wait that many seconds before the next try.',
  exceptions: ['it happens once, when the request may have been on its way'],
  sources: [rfc(9110, '10.2.3'), rfc(6585, '4')],
  check({ requests }) {
    const byCaller = groupBy(requests, (request) =>
      JSON.stringify([
        request.clientId,
        request.bearer,
        request.record.request.headers['user-agent'],
        request.record.method,
        request.path,
      ]),
    )
    const pairs = [...byCaller.values()].flatMap((group) =>
      group.slice(1).flatMap((next, index) => {
        const before = group[index]
        const seconds = before === undefined ? undefined : retryAfterOf(before)
        if (before === undefined || seconds === undefined || overlaps(before, next)) return []
        return [{ before, next, seconds }]
      }),
    )
    const early = pairs.filter(
      ({ before, next, seconds }) => waitBetween(before, next) < seconds * 1000 - toleranceMs,
    )
    const byRoute = groupBy(early, ({ next }) =>
      JSON.stringify([next.clientId, next.record.method, next.path]),
    )
    return {
      judged: pairs.length,
      sightings: [...byRoute.values()]
        .filter((group) => group.length >= fewest)
        .flatMap((group) =>
          group.map(({ before, next, seconds }) => ({
            subject: { clientId: next.clientId },
            key: kindOfCall(next),
            at: next.record.at,
            evidence: [
              because(before, `was answered ${before.record.status} with Retry-After: ${seconds}`),
              because(next, `came after ${Math.round(waitBetween(before, next))} ms`),
            ],
          })),
        ),
    }
  },
}

function retryAfterOf({ record }: SeenRequest): number | undefined {
  if (record.status !== 429 && record.status !== 503) return undefined
  const seconds = Number(record.response.headers['retry-after'])
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}
