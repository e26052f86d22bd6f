import type { AdviceLevel } from '../../../contract/words/advice-words.ts'
import { groupBy } from '../../../core/group-by.ts'
import { isSecretName } from '../../../core/mask.ts'
import { readScopes } from '../../../hub/oauth/scope.ts'
import { knownParameter } from '../../../inspect/details/known-parameters.ts'
import type { AuthorizationCode } from '../../../store/entities/oauth-entities.ts'
import {
  because,
  type Evidence,
  findBurst,
  isBoundByNonce,
  type SeenRequest,
  type SeenSignIn,
  waitBetween,
} from '../evidence.ts'
import { type Watched, openIdCore, rfc, type Rule } from '../rule.ts'

/**
 * Finds sign-ins of an app that were completed with the same value of a parameter. A reload or the Back button repeats a
 * request too, but only one of those is completed.
 */
function findReused(
  { signIns }: Evidence,
  name: 'state' | 'code_challenge' | 'nonce',
  levelOf: (asked: URLSearchParams) => AdviceLevel | undefined = () => undefined,
): Watched {
  const completed = signIns.filter(
    ({ asked, redeemed }) => redeemed !== undefined && asked.get(name),
  )
  const groups = groupBy(completed, ({ clientId, asked }) =>
    JSON.stringify([clientId, asked.get(name)]),
  )
  const sightings = [...groups.values()].flatMap((group) => {
    const [first, ...later] = group
    if (first === undefined) return []
    return later.map(({ clientId, asked, authorization }) => {
      const level = levelOf(asked)
      return {
        subject: { clientId },
        key: name,
        ...(level !== undefined && { level }),
        at: authorization.record.at,
        evidence: [
          because(first.authorization, `sent this ${name} first`, name),
          because(authorization, `sent the same ${name} again`, name),
        ],
      }
    })
  })
  return { judged: completed.length, sightings }
}

const noCodeBinding: Rule = {
  id: 'sign-in/no-code-binding',
  level: 'error',
  certainty: 'certain',
  title:
    'Nothing binds the authorization code to the browser that started the sign-in: a stolen code signs its thief in.',
  fix: 'Use PKCE with S256, in public apps and in apps with a secret: send code_challenge, and code_verifier with the code.',
  exceptions: ['the sign-in was never completed', 'a fault changed the sign-in'],
  sources: [rfc(9700, '2.1.1'), rfc(9700, '4.5.3')],
  watch({ signIns }) {
    const redeemed = signIns.filter(({ redeemed: tokens }) => tokens !== undefined)
    return {
      judged: redeemed.length,
      sightings: redeemed
        .filter((signIn) => !signIn.asked.has('code_challenge') && !isBoundByNonce(signIn))
        .map(({ clientId, asked, authorization }) => ({
          subject: { clientId },
          key: 'code_challenge',
          at: authorization.record.at,
          evidence: [
            because(
              authorization,
              asked.has('nonce')
                ? 'has no code_challenge, and a nonce without the scope openid, so that no ID token returns it'
                : 'has neither code_challenge nor nonce',
              'code_challenge',
            ),
          ],
        })),
    }
  },
}

const noCsrfProtection: Rule = {
  id: 'sign-in/no-csrf-protection',
  level: 'error',
  certainty: 'certain',
  title: 'Any page can sign your user in as another user, because the app accepts any code.',
  fix: 'Send a random state that is bound to the session of the browser and compare it in the callback, or use PKCE.',
  exceptions: ['the sign-in was never completed', 'a fault changed the sign-in'],
  sources: [rfc(6749, '10.12'), rfc(9700, '4.7')],
  watch({ signIns }) {
    const redeemed = signIns.filter(({ redeemed: tokens }) => tokens !== undefined)
    return {
      judged: redeemed.length,
      sightings: redeemed
        .filter(
          (signIn) =>
            !signIn.asked.has('state') &&
            !signIn.asked.has('code_challenge') &&
            !isBoundByNonce(signIn),
        )
        .map(({ clientId, asked, authorization }) => ({
          subject: { clientId },
          key: 'state',
          at: authorization.record.at,
          evidence: [
            because(
              authorization,
              asked.has('nonce')
                ? 'has neither state nor code_challenge, and a nonce without the scope openid, so that no ID token returns it'
                : 'has neither state, code_challenge nor nonce',
              'state',
            ),
          ],
        })),
    }
  },
}

