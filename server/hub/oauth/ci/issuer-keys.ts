import type { JWK } from 'jose'
import type { Clock } from '../../../core/clock.ts'
import { isObject } from '../../../core/is-object.ts'
import { JsonDepthError, parseShallowJson } from '../../../core/json-depth.ts'
import { Refusal } from '../../../core/refusal.ts'
import type { Settings } from '../../../core/settings.ts'
import type { FetchedDocument } from '../../../web/outgoing/fetched-document.ts'
import type { SigningKeys } from '../signing-keys.ts'
import { issuerProblem, providerOfSandboxIssuer } from './issuers.ts'

export interface IssuerKeysDeps {
  readonly clock: Pick<Clock, 'realNow'>
  readonly settings: Pick<Settings, 'baseUrl'>
  readonly keys: Pick<SigningKeys, 'published'>
  /** @throws {Error} whose message gives the reason */
  fetchDocument(url: URL): Promise<FetchedDocument>
}

/** Public keys of the issuers of ID tokens. */
export interface IssuerKeys {
  /**
   * Finds the key that signed an ID token. The keys of an issuer are fetched by discovery and kept for five minutes; an
   * unknown key id fetches them again, at most every ten seconds.
   * @param issuer issuer of a trusted publisher: the keys of any other are never fetched
   * @throws {Refusal} `invalid_grant` when the issuer does not publish the key, or its keys cannot be fetched
   * @see OpenID Connect Discovery §4, RFC 7517 §5
   */
  find(issuer: string, header: { kid?: string; alg: string }): Promise<JWK>
}

interface KeptKeys {
  keys: readonly JWK[]
  fetchedAt: number
}

const keptMs = 5 * 60_000
const refetchBreakMs = 10_000
/** Most issuers to remember. */
const mostIssuers = 100

export function createIssuerKeys(deps: IssuerKeysDeps): IssuerKeys {
  const kept = new Map<string, KeptKeys>()
  const fetching = new Map<string, Promise<KeptKeys>>()

  function fetchOnce(issuer: string): Promise<KeptKeys> {
    const running = fetching.get(issuer)
    if (running !== undefined) return running
    const started = fetchKeys(deps, issuer)
      .then((keys) => {
        const fetched = { keys, fetchedAt: deps.clock.realNow() }
        const [oldest] = kept.keys()
        if (kept.size >= mostIssuers && oldest !== undefined) kept.delete(oldest)
        kept.set(issuer, fetched)
        return fetched
      })
      .finally(() => fetching.delete(issuer))
    fetching.set(issuer, started)
    return started
  }

  async function keysOf(issuer: string): Promise<KeptKeys> {
    const known = kept.get(issuer)
    const isFresh = known !== undefined && deps.clock.realNow() - known.fetchedAt < keptMs
    return isFresh ? known : fetchOnce(issuer)
  }

  return {
    async find(issuer, header) {
      if (providerOfSandboxIssuer(deps.settings, issuer) !== undefined) {
        return choose(await deps.keys.published(), header) ?? refuseKey(issuer, header)
      }
      const { keys, fetchedAt } = await keysOf(issuer)
      const found = choose(keys, header)
      if (found !== undefined) return found
      if (deps.clock.realNow() - fetchedAt < refetchBreakMs) return refuseKey(issuer, header)
      return choose((await fetchOnce(issuer)).keys, header) ?? refuseKey(issuer, header)
    },
  }
}

function choose(
  keys: readonly JWK[],
  { kid, alg }: { kid?: string; alg: string },
): JWK | undefined {
  const usable = keys.filter((key) => (key.alg ?? alg) === alg && (key.use ?? 'sig') === 'sig')
  if (kid !== undefined) return usable.find((key) => key.kid === kid)
  return usable.length === 1 ? usable[0] : undefined
}

function refuseKey(issuer: string, { kid, alg }: { kid?: string; alg: string }): never {
  throw new Refusal(
    'invalid_grant',
    kid === undefined
      ? `The ID token has no kid, and the issuer ${issuer} does not publish exactly one key for ${alg}.`
      : `The issuer ${issuer} publishes no key for ${alg} with the kid ${JSON.stringify(kid)}.`,
  )
}

async function fetchKeys(deps: IssuerKeysDeps, issuer: string): Promise<readonly JWK[]> {
  const configuration = await fetchJson(
    deps,
    issuer,
    `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
  )
  if (configuration['issuer'] !== issuer) {
    throw refuse(issuer, `its metadata names the issuer ${JSON.stringify(configuration['issuer'])}`)
  }
  const { jwks_uri: jwksUri } = configuration
  if (typeof jwksUri !== 'string' || issuerProblem(jwksUri.replace(/\?.*$/s, '')) !== undefined) {
    throw refuse(issuer, `its jwks_uri ${JSON.stringify(jwksUri)} is not an https URL`)
  }
  const { keys } = await fetchJson(deps, issuer, jwksUri)
  if (!Array.isArray(keys)) throw refuse(issuer, `${jwksUri} has no list of keys`)
  return keys.filter((key): key is JWK => isObject(key) && typeof key['kty'] === 'string')
}

async function fetchJson(
  deps: IssuerKeysDeps,
  issuer: string,
  address: string,
): Promise<Record<string, unknown>> {
  let response
  try {
    response = await deps.fetchDocument(new URL(address))
  } catch (error) {
    throw refuse(issuer, `${address} could not be fetched: ${(error as Error).message}`, error)
  }
  if (response.status !== 200) throw refuse(issuer, `${address} responded with ${response.status}`)
  let document: unknown
  try {
    document = parseShallowJson(response.body)
  } catch (error) {
    const reason = error instanceof JsonDepthError ? error.message : 'it is not valid JSON'
    throw refuse(issuer, `${address}: ${reason}`, error)
  }
  if (!isObject(document)) throw refuse(issuer, `${address} is not a JSON object`)
  return document
}

function refuse(issuer: string, reason: string, cause?: unknown): Refusal {
  return new Refusal(
    'invalid_grant',
    `The keys of the issuer ${issuer} are unknown: ${reason}.`,
    cause === undefined ? {} : { cause },
  )
}
