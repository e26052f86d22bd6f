import { decodeJwt } from 'jose'
import { formDecode, readBasic } from '../../../core/basic-credentials.ts'
import { groupBy } from '../../../core/group-by.ts'
import { parseScope } from '../../../hub/oauth/scope.ts'
import type { AccessToken } from '../../../store/entities/oauth-entities.ts'
import {
  because,
  endOf,
  type Evidence,
  overlaps,
  type SeenRequest,
  toleranceMs,
  waitBetween,
} from '../evidence.ts'
import { kindOfCall } from '../kind-of-call.ts'
import { openIdCore, rfc, type Rule } from '../rule.ts'

/** Refresh requests of each refresh token, in the order of their arrival. */
function refreshesByToken({ requests }: Evidence): SeenRequest[][] {
  const refreshes = requests.filter(
    ({ path, record }) => path === '/oauth/token' && record.grantType === 'refresh_token',
  )
  const groups = groupBy(refreshes, ({ form }) => form.get('refresh_token') ?? undefined)
  return [...groups.values()].map((group) =>
    group.toSorted((one, other) => one.record.receivedMs - other.record.receivedMs),
  )
}

/**
 * Checks whether a request came so soon after a response that the client cannot have read it: the sandbox answers one
 * refresh before it reads the next.
 */
function isOnItsWay(first: SeenRequest, second: SeenRequest): boolean {
  return waitBetween(first, second) < toleranceMs
}

interface Pair {
  readonly first: SeenRequest
  readonly second: SeenRequest
}

/** Refreshes that began before the one before them was answered: the client cannot have known the response. */
function racesIn(group: readonly SeenRequest[]): Pair[] {
  return pairsIn(group).filter(({ first, second }) => overlaps(first, second))
}

/** Refreshes that came right after the token was replaced: the client may have known the response, or not. */
function closeRepeatsIn(group: readonly SeenRequest[]): Pair[] {
  return pairsIn(group).filter(({ first, second }) => {
    const isReplaced = first.record.status === 200 && !first.isFaulted
    return isReplaced && !overlaps(first, second) && isOnItsWay(first, second)
  })
}

/** Checks whether some refreshes of a token may have been sent at once. */
function mayBeRace(group: readonly SeenRequest[]): boolean {
  return racesIn(group).length > 0 || closeRepeatsIn(group).length > 0
}

function pairsIn(group: readonly SeenRequest[]): Pair[] {
  return group.slice(1).flatMap((second, index) => {
    const first = group[index]
    return first === undefined ? [] : { first, second }
  })
}

const secretParameters = [
  'access_token',
  'client_secret',
  'refresh_token',
  'code_verifier',
  'device_code',
  'id_token',
]

const secretInUrl: Rule = {
  id: 'token/secret-in-url',
  level: 'error',
  certainty: 'certain',
  title:
    'A token or secret is in the query of a URL. URLs are stored in logs, histories and the Referer header.',
  fix: 'Send tokens in the Authorization header, and secrets in the form of a POST.',
  exceptions: [
    'the ID token is an id_token_hint, which is meant for the URL',
    'the parameter is empty',
  ],
  sources: [rfc(6749, '2.3.1'), rfc(6750, '2.3'), rfc(9700, '4.3.2')],
  watch(evidence) {
    const judged = evidence.requests.filter(({ query }) => query.size > 0)
    return {
      judged: judged.length,
      sightings: judged.flatMap((request) =>
        secretsIn(evidence, request).map((name) => ({
          subject: { clientId: request.clientId },
          key: `${kindOfCall(request)} ${name}`,
          at: request.record.at,
          evidence: [because(request, `has ${name} in its query`, name)],
        })),
      ),
    }
  },
}

function secretsIn({ state }: Evidence, { query }: SeenRequest): string[] {
  return [...query].flatMap(([name, value]) => {
    const isSecret =
      (secretParameters.includes(name) && value !== '') ||
      state.tokens.find('token', value) !== undefined ||
      state.refreshTokens.get(value) !== undefined
    return isSecret ? [name] : []
  })
}

const secretInBrowser: Rule = {
  id: 'token/secret-in-browser',
  level: 'error',
  certainty: 'certain',
  title: 'A browser sends the client secret, so it is in code that every visitor downloads.',
  fix: 'Make the app public and use PKCE, or send the token request from your server.',
  exceptions: [
    'a server sends Sec-Fetch-Mode, as fetch of Node does',
    'the app of the page is public',
  ],
  sources: [rfc(6749, '2.1'), rfc(6749, '10.1'), rfc(9700, '2.5')],
  watch(evidence) {
    const judged = evidence.requests.filter((request) => hasValidSecret(evidence, request))
    return {
      judged: judged.length,
      sightings: judged.filter(isFromBrowser).map((request) => ({
        subject: { clientId: request.clientId },
        key: 'client_secret',
        at: request.record.at,
        evidence: [
          because(
            request,
            'sent the client secret, and has Origin and Sec-Fetch-Site',
            'client_secret',
          ),
        ],
      })),
    }
  },
}