const stateReused: Rule = {
  id: 'sign-in/state-reused',
  level: 'error',
  certainty: 'certain',
  title: 'The state is the same in several sign-ins, so it does not prove who started one.',
  fix: 'Generate a random state for each sign-in, and keep it in the session of the browser.',
  exceptions: ['the Back button repeats a request that was left'],
  sources: [rfc(6749, '10.12')],
  watch: (evidence) =>
    // PKCE protects these sign-ins all the same.
    findReused(evidence, 'state', (asked) => (asked.has('code_challenge') ? 'warning' : undefined)),
}

const challengeReused: Rule = {
  id: 'sign-in/challenge-reused',
  level: 'error',
  certainty: 'certain',
  title:
    'Several sign-ins use the same PKCE verifier, so an attacker who learns it once can redeem every code.',
  fix: 'Generate a new code_verifier for each sign-in.',
  exceptions: ['only one of the sign-ins was completed'],
  sources: [rfc(7636, '4.1'), rfc(9700, '2.1.1')],
  watch: (evidence) => findReused(evidence, 'code_challenge'),
}

const nonceReused: Rule = {
  id: 'sign-in/nonce-reused',
  level: 'warning',
  certainty: 'certain',
  title: 'The nonce is the same in several sign-ins, so an ID token of one passes for another.',
  fix: 'Generate a random nonce for each sign-in, and compare it with the claim nonce of the ID token.',
  exceptions: ['only one of the sign-ins was completed'],
  sources: [openIdCore('15.5.2')],
  watch: (evidence) => findReused(evidence, 'nonce'),
}

/** Example of RFC 7636, appendix B. */
const publishedVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

const knownVerifier: Rule = {
  id: 'sign-in/known-verifier',
  level: 'error',
  certainty: 'certain',
  title: 'The PKCE verifier can be guessed, so PKCE protects nothing.',
  fix: 'Generate code_verifier from 32 random bytes, encoded as base64url.',
  exceptions: [],
  sources: [rfc(7636, '7.1')],
  watch({ signIns }) {
    const sent = signIns.flatMap((signIn) =>
      signIn.redemptions
        .filter(({ form }) => form.has('code_verifier'))
        .map((redemption) => ({ signIn, redemption })),
    )
    return {
      judged: sent.length,
      sightings: sent.flatMap(({ signIn, redemption }) => {
        const guess = guessOf(signIn, redemption.form.get('code_verifier') ?? '')
        if (guess === undefined) return []
        return {
          subject: { clientId: signIn.clientId },
          key: 'code_verifier',
          at: redemption.record.at,
          evidence: [because(redemption, `code_verifier ${guess}`, 'code_verifier')],
        }
      }),
    }
  },
}

function guessOf({ asked }: SeenSignIn, verifier: string): string | undefined {
  if (verifier === publishedVerifier) return 'is the example of RFC 7636'
  const same = ['state', 'nonce', 'client_id'].find((name) => asked.get(name) === verifier)
  if (same !== undefined) return `equals ${same}`
  return /^(.)\1*$/.test(verifier) ? 'repeats one character' : undefined
}

/** Shorter values may be in a state by chance. */
const shortestSecret = 8

const stateCarriesSecret: Rule = {
  id: 'sign-in/state-carries-secret',
  level: 'error',
  certainty: 'certain',
  title:
    'The state contains a secret. It travels in URLs, so histories, logs and other pages learn it.',
  fix: 'Keep code_verifier, client secret and tokens in the session of the browser, and send a random state.',
  exceptions: [],
  sources: [rfc(9700, '4.2.4'), rfc(9700, '4.7.1')],
  watch(evidence) {
    const judged = evidence.signIns.filter(({ asked }) => asked.get('state'))
    return {
      judged: judged.length,
      sightings: judged.flatMap((signIn) => {
        const name = secretIn(evidence, signIn)
        if (name === undefined) return []
        return {
          subject: { clientId: signIn.clientId },
          key: name,
          at: signIn.authorization.record.at,
          evidence: [
            {
              ...because(signIn.authorization, `has the ${name} in its state`, 'state'),
              isSecret: true,
            },
          ],
        }
      }),
    }
  },
}

