import { formDecode, readBasic } from '../../core/basic-credentials.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { equalSecrets } from '../../core/secrets.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import { clientKind, policy } from './client-policy.ts'
import {
  type AuthenticationMethod,
  type GrantType,
  tokenExchangeGrant,
} from '../../contract/words/oauth-words.ts'
import { Refusal } from '../../core/refusal.ts'

export interface ClientCredentials {
  clientId?: string
  clientSecret?: string
  method: AuthenticationMethod
}

/** @param redirectUri redirect URI of the request, if any: a cached metadata document may lack it */
export type FindClient = (
  clientId: string,
  redirectUri?: string,
) => App | undefined | Promise<App | undefined>

/** Finds clients by id: stored ones, and those whose id is the URL of a metadata document. */
export interface Clients {
  /** Uses the last fetched version of a metadata document, without network requests. */
  readonly findKnown: FindClient
  /** Fetches a metadata document on first use and after its expiry. For requests that a user started. */
  readonly findOrFetch: FindClient
}

/**
 * Reads the client credentials from `Authorization: Basic` or from the body.
 * @throws {Refusal} `invalid_client` for another type of header; `invalid_request` when both are used
 * @see RFC 6749 §2.3.1
 */
export function readClientCredentials(
  authorization: string | undefined,
  body: { client_id?: string; client_secret?: string },
): ClientCredentials {
  if (authorization === undefined) {
    const { client_id: clientId, client_secret: clientSecret } = body
    const method = clientSecret === undefined ? 'none' : 'client_secret_post'
    return omitUndefined({ clientId, clientSecret, method } as const)
  }
  if (body.client_secret !== undefined) {
    throw new Refusal(
      'invalid_request',
      'Send the client secret once: in the Authorization header or in the body, not in both.',
    )
  }
  const basic = readBasic(authorization)
  if (basic?.password === undefined) {
    throw new Refusal(
      'invalid_client',
      'The Authorization header must be `Basic <base64 of client_id:client_secret>`.',
    )
  }
  const clientId = formDecode(basic.name)
  const clientSecret = basic.password
  if (body.client_id !== undefined && body.client_id !== clientId) {
    throw new Refusal(
      'invalid_request',
      'client_id in the body is not the client of the Authorization header.',
    )
  }
  // Some libraries send the id of a public app this way, with an empty secret.
  if (clientSecret === '') return { clientId, method: 'none' }
  return { clientId, clientSecret, method: 'client_secret_basic' }
}

/**
 * Finds the client of a request.
 * @throws {Refusal} `invalid_client` without a client id, or for an unknown one
 */
export async function findNamedClient(
  findClient: FindClient,
  { clientId }: Pick<ClientCredentials, 'clientId'>,
): Promise<App> {
  if (clientId === undefined) {
    throw new Refusal(
      'invalid_client',
      'No client was named: send client_id, or Authorization: Basic for an app with a secret.',
    )
  }
  const app = await findClient(clientId)
  if (app === undefined) {
    throw new Refusal('invalid_client', 'Unknown client.', {
      detail: `no app has the client id ${clientId}`,
    })
  }
  return app
}

/**
 * Authenticates a client: checks its secret, or that a public client sends none.
 * @throws {Refusal} `invalid_client` for a wrong, missing or unexpected secret
 * @see RFC 6749 §2.3, §3.2.1
 */
export function authenticateClient(
  app: App,
  { clientSecret }: ClientCredentials,
  grant: GrantType,
): void {
  if (clientKind(app) !== 'confidential') {
    if (clientSecret === undefined) return
    throw new Refusal(
      'invalid_client',
      'This app is public: it has no secret, so send client_id alone.',
    )
  }
  if (clientSecret === undefined) throw new Refusal('invalid_client', missingSecretMessage(grant))
  if (!secretMatches(app.clientSecret, clientSecret)) {
    throw new Refusal('invalid_client', 'The client secret is wrong.', {
      detail: 'it may have been rotated; the app settings show the current secret',
    })
  }
}

/**
 * Checks an authenticated client against the policy table: whether its kind may use the grant with this authentication
 * method.
 * @throws {Refusal} `invalid_client`
 */
export function checkPolicy(app: App, { method }: ClientCredentials, grant: GrantType): void {
  const { authentication } = policy[grant][clientKind(app)]
  if (authentication.length === 0) {
    throw new Refusal('invalid_client', 'A public app is not allowed to use this grant.')
  }
  if (!authentication.includes(method)) {
    throw new Refusal(
      'invalid_client',
      `This grant needs the client secret as ${authentication.join(' or ')}.`,
    )
  }
}

function missingSecretMessage(grant: GrantType): string {
  if (grant === tokenExchangeGrant) {
    return 'Token exchange needs Authorization: Basic with the client id and secret.'
  }
  return 'This app has a secret and must send it. To use it without one, delete the secret in the app settings, which makes the app public.'
}

function secretMatches(expected: string | undefined, given: string): boolean {
  if (expected === undefined) return false
  const matches = equalSecrets(expected, given)
  const decoded = formDecode(given)
  // This early exit depends on the sent value only, so its timing reveals nothing about the secret.
  return decoded === given ? matches : equalSecrets(expected, decoded) || matches
}
