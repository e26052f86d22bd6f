import type { App } from '../../../store/entities/oauth-entities.ts'
import type { RequestOrigin } from '../audit-log.ts'
import type { OAuthDeps } from '../oauth-deps.ts'
import { Refusal } from '../../../core/refusal.ts'
import { own } from '../../../core/own.ts'

/** Form of a token request: each parameter once, without empty ones (RFC 6749 §3.2). */
export type TokenParameters = Readonly<Record<string, string>>

/** Request of an authenticated client to a grant. */
export interface GrantRequest {
  readonly deps: OAuthDeps
  readonly app: App
  readonly parameters: TokenParameters
  /** Target servers of the token, as named in this request (RFC 8707 §2.2). */
  readonly resources: readonly string[]
  readonly origin: RequestOrigin
}

/**
 * Returns the resources of a token: those of its request, else those of the authorization.
 * @throws {Refusal} `invalid_target` for a resource that was not authorized, where the sandbox binds tokens to resources
 * @see RFC 8707 §2.2
 */
export function grantedResources(
  { deps, resources }: Pick<GrantRequest, 'deps' | 'resources'>,
  authorized: readonly string[] = [],
): readonly string[] {
  const foreign = resources.find((uri) => !authorized.includes(uri))
  if (deps.settings.requireResource && foreign !== undefined) {
    throw new Refusal('invalid_target', `The resource ${foreign} was not authorized.`, {
      detail: `authorized: ${authorized.join(', ') || 'none'}`,
    })
  }
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