function secretIn({ state }: Evidence, signIn: SeenSignIn): string | undefined {
  const sent = textsOf(signIn.asked.get('state') ?? '')
  const holds = (secret: string | null | undefined) =>
    secret != null && secret.length >= shortestSecret && sent.some((text) => text.includes(secret))
  if (signIn.redemptions.some(({ form }) => holds(form.get('code_verifier')))) {
    return 'code_verifier'
  }
  const app = signIn.clientId === undefined ? undefined : state.apps.get(signIn.clientId)
  if (holds(app?.clientSecret)) return 'client_secret'
  const words = sent.flatMap((text) => text.split(/[^\w.~-]+/))
  if (words.some((word) => state.tokens.find('token', word) !== undefined)) return 'access_token'
  return words.some((word) => state.refreshTokens.get(word) !== undefined)
    ? 'refresh_token'
    : undefined
}

/** A state is often JSON in base64. */
function textsOf(state: string): string[] {
  return [state, Buffer.from(state, 'base64url').toString('utf8')]
}

const codeRedeemedTwice: Rule = {
  id: 'sign-in/code-redeemed-twice',
  level: 'error',
  certainty: 'certain',
  title:
    'The app sends an authorization code again. The Hub then revokes every token of the sign-in.',
  fix: 'Handle the callback once: React strict mode, a reload and a second tab run it again. Redirect away from it at once.',
  exceptions: [
    'the Hub was out of order and never saw the first request',
    'the first request was refused for another reason',
    'the developer sent the request again by hand',
  ],
  sources: [rfc(6749, '4.1.2'), rfc(6749, '10.5')],
  watch({ requests, state }) {
    // Not by sign-in: those that a fault changed are no evidence of other rules.
    const redemptions = requests.filter(
      ({ path, record, form }) =>
        path === '/oauth/token' &&
        record.grantType === 'authorization_code' &&
        state.codes.get(form.get('code') ?? '')?.usedAt !== undefined,
    )
    const groups = groupBy(redemptions, ({ form }) => form.get('code') ?? undefined)
    return {
      judged: groups.size,
      sightings: [...groups.values()].flatMap((group) => {
        const first = group.find(({ record }) => record.status === 200) ?? group.find(isLost)
        if (first === undefined) return []
        const later = group.slice(group.indexOf(first) + 1)
        return later.filter(isRefused).map((other) => ({
          subject: { clientId: other.clientId ?? first.clientId },
          key: 'code',
          // Without the response, an app cannot know that the code was redeemed.
          ...(isLost(first) && { level: 'note' as const }),
          at: other.record.at,
          evidence: [
            because(first, isLost(first) ? 'got no tokens' : 'redeemed the code', 'code'),
            because(other, 'sent the same code again', 'code'),
          ],
        }))
      }),
    }
  },
}

function isRefused({ record }: SeenRequest): boolean {
  return record.error === 'invalid_grant'
}

/** The Hub may have redeemed the code all the same. */
function isLost({ record, isFaulted }: SeenRequest): boolean {
  return isFaulted || record.status === 0 || record.status >= 500
}

/** Sign-ins without a page that make a loop, and their time. */
const loopSize = 4
const withinMs = 10_000

const loop: Rule = {
  id: 'sign-in/loop',
  level: 'warning',
  certainty: 'certain',
  title:
    'The app sends the browser back to the Hub again and again, because it does not recognize the user after the sign-in.',
  fix: 'Keep the session cookie of the app: no Secure on http, SameSite=Lax, and one host (localhost and 127.0.0.1 have different cookies).',
  exceptions: [
    'the app sends prompt=none, which asks for no page',
    'a person answers a page in each of them',
    'the sign-ins are hours apart',
  ],
  sources: [
    {
      name: 'RFC 6265bis',
      section: '5.6',
      url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.6',
    },
  ],
  watch({ signIns }) {
    const silent = signIns.filter(isWithoutPage)
    const groups = groupBy(silent, ({ clientId, authorization }) => {
      const session = sessionOf(authorization.record.request.headers.cookie)
      return session && JSON.stringify([clientId, session])
    })
    return {
      judged: [...groups.values()].flat().length,
      sightings: [...groups.values()].flatMap((group) => {
        const burst = findBurst(
          group.map(({ authorization }) => authorization),
          loopSize,
          withinMs,
        )
        const [first, last] = [burst?.[0], burst?.at(-1)]
        if (first === undefined || last === undefined) return []
        return {
          subject: { clientId: group[0]?.clientId },
          key: 'session',
          at: last.record.at,
          evidence: [
            because(first, 'was answered with a code'),
            because(last, `is sign-in ${loopSize} of the same browser within 10 seconds`),
          ],
        }
      }),
    }
  },
}