function hasValidSecret({ state }: Evidence, request: SeenRequest): boolean {
  const { path, form, record, clientId } = request
  if (path !== '/oauth/token' || clientId === undefined) return false
  const basic = readBasic(record.request.headers.authorization)?.password
  const secret = state.apps.get(clientId)?.clientSecret
  return (
    secret !== undefined &&
    [form.get('client_secret'), basic, formDecode(basic ?? '')].includes(secret)
  )
}

/** Node sends Sec-Fetch-Mode too; only a page has an origin and a site. */
function isFromBrowser({ record }: SeenRequest): boolean {
  const { origin } = record.request.headers
  return origin !== undefined && record.request.headers['sec-fetch-site'] !== undefined
}

const idTokenAsBearer: Rule = {
  id: 'token/id-token-as-bearer',
  level: 'error',
  certainty: 'certain',
  title:
    'The app sends an ID token as its access token. An ID token is for the app alone, and no API accepts it.',
  fix: 'Send access_token of the token response in the Authorization header.',
  exceptions: [],
  sources: [openIdCore('2'), rfc(9700, '2.3')],
  watch(evidence) {
    const judged = evidence.requests.filter(({ bearer }) => bearer !== undefined)
    return {
      judged: judged.length,
      sightings: judged
        .filter(({ bearer = '' }) => isIdToken(evidence, bearer))
        .map((request) => ({
          subject: { clientId: request.clientId ?? audienceOf(request.bearer ?? '') },
          key: kindOfCall(request),
          at: request.record.at,
          evidence: [because(request, 'sent an ID token as Bearer', 'authorization')],
        })),
    }
  },
}

/** Access tokens have a prefix, so a bare JWT of the sandbox is an ID token. */
function isIdToken({ issuer }: Evidence, bearer: string): boolean {
  return claimsOf(bearer)?.iss === issuer
}

function audienceOf(bearer: string): string | undefined {
  const audience = claimsOf(bearer)?.aud
  return typeof audience === 'string' ? audience : audience?.[0]
}

function claimsOf(bearer: string) {
  if (!bearer.startsWith('eyJ')) return undefined
  try {
    return decodeJwt(bearer)
  } catch {
    return undefined
  }
}

const refreshRace: Rule = {
  id: 'token/refresh-race',
  level: 'error',
  certainty: 'certain',
  title:
    'Two requests refresh the same token at once. The Hub takes the second one for theft and revokes the sign-in.',
  fix: 'Let one refresh per user be in flight: share its promise in a process, and use a lock between processes.',
  exceptions: [
    'the first response may have been lost',
    'an app repeats a refused refresh',
    'the second request began after the first response',
  ],
  sources: [rfc(9700, '4.14.2')],
  watch(evidence) {
    const groups = refreshesByToken(evidence)
    return {
      judged: groups.length,
      sightings: groups.flatMap(racesIn).map(({ first, second }) => ({
        subject: { clientId: second.clientId },
        key: 'refresh_token',
        at: second.record.at,
        evidence: [
          because(first, 'refreshed the token', 'refresh_token'),
          because(
            second,
            'sent the same refresh_token before the first request was answered',
            'refresh_token',
          ),
        ],
      })),
    }
  },
}

const refreshRepeated: Rule = {
  id: 'token/refresh-repeated',
  level: 'warning',
  certainty: 'likely',
  title:
    'The app sends a refresh token again right after it was replaced: two requests refreshed at once, or the new token was not kept.',
  fix: 'Let one refresh per user be in flight, and store the new refresh_token before the next one begins.',
  exceptions: ['the requests overlap', 'the first response may have been lost'],
  sources: [rfc(9700, '4.14.2'), rfc(6749, '6')],
  watch(evidence) {
    const groups = refreshesByToken(evidence)
    return {
      judged: groups.length,
      sightings: groups.flatMap((group) => {
        const [pair] = racesIn(group).length > 0 ? [] : closeRepeatsIn(group)
        if (pair === undefined) return []
        return {
          subject: { clientId: pair.second.clientId },
          key: 'refresh_token',
          at: pair.second.record.at,
          evidence: [
            because(pair.first, 'received a new refresh_token'),
            because(pair.second, 'sent the old one less than 250 ms later', 'refresh_token'),
          ],
        }
      }),
    }
  },
}

