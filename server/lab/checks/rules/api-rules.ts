import { groupBy } from '../../../core/group-by.ts'
import { bodyText } from '../../../inspect/log/body-text.ts'
import {
  because,
  findBurst,
  overlaps,
  type SeenRequest,
  toleranceMs,
  waitBetween,
} from '../evidence.ts'
import { kindOfCall } from '../kind-of-call.ts'
import { rfc, type Rule } from '../rule.ts'

/** One request may have been on its way. */
const fewestIgnored = 2

const retryAfterIgnored: Rule = {
  id: 'api/retry-after-ignored',
  level: 'warning',
  certainty: 'certain',
  title: 'The app repeats a request before the time that Retry-After asks it to wait.',
  fix: 'Read Retry-After of 429 and 503, and wait that many seconds before the next try.',
  exceptions: ['it happens once, when the request may have been on its way'],
  sources: [rfc(9110, '10.2.3'), rfc(6585, '4')],
  watch({ requests }) {
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
        .filter((group) => group.length >= fewestIgnored)
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

const fewestWhoamiCalls = 20
const minuteMs = 60_000
const paths = new Set(['/api/whoami-v2', '/oauth/userinfo'])

const whoamiPerRequest: Rule = {
  id: 'api/whoami-per-request',
  level: 'note',
  certainty: 'certain',
  title: 'The app asks the Hub who the user is for each of its own requests. The Hub limits that.',
  fix: 'Keep the user in the session of the app after the sign-in, or cache the response for some minutes.',
  exceptions: ['the requests take longer than a minute'],
  sources: [
    {
      name: 'Rate limits of the Hub',
      section: 'Rate limits',
      url: 'https://huggingface.co/docs/hub/rate-limits',
    },
  ],
  watch({ requests }) {
    const calls = requests.filter(({ path, bearer }) => paths.has(path) && bearer !== undefined)
    return {
      judged: calls.length,
      sightings: [...groupBy(calls, ({ bearer }) => bearer).values()].flatMap((group) => {
        const burst = findBurst(group, fewestWhoamiCalls, minuteMs)
        const [first, last] = [burst?.[0], burst?.at(-1)]
        if (first === undefined || last === undefined) return []
        return {
          subject: { clientId: last.clientId },
          key: last.path,
          at: last.record.at,
          evidence: [
            because(first, 'asked for the user of the token'),
            because(last, `is request ${fewestWhoamiCalls} for the same user within a minute`),
          ],
        }
      }),
    }
  },
}

/** Equal requests after failures that make a storm, and their time. */
const stormSize = 5
const withinMs = 2000

const retryStorm: Rule = {
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
  watch({ requests }) {
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
        const burst = findBurst(run, stormSize, withinMs)
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
            because(last, `is the same request, try ${stormSize} within 2 seconds`),
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

const tokenFollowsRedirect: Rule = {
  id: 'api/token-follows-redirect',
  level: 'warning',
  certainty: 'certain',
  title:
    'The app sends its token to another host, to which the Hub has redirected it for a large file.',
  fix: 'Drop the Authorization header when a redirect leads to another host: fetch, requests and curl do it when they follow the redirect themselves.',
  exceptions: ['the redirect leads to the same host'],
  sources: [rfc(9110, '15.4')],
  watch({ requests }) {
    const targets = new Map<string, SeenRequest>()
    const followed: { from: SeenRequest; to: SeenRequest }[] = []
    for (const request of requests) {
      const { host = '' } = request.record.request.headers
      const from = targets.get(`${host}${request.path}`)
      if (from !== undefined) followed.push({ from, to: request })
      const target = redirectTarget(request)
      if (target !== undefined && target.host !== host) {
        targets.set(`${target.host}${target.pathname}`, request)
      }
    }
    return {
      judged: followed.length,
      sightings: followed
        .filter(({ to }) => to.record.request.headers['authorization'] !== undefined)
        .map(({ from, to }) => ({
          subject: { clientId: to.clientId ?? from.clientId },
          key: kindOfCall(from),
          at: to.record.at,
          evidence: [
            because(from, 'was redirected to another host', 'location'),
            because(to, 'has the token', 'authorization'),
          ],
        })),
    }
  },
}

function redirectTarget({ record }: SeenRequest): URL | undefined {
  const { location } = record.response.headers
  const isRedirect = record.status >= 300 && record.status < 400
  return isRedirect && typeof location === 'string' && URL.canParse(location)
    ? new URL(location)
    : undefined
}

export const apiRules: readonly Rule[] = [
  retryAfterIgnored,
  whoamiPerRequest,
  retryStorm,
  tokenFollowsRedirect,
]
