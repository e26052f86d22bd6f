import type { DecodedToken } from '../../contract/control-flows.ts'
import { shortened } from '../../core/shortened.ts'
import type { DrawingDeps } from '../drawing/context.ts'
import { queryOf, recordPath } from '../drawing/exchanges.ts'
import type { Flow } from '../flows/flows.ts'
import type { RequestRecord } from '../log/request-log.ts'

type Check = NonNullable<DecodedToken['checks']>[number]
type Claims = Readonly<Record<string, unknown>>

/** Longest claim in an explanation, in characters. */
const longestValue = 200

/**
 * Checks the claims of an ID token as its client must, whatever changed the token on its way (OpenID Connect Core
 * §3.1.3.7). The nonce is checked only if the log still has the authorization request.
 */
export function checkClaims(
  { settings }: Pick<DrawingDeps, 'settings'>,
  flow: Flow | undefined,
  record: RequestRecord,
  claims: Claims,
): Check[] {
  return [
    checkIssuer(issuerFor(settings.baseUrl, record, claims), claims),
    ...(record.clientId === undefined ? [] : [checkAudience(record.clientId, claims)]),
    checkExpiry(record, claims),
    ...(flow === undefined ? [] : checkNonce(flow, record, claims)),
  ]
}

/** Returns the base URL. A recorded run may have had another one, which its requests name as their host. */
function issuerFor(baseUrl: string, { request }: RequestRecord, { iss }: Claims): string {
  const { host } = request.headers
  return [`http://${host}`, `https://${host}`].find((url) => url === iss) ?? baseUrl
}

function checkIssuer(issuer: string, { iss }: Claims): Check {
  const valid = iss === issuer
  const explanation = valid ? 'is the issuer.' : `is ${shown(iss)} instead of ${shown(issuer)}.`
  return { claim: 'iss', valid, explanation }
}

function checkAudience(clientId: string, { aud }: Claims): Check {
  const valid = [aud].flat().includes(clientId)
  const explanation = valid
    ? 'contains the client ID of the app.'
    : `is ${shown(aud)} and lacks the client ID ${shown(clientId)}.`
  return { claim: 'aud', valid, explanation }
}

/** Compares with the time of issue, which is never later than real time, unless it was changed to a later one. */
function checkExpiry({ endedAt }: RequestRecord, { exp, iat }: Claims): Check {
  if (typeof exp !== 'number') {
    return { claim: 'exp', valid: false, explanation: `is ${shown(exp)} instead of a time.` }
  }
  const issued = typeof iat === 'number' ? Math.min(iat, endedAt / 1000) : endedAt / 1000
  const valid = exp > issued
  const explanation = valid
    ? 'is after the time of issue.'
    : 'is not after the time of issue: the token has expired.'
  return { claim: 'exp', valid, explanation }
}

/** The ID token of a refresh may leave out the nonce (OpenID Connect Core §12.2). */
function checkNonce(
  { kind, records, droppedCount }: Flow,
  { grantType }: RequestRecord,
  { nonce }: Claims,
): Check[] {
  const asked = records.find((record) => recordPath(record) === '/oauth/authorize')
  const isKnown = asked !== undefined || (kind === 'device-code' && droppedCount === 0)
  if (!isKnown) return []
  const sent = asked === undefined ? undefined : (queryOf(asked).get('nonce') ?? undefined)
  if (nonce === undefined && (sent === undefined || grantType === 'refresh_token')) return []
  const valid = nonce === sent
  return [{ claim: 'nonce', valid, explanation: explainNonce(sent, nonce) }]
}

/** Values stay in the claims and in the authorization request: both are masked there. */
function explainNonce(sent: string | undefined, nonce: unknown): string {
  if (nonce === sent) return 'equals the nonce of the authorization request.'
  if (sent === undefined) return 'was not part of the authorization request.'
  return nonce === undefined
    ? 'is missing, but the authorization request has one.'
    : 'differs from the nonce of the authorization request.'
}

function shown(value: unknown): string {
  return value === undefined ? 'missing' : shortened(JSON.stringify(value), longestValue)
}