const refreshNotStored: Rule = {
  id: 'token/refresh-not-stored',
  level: 'error',
  certainty: 'certain',
  title: 'The app sends a refresh token that was already replaced: it did not keep the new one.',
  fix: 'Store refresh_token of each refresh together with access_token, in one write.',
  exceptions: ['the requests may have been sent at once'],
  sources: [rfc(6749, '6'), rfc(9700, '4.14.2')],
  watch(evidence) {
    const groups = refreshesByToken(evidence)
    return {
      judged: groups.length,
      sightings: groups.flatMap((group) => {
        const first = group.find(({ record }) => record.status === 200)
        const second =
          first && group.find(({ record }) => record.receivedMs > first.record.receivedMs)
        // A race is another mistake: the client could not know the new token yet.
        if (first === undefined || second === undefined || mayBeRace(group)) return []
        return {
          subject: { clientId: second.clientId },
          key: 'refresh_token',
          // The response may have been lost on its way.
          ...(first.isFaulted && { level: 'note' as const }),
          at: second.record.at,
          evidence: [
            because(first, 'received a new refresh_token'),
            because(second, 'sent the old one again', 'refresh_token'),
          ],
        }
      }),
    }
  },
}

/** Fewest repetitions of a refused refresh that are reported. */
const fewestRepeats = 2

const refreshAfterRefusal: Rule = {
  id: 'token/refresh-after-refusal',
  level: 'error',
  certainty: 'certain',
  title: 'The app repeats a refresh that was refused with invalid_grant, which can never succeed.',
  fix: 'After invalid_grant, forget the tokens and start a new sign-in.',
  exceptions: ['it is repeated once', 'a fault refused it', 'the requests were sent at once'],
  sources: [rfc(6749, '5.2')],
  watch(evidence) {
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

/** Refused requests with one token from which on the app does not react. */
const fewestRefused = 3
const asMany = 10
/** Parallel requests of one page are no repetition. */
const apartMs = 1000

const deadBearer: Rule = {
  id: 'token/dead-bearer',
  level: 'warning',
  certainty: 'certain',
  title: 'The app goes on sending a token that has expired or was revoked.',
  fix: 'After 401, refresh the token once, or ask the user to sign in again.',
  exceptions: [
    'the app refreshes after each refusal',
    'the requests were on their way',
    'one page sends its requests at once',
  ],
  sources: [rfc(6750, '3.1'), rfc(9110, '15.5.2')],
  watch({ requests, state }) {
    const known = requests.filter(
      ({ bearer, isFaulted }) =>
        !isFaulted && bearer !== undefined && state.tokens.find('token', bearer) !== undefined,
    )
    const groups = [...groupBy(known, ({ bearer }) => bearer).values()]
    return {
      judged: groups.length,
      sightings: groups.flatMap((group) => {
        const refused = refusedAfterFirst(group)
        const [first, last] = [refused[0], refused.at(-1)]
        if (first === undefined || last === undefined || !isRepeated(refused)) return []
        return {
          subject: { clientId: last.clientId },
          key: 'authorization',
          ...(refused.length >= asMany && { level: 'error' as const }),
          at: last.record.at,
          evidence: [
            because(first, 'was refused with 401', 'authorization'),
            because(last, `is request ${refused.length} with the same token`, 'authorization'),
          ],
        }
      }),
    }
  },
}

/** The first refused request, and those that began after its response. */
function refusedAfterFirst(group: readonly SeenRequest[]): SeenRequest[] {
  const refused = group.filter(({ record }) => record.status === 401)
  const [first] = refused
  if (first === undefined) return []
  return [first, ...refused.filter(({ record }) => record.receivedMs > endOf(first))]
}

function isRepeated(refused: readonly SeenRequest[]): boolean {
  if (refused.length < fewestRefused) return false
  const routes = new Set(refused.map(({ path, record }) => `${record.method} ${path}`))
  const isApart = refused.slice(1).every((request, index) => {
    const before = refused[index]
    return before !== undefined && waitBetween(before, request) >= apartMs
  })
  return routes.size >= fewestRefused || isApart
}

/** One refused request may be how the app finds out. */
const fewestUnnoticed = 2

const narrowerNotNoticed: Rule = {
  id: 'token/narrower-not-noticed',
  level: 'warning',
  certainty: 'certain',
  title: 'The app received fewer scopes than it asked for, and uses the token as if it had them.',
  fix: 'Read scope of the token response, and offer only what it allows.',
  exceptions: ['the app finds out by one refused request', 'the app never asked for the scope'],
  sources: [rfc(6749, '3.3'), rfc(6749, '5.1')],
  watch(evidence) {
    const asked = askedByFamily(evidence)
    const narrower = evidence.requests.flatMap((request) => {
      const token = evidence.state.tokens.find('token', request.bearer ?? '')
      const wanted = token?.familyId === undefined ? undefined : asked.get(token.familyId)
      const missing = wanted?.filter((scope) => token?.scopes.includes(scope) === false) ?? []
      return missing.length === 0 ? [] : [{ request, missing }]
    })
    const refused = narrower.filter(({ request, missing }) =>
      missing.includes(missingScopeOf(request) ?? ''),
    )
    const groups = groupBy(refused, ({ request }) =>
      JSON.stringify([request.clientId, missingScopeOf(request)]),
    )
    return {
      judged: narrower.length,
      sightings: [...groups.values()].flatMap((group) => {
        const [first, last] = [group[0]?.request, group.at(-1)?.request]
        if (first === undefined || last === undefined || group.length < fewestUnnoticed) return []
        const scope = missingScopeOf(last) ?? ''
        return {
          subject: { clientId: last.clientId },
          key: scope,
          at: last.record.at,
          evidence: [
            because(first, `was refused: the token lacks ${scope}`),
            because(last, `is refused request ${group.length} for this reason`),
          ],
        }
      }),
    }
  },
}

/** Requested scopes of the sign-ins, by the family of their tokens. */
function askedByFamily({ signIns, state }: Evidence): Map<string, string[]> {
  return new Map(
    signIns.flatMap(({ issued, asked }) => {
      const code = issued && state.codes.get(issued.code)
      const scope = asked.get('scope')
      return code === undefined || scope === null ? [] : [[code.familyId, parseScope(scope)]]
    }),
  )
}

function missingScopeOf({ record }: SeenRequest): string | undefined {
  if (record.status !== 403) return undefined
  const challenge = String(record.response.headers['www-authenticate'])
  return /error="insufficient_scope", scope="([^"]+)"/.exec(challenge)?.[1]
}