/** The hub answers with a code at once: nobody has answered a page, and the app did not ask for that by prompt=none. */
function isWithoutPage({ issued, authorization, asked }: SeenSignIn): boolean {
  return (
    issued?.by === authorization && authorization.record.method === 'GET' && !asked.has('prompt')
  )
}

function sessionOf(cookie: string | undefined): string | undefined {
  return /hub_sandbox_session\w*=([^;]+)/.exec(cookie ?? '')?.[1]
}

const frames = new Set(['iframe', 'frame', 'embed', 'object'])

const inAFrame: Rule = {
  id: 'sign-in/in-a-frame',
  level: 'warning',
  certainty: 'certain',
  title:
    'The app opens the sign-in in a frame, where cookies and the pages of the Hub may be missing.',
  fix: 'Open the sign-in in the whole window, a new tab or a popup. In a Space the app itself is in a frame: use target=_blank.',
  exceptions: [
    'the request has prompt=none, which shows no page',
    'a Space frame of the dashboard shows the page',
  ],
  sources: [rfc(9700, '4.16')],
  watch({ requests }) {
    const judged = requests.filter(isPage)
    return {
      judged: judged.length,
      sightings: judged
        .filter(
          (request) =>
            frames.has(String(request.record.request.headers['sec-fetch-dest'])) &&
            request.query.get('prompt') !== 'none' &&
            isHidden(request),
        )
        .map((request) => ({
          subject: { clientId: request.clientId },
          key: request.path,
          at: request.record.at,
          evidence: [
            because(request, 'was made by a frame, says Sec-Fetch-Dest', 'sec-fetch-dest'),
          ],
        })),
    }
  },
}

/** The app of a Space may show the page in its own frame, as on the Hub. */
function isHidden({ record: { status, response } }: SeenRequest): boolean {
  return status === 403 || response.headers['x-frame-options'] === 'DENY'
}

function isPage({ path, record }: SeenRequest): boolean {
  return (
    (path === '/oauth/authorize' || path === '/login') &&
    record.request.headers['sec-fetch-dest'] !== undefined
  )
}

const codeInReferer: Rule = {
  id: 'sign-in/code-in-referer',
  level: 'warning',
  certainty: 'certain',
  title:
    'The app shows a page at a URL with a code or token, so the browser sends it on in the Referer header.',
  fix: 'Redirect from the callback before a page is shown, and set Referrer-Policy: no-referrer there.',
  exceptions: ['the page is one of the sandbox'],
  sources: [rfc(9700, '4.2.4')],
  watch(evidence) {
    const judged = evidence.requests.flatMap((request) => {
      const referer = refererOf(evidence, request)
      return referer === undefined ? [] : [{ request, referer }]
    })
    return {
      judged: judged.length,
      sightings: judged.flatMap(({ request, referer }) => {
        const found = findIssued(evidence, referer)
        if (found === undefined) return []
        return {
          subject: { clientId: found.clientId },
          key: found.what,
          at: request.record.at,
          evidence: [
            {
              ...because(request, `has a ${found.what} in its Referer`, 'referer'),
              // Under a usual name, such as code, it is masked where it is.
              ...(isSecretName(found.name) ? {} : { isSecret: true }),
            },
          ],
        }
      }),
    }
  },
}

/** Pages of the sandbox itself have their own addresses in Referer. */
function refererOf({ issuer }: Evidence, { record }: SeenRequest): URL | undefined {
  const { referer } = record.request.headers
  if (referer === undefined || !URL.canParse(referer)) return undefined
  const url = new URL(referer)
  return url.origin === new URL(issuer).origin ? undefined : url
}

function findIssued({ state }: Evidence, { searchParams, hash }: URL) {
  for (const [name, value] of [...searchParams, ...new URLSearchParams(hash.slice(1))]) {
    const code = state.codes.get(value)
    if (code !== undefined) return { what: 'code', name, clientId: code.clientId }
    const token = state.tokens.find('token', value) ?? state.refreshTokens.get(value)
    if (token !== undefined) return { what: 'token', name, clientId: token.clientId }
  }
  return undefined
}

