import type { App } from '../../state/entities/oauth.ts'
import type { RequestOrigin } from '../audit-log.ts'
import type { OAuthDeps } from '../deps.ts'
import { Refusal } from '../../core/refusal.ts'
import { own } from '../../core/own.ts'

/** The form of a token request: each parameter once, empty ones left out (RFC 6749 §3.2). */
export type TokenParameters = Readonly<Record<string, string>>

/** What a grant is handed once the client is known and authenticated. */
export interface GrantRequest {
  readonly deps: OAuthDeps
  readonly app: App
  readonly parameters: TokenParameters
  /** Servers that the token is for, as this request names them (RFC 8707 §2.2). */
  readonly resources: readonly string[]
  readonly origin: RequestOrigin
}

/** Resources of a token: those of its request, else those of the authorization (RFC 8707 §2.2). */
export function grantedResources(
  { resources }: Pick<GrantRequest, 'resources'>,
  authorized: readonly string[] | undefined,
): readonly string[] | undefined {
  return resources.length > 0 ? resources : authorized
}

/** @throws {Refusal} `invalid_request` naming the parameter when it is missing */
export function requireParameter(parameters: TokenParameters, name: string): string {
  const value = own(parameters, name)
  if (value === undefined) {
    throw new Refusal('invalid_request', `The parameter ${name} is missing.`)
  }
  return value
}