/** Early refreshes in a row that are a habit. */
const fewestEarly = 3
/** Part of the lifetime that is left. */
const mostLeft = 0.8

const refreshedEarly: Rule = {
  id: 'token/refreshed-early',
  level: 'note',
  certainty: 'certain',
  title: 'The app refreshes its token long before the token expires.',
  fix: 'Keep the access token for expires_in seconds, and refresh shortly before its end or after a 401.',
  exceptions: ['most of the lifetime is over'],
  sources: [rfc(6749, '1.5')],
  watch(evidence) {
    const refreshes = evidence.requests.flatMap((request) => readRefresh(evidence, request))
    const families = groupBy(refreshes, ({ replaced }) => replaced.familyId)
    return {
      judged: refreshes.length,
      sightings: [...families.values()].flatMap((family) => {
        const late = family.findLastIndex(({ left }) => left <= mostLeft)
        const early = family.slice(late + 1)
        const [first, last] = [early[0], early.at(-1)]
        if (first === undefined || last === undefined || early.length < fewestEarly) return []
        return {
          subject: { clientId: last.request.clientId },
          key: 'refresh_token',
          at: last.request.record.at,
          evidence: [first, last].map(({ request, left }) =>
            because(request, `came with ${Math.round(left * 100)} % of the lifetime left`),
          ),
        }
      }),
    }
  },
}

interface Refresh {
  request: SeenRequest
  replaced: AccessToken
  /** Part of its lifetime. */
  left: number
}

/** The token that a refresh replaced is the one before in its family. */
function readRefresh({ state }: Evidence, request: SeenRequest): Refresh[] {
  const { record, form, path } = request
  if (path !== '/oauth/token' || record.grantType !== 'refresh_token' || record.status !== 200) {
    return []
  }
  const { familyId } = state.refreshTokens.get(form.get('refresh_token') ?? '') ?? {}
  const family = familyId === undefined ? [] : state.tokens.group('family', familyId)
  const replaced = family.findLast(({ createdAt }) => createdAt < record.at)
  if (replaced?.expiresAt === undefined) return []
  const left = (replaced.expiresAt - record.at) / (replaced.expiresAt - replaced.createdAt)
  return [{ request, replaced, left }]
}

export const tokenRules: readonly Rule[] = [
  secretInUrl,
  secretInBrowser,
  idTokenAsBearer,
  refreshRace,
  refreshRepeated,
  refreshNotStored,
  refreshAfterRefusal,
  deadBearer,
  narrowerNotNoticed,
  refreshedEarly,
]