const pkceAbsent: Rule = {
  id: 'sign-in/pkce-absent',
  level: 'note',
  certainty: 'certain',
  title: 'The app does not use PKCE. Its nonce protects it only if the app checks the ID token.',
  fix: 'Send code_challenge with S256, and code_verifier with the code: the Hub supports PKCE for every app.',
  exceptions: ['the app sends no nonce either, which is the error sign-in/no-code-binding'],
  sources: [rfc(9700, '2.1.1')],
  watch({ signIns }) {
    const redeemed = signIns.filter(({ redeemed: tokens }) => tokens !== undefined)
    return {
      judged: redeemed.length,
      sightings: redeemed
        // Without a nonce it is the error sign-in/no-code-binding.
        .filter((signIn) => isBoundByNonce(signIn) && !signIn.asked.has('code_challenge'))
        .map(({ clientId, authorization }) => ({
          subject: { clientId },
          key: 'code_challenge',
          at: authorization.record.at,
          evidence: [because(authorization, 'has a nonce and no code_challenge', 'code_challenge')],
        })),
    }
  },
}

/** Parameters of other providers. */
const foreign: ReadonlyMap<string, string> = new Map([
  ['access_type', 'the Hub sends a refresh token without it'],
  ['approval_prompt', 'use prompt=consent'],
  ['include_granted_scopes', 'the Hub grants the scopes of the request'],
  ['domain_hint', 'the Hub has no counterpart'],
  ['connection', 'the Hub has no counterpart'],
  ['organization_id', 'use orgIds'],
  ['hd', 'use orgIds'],
  ['allow_signup', 'the Hub has no counterpart'],
])

/** A request can name thousands. */
const mostScopes = 5

const parameterIgnored: Rule = {
  id: 'sign-in/parameter-ignored',
  level: 'note',
  certainty: 'certain',
  title: 'The app sends a parameter or scope that the Hub ignores, so it has no effect.',
  fix: 'Remove it, or use its counterpart of the Hub. A refresh token needs no scope offline_access.',
  exceptions: ['the parameter is unknown'],
  sources: [rfc(6749, '3.1')],
  watch({ signIns }) {
    return {
      judged: signIns.length,
      sightings: signIns.flatMap(({ clientId, asked, authorization }) =>
        ignoredNames(asked).map(({ name, why }) => ({
          subject: { clientId },
          key: name,
          at: authorization.record.at,
          evidence: [because(authorization, `sent ${name}: ${why}`, name.split(' ', 1)[0])],
        })),
      ),
    }
  },
}

/** Unknown names are not reported: an app may use them itself. */
function ignoredNames(asked: URLSearchParams): { name: string; why: string }[] {
  const parameters = [...new Set(asked.keys())].flatMap((name) => {
    const why = ignoredBecause(name)
    return why === undefined ? [] : [{ name, why }]
  })
  const { known = [], unknown } = readScopes(asked.get('scope') ?? undefined)
  // A scope without any known name is refused instead.
  const scopes = (known.length === 0 ? [] : unknown.slice(0, mostScopes)).map((scope) => ({
    name: `scope ${scope}`,
    why: 'the Hub has no such scope',
  }))
  return [...parameters, ...scopes]
}

function ignoredBecause(name: string): string | undefined {
  const known = knownParameter(name)
  return known?.readAt.includes('authorize') === false ? known.purpose : foreign.get(name)
}

const codeExpired: Rule = {
  id: 'sign-in/code-expired',
  level: 'note',
  certainty: 'certain',
  title: 'The app redeems the code after it has expired.',
  fix: 'Redeem the code in the callback itself, before anything else.',
  exceptions: ['the clock was moved', 'the clock stood still'],
  sources: [rfc(6749, '4.1.2')],
  watch({ signIns, state }) {
    const sent = signIns.flatMap((signIn) => {
      const { issued, redemptions, clientId } = signIn
      const [first] = redemptions
      const code = issued && state.codes.get(issued.code)
      if (issued === undefined || code === undefined || first === undefined) return []
      return [{ clientId, issued, first, code }]
    })
    return {
      judged: sent.length,
      sightings: sent
        .filter(({ first, issued, code }) => isLate(first, issued.by, code))
        .map(({ clientId, issued, first }) => ({
          subject: { clientId },
          key: 'code',
          at: first.record.at,
          evidence: [
            because(issued.by, 'was answered with the code'),
            because(
              first,
              `sent the code ${Math.round(waitBetween(issued.by, first) / 1000)} s later`,
            ),
          ],
        })),
    }
  },
}

type Lifetime = Pick<AuthorizationCode, 'createdAt' | 'expiresAt'>

/** Both clocks count: a clock that was moved makes nobody late, and while it stands still no code expires. */
function isLate(
  { record }: SeenRequest,
  issuedBy: SeenRequest,
  { createdAt, expiresAt }: Lifetime,
): boolean {
  return (
    record.error === 'invalid_grant' &&
    record.at >= expiresAt &&
    record.receivedMs - issuedBy.record.receivedMs >= expiresAt - createdAt
  )
}

