import type { AuthorizeRequest } from '../../contract/control-sign-in.ts'
import type { OAuthDeps } from './oauth-deps.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import { readScopeParameter } from './scope.ts'
import { approveAuthorization, denyAuthorization } from './authorization.ts'
import { AuthorizationError, readAuthorizationRequest } from './authorization-request.ts'
import type { FindClient } from './client-authentication.ts'
import { organizationIds, requireUser } from '../../store/lookups.ts'

/**
 * Answers an authorization request for a user, with the same checks as in a browser.
 * @returns the redirect URI with a code or an error; `remark` is for the request log
 * @throws {Refusal} when the Hub would show an error page, because client or redirect URI cannot be trusted
 * @throws {Refusal} when the user or an organization is unknown
 */
export async function authorizeWithoutBrowser(
  deps: OAuthDeps,
  findClient: FindClient,
  { user: username, decision = 'approve', organizations, ...parameters }: AuthorizeRequest,
): Promise<{ redirectTo: string; remark?: string }> {
  const user = requireUser(deps, username, 'user')
  // An empty parameter of a query counts as left out (RFC 6749 §3.1); in JSON it was sent, and names no scope.
  if (parameters['scope'] === '') readScopeParameter('')
  const ticked = organizationIds(deps, organizations)
  try {
    const request = await readAuthorizationRequest(deps, findClient, toQuery(parameters))
    const redirectTo =
      decision === 'deny'
        ? denyAuthorization(deps, request, user)
        : approveAuthorization(
            deps,
            request,
            { user, authTime: deps.clock.now() },
            organizations === undefined ? {} : { organizationIds: ticked },
          )
    return { redirectTo, ...omitUndefined({ remark: request.remark }) }
  } catch (error) {
    if (!(error instanceof AuthorizationError)) throw error
    deps.bus.emit('authorization.denied', {
      userId: user.id,
      clientId: error.clientId,
      error: error.code,
      detail: error.detail ?? error.message,
    })
    return { redirectTo: error.location }
  }
}

function toQuery(parameters: Record<string, unknown>): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one !== 'string' && typeof one !== 'number' && typeof one !== 'boolean') {
        throw new Refusal('invalid', `The parameter ${name} must be a string.`, {
          issues: [{ path: name, message: 'must be a string' }],
        })
      }
      query.append(name, String(one))
    }
  }
  return query
}
