import type { TokenResponse } from '../../../contract/oauth.ts'
import { wholeSeconds } from '../../../core/duration.ts'
import type { OAuthDeps } from '../oauth-deps.ts'
import { nameKey } from '../../../store/state.ts'
import type { Organization } from '../../../store/entities/account-entities.ts'
import type { App } from '../../../store/entities/oauth-entities.ts'
import { type RequestOrigin, recordAudit } from '../audit-log.ts'
import { longestTokenMs } from '../../../contract/fixtures/limits.ts'
import { Refusal } from '../../../core/refusal.ts'
import { exchangedScopes } from '../scope.ts'
import { issueTokens } from '../tokens.ts'
import { type GrantRequest, requireParameter, type TokenParameters } from './grant-request.ts'
import { own } from '../../../core/own.ts'

const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token' as const

/** Name in the documentation, and name that the live service uses. */
const emailTokenTypes = new Set([
  'urn:service:token-type:user-email',
  'urn:huggingface:token-type:user-email',
])

/**
 * Issues a token for a member of the organization that the app is bound to, without the member's consent. The token is
 * limited to the organization. Grants are written to its audit log here, refusals by {@link auditRefusedExchange}, since
 * many happen before the app is known. The response has `issued_token_type`, and never a refresh token.
 * @throws {Refusal} `invalid_client`, `invalid_request`, `invalid_target`, `invalid_grant`, `invalid_scope`
 * @see RFC 8693 §2
 */
export async function memberTokenGrant(request: GrantRequest): Promise<TokenResponse> {
  const { deps, app, parameters, origin } = request
  const organization = privilegedOrganization(deps, app)
  const email = subjectEmail(parameters)
  const userId = findMember(deps, organization, email)
  const scopes = exchangedScopes(parameters['scope'], app)
  const expiresIn = Math.min(
    app.tokenDurationSeconds ?? wholeSeconds(deps.settings.lifetimes.accessTokenMs),
    wholeSeconds(longestTokenMs),
  )
  const issuing = issueTokens(deps, {
    app,
    userId,
    grant: 'token_exchange',
    scopes,
    organizationIds: [organization.id],
    boundOrganizationId: organization.id,
    expiresInSeconds: expiresIn,
    refreshable: false,
  })
  // Stored together with the token: the ID token takes a while, in which the organization may be deleted.
  recordAudit(deps, {
    ...exchangeRow(app.id, organization, origin),
    message: `Issued a token for ${email}`,
    authorId: userId,
    data: { outcome: 'granted', email, scope: scopes.join(' '), expiresIn },
  })
  return { ...(await issuing), issued_token_type: accessTokenType }
}

/**
 * Writes a refused exchange to the audit log of the organization that the app is bound to, even if the app was not
 * authenticated: administrators look for wrong secrets first. Without such an app there is no log to write to.
 */
export function auditRefusedExchange(
  deps: OAuthDeps,
  request: { clientId: string; parameters: TokenParameters; origin: RequestOrigin },
  error: Refusal,
): void {
  const { clientId, parameters, origin } = request
  const { organizationId = '' } = deps.state.apps.get(clientId) ?? {}
  const organization = deps.state.organizations.get(organizationId)
  if (organization === undefined) return
  recordAudit(deps, {
    ...exchangeRow(clientId, organization, origin),
    message: `Refused a token: ${error.message}`,
    data: { outcome: 'refused', error: error.code, ...claimedEmail(parameters) },
  })
}

function exchangeRow(clientId: string, organization: Organization, origin: RequestOrigin) {
  return { type: 'oauth.token', organizationId: organization.id, clientId, ...origin }
}

/** Returns the organization that the app is bound to, if both may use token exchange. */
function privilegedOrganization(deps: OAuthDeps, app: App): Organization {
  const organization =
    app.organizationId === undefined ? undefined : deps.state.organizations.get(app.organizationId)
  if (organization === undefined) {
    throw new Refusal('invalid_client', 'The app is not bound to an organization.', {
      detail: 'bind the app to an organization in its settings',
    })
  }
  if (!app.privileges.includes('token-exchange')) {
    throw new Refusal('invalid_client', 'The client is not authorized to use token exchange.', {
      detail: `the app ${app.name} lacks the privilege token-exchange: add it in the app settings (on the Hub, ask support)`,
    })
  }
  if (organization.plan !== 'enterprise' && organization.plan !== 'plus') {
    throw new Refusal(
      'invalid_client',
      'Token exchange requires the organization to be on the Enterprise plan.',
      {
        detail: `the organization ${organization.name} is on the plan ${organization.plan}: change its plan to enterprise`,
      },
    )
  }
  return organization
}

function subjectEmail(parameters: TokenParameters): string {
  const email = requireParameter(parameters, 'subject_token')
  const type = requireParameter(parameters, 'subject_token_type')
  if (!emailTokenTypes.has(type)) {
    throw new Refusal(
      'invalid_request',
      `Unknown subject_token_type ${JSON.stringify(type)}; use urn:service:token-type:user-email.`,
    )
  }
  const requested = parameters['requested_token_type']
  if (requested !== undefined && requested !== accessTokenType) {
    throw new Refusal('invalid_request', `requested_token_type can only be ${accessTokenType}.`)
  }
  for (const name of ['actor_token', 'actor_token_type']) {
    if (own(parameters, name) !== undefined) {
      throw new Refusal('invalid_request', `The parameter ${name} is not supported.`)
    }
  }
  // RFC 8693 §2.2.2
  for (const name of ['audience', 'resource']) {
    const target = own(parameters, name)
    if (target !== undefined) {
      throw new Refusal(
        'invalid_target',
        `No token can be issued for the ${name} ${JSON.stringify(target)}: leave it out, the token is for the Hub.`,
      )
    }
  }
  return email
}

/** Returns the subject for the audit log only if it is declared as an e-mail address: otherwise it may be a token. */
function claimedEmail(parameters: TokenParameters): { email?: string } {
  const { subject_token: email, subject_token_type: type = '' } = parameters
  return email === undefined || !emailTokenTypes.has(type) ? {} : { email }
}

function findMember(deps: OAuthDeps, organization: Organization, email: string): string {
  const user = deps.state.users.find('email', nameKey(email))
  const isMember = user !== undefined && organization.members.some((m) => m.userId === user.id)
  if (!isMember || !user.emailVerified) {
    throw new Refusal('invalid_grant', 'The user is not found in the bound organization.', {
      detail:
        user === undefined
          ? `no user has the e-mail address ${email}`
          : isMember
            ? `the e-mail address of ${user.username} is not verified`
            : `the user ${user.username} is not a member of ${organization.name}`,
    })
  }
  return user.id
}