const codeLeft: Rule = {
  id: 'sign-in/code-left',
  level: 'note',
  certainty: 'certain',
  title: 'The app received a code and never redeemed it: the user did not get in.',
  fix: 'Look at the callback of this sign-in: a lost cookie, another host or a wrong path ends it before the token request.',
  exceptions: ['the code is still valid', 'the app has never redeemed a code'],
  sources: [rfc(6749, '4.1.3')],
  watch({ signIns, requests, state }) {
    const redeeming = new Set(
      signIns.filter(({ redeemed }) => redeemed !== undefined).map(({ clientId }) => clientId),
    )
    // An app that has redeemed before is known to be here, and not a page that is tried by hand.
    const judged = signIns.filter(
      ({ issued, clientId }) => issued !== undefined && redeeming.has(clientId),
    )
    return {
      judged: judged.length,
      sightings: judged.flatMap(({ clientId, issued, redemptions }) => {
        const code = issued && state.codes.get(issued.code)
        if (issued === undefined || code === undefined || redemptions.length > 0) return []
        const later = requests.find(
          (request) => request.clientId === clientId && request.record.at > code.expiresAt,
        )
        if (later === undefined) return []
        return {
          subject: { clientId },
          key: 'code',
          at: issued.by.record.at,
          evidence: [
            because(issued.by, 'sent the code to the app'),
            because(later, 'came after the code had expired'),
          ],
        }
      }),
    }
  },
}

/** Characters of a state that cannot be tried out. */
const shortestState = 8

const stateGuessable: Rule = {
  id: 'sign-in/state-guessable',
  level: 'warning',
  certainty: 'likely',
  title: 'The state looks as if it can be guessed, and nothing else protects the sign-in.',
  fix: 'Generate state from 16 random bytes or more, and use PKCE.',
  exceptions: ['PKCE protects the sign-in'],
  sources: [rfc(6749, '10.10')],
  watch({ signIns }) {
    const judged = signIns.filter(
      (signIn) =>
        signIn.redeemed !== undefined &&
        signIn.asked.has('state') &&
        !signIn.asked.has('code_challenge') &&
        !isBoundByNonce(signIn),
    )
    return {
      judged: judged.length,
      sightings: judged.flatMap(({ clientId, asked, authorization }) => {
        const why = weaknessOf(asked.get('state') ?? '')
        if (why === undefined) return []
        return {
          subject: { clientId },
          key: 'state',
          at: authorization.record.at,
          evidence: [because(authorization, `has a state that ${why}`, 'state')],
        }
      }),
    }
  },
}

function weaknessOf(state: string): string | undefined {
  if (state.length < shortestState) return `has ${state.length} characters`
  // Times are digits too.
  if (/^\d+(?:\.\d+)?$/.test(state)) return 'has digits only'
  return /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)?$/.test(state) ? 'is a time' : undefined
}

/** Web views of Android, apps of Facebook and Electron. */
const embedded = /; wv\)|FBA[NV]\/| Electron\//

const embeddedBrowser: Rule = {
  id: 'sign-in/embedded-browser',
  level: 'note',
  certainty: 'likely',
  title: 'The sign-in seems to run in a browser inside the app, which could read the password.',
  fix: 'Open the sign-in in the system browser: Custom Tabs, ASWebAuthenticationSession, shell.openExternal.',
  exceptions: [],
  sources: [rfc(8252, '8.12')],
  watch({ requests }) {
    const pages = requests.filter(
      ({ path, record }) =>
        path === '/oauth/authorize' && record.request.headers['user-agent'] !== undefined,
    )
    return {
      judged: pages.length,
      sightings: pages
        .filter(({ record }) => embedded.test(record.request.headers['user-agent'] ?? ''))
        .map((request) => ({
          subject: { clientId: request.clientId },
          key: 'user-agent',
          at: request.record.at,
          evidence: [because(request, 'has the User-Agent of an embedded browser', 'user-agent')],
        })),
    }
  },
}

export const signInRules: readonly Rule[] = [
  noCodeBinding,
  noCsrfProtection,
  stateReused,
  challengeReused,
  nonceReused,
  knownVerifier,
  stateCarriesSecret,
  codeRedeemedTwice,
  loop,
  inAFrame,
  codeInReferer,
  pkceAbsent,
  parameterIgnored,
  codeExpired,
  codeLeft,
  stateGuessable,
  embeddedBrowser,
]
