import { groupBy } from '../../../core/group-by.ts'
import { bodyText } from '../../../requests/log/body-text.ts'
import { because, findBurst, type SeenRequest, waitBetween } from '../../evidence.ts'
import { kindOfCall } from '../../kind-of-call.ts'
import { rfc, type Rule } from '../../rule.ts'

/** Equal requests after failures that make a storm, and their time. */
const fewest = 5
const withinMs = 2000

export const retryStorm: Rule = {
  id: 'api/retry-storm',
  level: 'warning',
  certainty: 'likely',
  title: 'The app repeats a failed request at once and at the same pace, which keeps the Hub down.',
  fix: 'Wait longer after each failure (exponential backoff with jitter), and stop after some tries.',
  exceptions: [
    'the app waits longer each time',
    'the requests succeed',
    'the bodies of the requests differ',
    'the requests were sent side by side',
  ],
  sources: [rfc(9110, '15.6.4'), rfc(8628, '3.5')],
  check({ requests }) {
    const groups = groupBy(requests, (request) =>
      JSON.stringify([
        request.clientId,
        request.bearer,
        request.record.request.headers['user-agent'],
        request.record.method,
        request.record.url,
      ]),
    )
    // Bodies may be large, and most requests succeed.
    const equal = [...groups.values()]
      .filter((group) => group.some(isFailure))
      .flatMap((group) => [...groupBy(group, bodyOf).values()])
    const failing = equal.flatMap(runsOfFailures).filter((run) => run.length > 1)
    return {
      judged: failing.length,
      sightings: failing.flatMap((run) => {
        const burst = findBurst(run, fewest, withinMs)
        const [first, last] = [burst?.[0], burst?.at(-1)]
        if (burst === undefined || first === undefined || last === undefined) return []
        const waits = waitsBetween(burst)
        if (isSideBySide(waits) || waitsGrow(waits)) return []
        return {
          subject: { clientId: last.clientId },
          key: kindOfCall(last),
          at: last.record.at,
          evidence: [
            because(first, `failed with ${first.record.status || 'a closed connection'}`),
            because(last, `is the same request, try ${fewest} within 2 seconds`),
          ],
        }
      }),
    }
  },
}

function bodyOf({ record }: SeenRequest): string {
  return bodyText(record.request.body) ?? ''
}

function runsOfFailures(group: readonly SeenRequest[]): SeenRequest[][] {
  const runs: SeenRequest[][] = [[]]
  for (const request of group) {
    runs.at(-1)?.push(request)
    if (!isFailure(request)) runs.push([])
  }
  return runs
}

function isFailure({ record }: SeenRequest): boolean {
  return record.status === 0 || record.status >= 500
}

function waitsBetween(burst: readonly SeenRequest[]): number[] {
  return burst.slice(1).flatMap((next, index) => {
    const before = burst[index]
    return before === undefined ? [] : [waitBetween(before, next)]
  })
}

function isSideBySide(waits: readonly number[]): boolean {
  return waits.some((wait) => wait < 0)
}

function waitsGrow(waits: readonly number[]): boolean {
  return waits.slice(1).every((wait, index) => wait > 1.3 * (waits[index] ?? 0))
}
