import type { TokenResponse } from '../../../contract/oauth.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { own } from '../../../core/own.ts'
import { Refusal } from '../../../core/refusal.ts'
import { ciTokenSeconds, idTokenType } from '../../../contract/words/ci-words.ts'
import { tokenExchangeGrant } from '../../../contract/words/oauth-words.ts'
import type { AccessToken, TrustedPublisher } from '../../../store/entities/oauth-entities.ts'
import { findNamespace } from '../../files/repo-names.ts'
import { type RequestOrigin, recordAudit } from '../audit-log.ts'
import {
  checkAudience,
  checkTimes,
  type CiIdToken,
  readIdToken,
  realHub,
  refuse,
  verifySignature,
} from '../ci/ci-id-token.ts'
import type { IssuerKeys } from '../ci/issuer-keys.ts'
import { trustedIssuers } from '../ci/issuers.ts'
import { closestPublisher, describeDifference, differingClaims } from '../ci/match-claims.ts'
import { exchangeId } from '../ci/mint.ts'
import { findTarget, publishersOf, type PublisherTarget } from '../ci/publishers.ts'
import type { OAuthDeps } from '../oauth-deps.ts'
import { composeAccessToken } from '../token-text.ts'
import { requireParameter, type TokenParameters } from './grant-request.ts'

export interface CiGrantRequest {
  readonly deps: OAuthDeps
  readonly issuerKeys: IssuerKeys
  readonly parameters: TokenParameters
  /** Values of the parameter `resource`, without repetitions. */
  readonly resources: readonly string[]
  readonly origin: RequestOrigin
}

const issuedTokenType = 'urn:ietf:params:oauth:token-type:access_token' as const

/** Whether a request exchanges the ID token of a CI job, for which no client is authenticated. */
export function isCiExchange(parameters: TokenParameters): boolean {
  const { grant_type: grant, subject_token_type: type } = parameters
  return grant === tokenExchangeGrant && type === idTokenType
}

/**
 * Exchanges the ID token of a CI job for a token of the repo or user whose trusted publisher it matches. A token of a repo
 * writes to that repo alone; one of a user has the scope `gated-repos`. The refusal names the claim that differs and both
 * values, which the real hub does not reveal.
 * @throws {Refusal} `invalid_request`, `invalid_target`, `invalid_grant`
 * @see RFC 8693 §2
 */
export async function ciIdentityGrant(request: CiGrantRequest): Promise<TokenResponse> {
  const { deps, issuerKeys, origin } = request
  const { idToken, resource } = readParameters(request)
  const find = () => {
    const target = findTarget(deps, resource)
    const publishers = trustingPublishers(deps, resource, publishersOf(deps, target), idToken)
    return { target, publishers }
  }
  find()
  await verifySignature(issuerKeys, idToken)
  // Both may be others by now, or deleted.
  const { target, publishers } = find()
  checkTimes(idToken, deps.clock.now())
  checkAudience(deps.settings, idToken)
  const publisher = matching(publishers, idToken)
  refuseReplay(deps, idToken)
  const { token } = issueToken(deps, target, publisher)
  writeAuditRow(deps, resource, origin, {
    message: `Issued a token for ${resource} to the trusted publisher ${publisher.name}`,
    data: { outcome: 'granted', resource, publisher: publisher.name, ...identityOf(idToken) },
  })
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: ciTokenSeconds,
    issued_token_type: issuedTokenType,
  }
}

/** Writes a refused exchange to the audit log of the organization that owns the resource. */
export function auditRefusedCiExchange(
  deps: OAuthDeps,
  { parameters, origin }: Pick<CiGrantRequest, 'parameters' | 'origin'>,
  error: Refusal,
): void {
  const { resource } = parameters
  if (resource === undefined) return
  writeAuditRow(deps, resource, origin, {
    message: `Refused a token for ${resource}: ${error.message}`,
    data: { outcome: 'refused', resource, error: error.code },
  })
}

function writeAuditRow(
  deps: OAuthDeps,
  resource: string,
  origin: RequestOrigin,
  row: { message: string; data: Record<string, unknown> },
): void {
  const namespace = resource.split('/').at(-2)
  const owner = namespace === undefined ? undefined : findNamespace(deps.state, namespace)
  if (owner?.kind !== 'org') return
  recordAudit(deps, { ...row, type: 'oauth.token', organizationId: owner.id, ...origin })
}

function identityOf({ issuer, claims }: CiIdToken): Record<string, string> {
  const { sub } = claims
  return { issuer, ...(typeof sub === 'string' ? { subject: sub } : {}) }
}

function readParameters({ deps, parameters, resources }: CiGrantRequest) {
  const text = requireParameter(parameters, 'subject_token')
  const requested = parameters['requested_token_type']
  if (requested !== undefined && requested !== issuedTokenType) {
    throw new Refusal('invalid_request', `requested_token_type can only be ${issuedTokenType}.`)
  }
  for (const name of ['actor_token', 'actor_token_type']) {
    if (own(parameters, name) !== undefined) {
      throw new Refusal('invalid_request', `The parameter ${name} is not supported.`)
    }
  }
  const { audience } = parameters
  if (audience !== undefined && ![deps.settings.baseUrl, realHub].includes(audience)) {
    throw new Refusal(
      'invalid_target',
      `No token can be issued for the audience ${JSON.stringify(audience)}: leave it out, the token is for the Hub.`,
    )
  }
  if (resources.length > 1) {
    throw new Refusal(
      'invalid_request',
      `A token is for one resource, but ${resources.length} were sent: ${resources.join(', ')}.`,
    )
  }
  const resource = requireParameter(parameters, 'resource')
  return { idToken: readIdToken(text), resource }
}

/** Publishers that trust the issuer. Only their keys are fetched: the issuer of an unverified token can be any URL. */
function trustingPublishers(
  { settings }: Pick<OAuthDeps, 'settings'>,
  resource: string,
  publishers: readonly TrustedPublisher[],
  { issuer }: CiIdToken,
): readonly TrustedPublisher[] {
  if (publishers.length === 0) {
    throw new Refusal('invalid_grant', `${resource} has no trusted publisher: add one to it.`)
  }
  const trusting = publishers.filter((one) => trustedIssuers(settings, one).includes(issuer))
  if (trusting.length > 0) return trusting
  const trusted = new Set(publishers.flatMap((one) => trustedIssuers(settings, one)))
  throw refuse(
    `its issuer differs: its iss is ${JSON.stringify(issuer)}, the trusted publishers of ${resource} accept ${[...trusted].join(', ')}`,
  )
}

/** Finds the publisher whose claims all match; a refusal is about the one that comes closest. */
function matching(publishers: readonly TrustedPublisher[], idToken: CiIdToken): TrustedPublisher {
  const matched = publishers.filter((one) => differingClaims(one, idToken).length === 0)
  const enabled = matched.find(({ disabled }) => disabled !== true)
  if (enabled !== undefined) return enabled
  const [disabled] = matched
  if (disabled !== undefined) {
    throw refuse(`the trusted publisher ${disabled.name} is disabled`)
  }
  const closest = closestPublisher(publishers, idToken)
  const { publisher, differences } = closest as NonNullable<typeof closest>
  throw refuse(differences.map((one) => describeDifference(one, publisher)).join('; '))
}

/**
 * Refuses an ID token that a drill marked as exchanged before. Any other can be exchanged until it expires: the Hub documents
 * no single use and tells long jobs to exchange again, and providers such as GitLab give a job only one ID token.
 */
function refuseReplay({ state }: OAuthDeps, { text, claims }: CiIdToken): void {
  const { jti } = claims
  if (jti !== undefined && typeof jti !== 'string') {
    throw refuse(`its jti is ${JSON.stringify(jti)}, not a string`)
  }
  if (state.exchangedIdTokens.has(exchangeId(text))) {
    throw refuse('it was exchanged before by another job, as the drill says: request a new one')
  }
}

function issueToken(
  deps: OAuthDeps,
  target: PublisherTarget,
  publisher: TrustedPublisher,
): AccessToken {
  const { state, clock, settings, bus } = deps
  const ids = deps.ids.of('token', publisher.id)
  const id = ids.objectId()
  const userId = target.kind === 'repo' ? publisher.id : target.user.id
  const scopes = target.kind === 'repo' ? [] : ['gated-repos']
  const organizationIds =
    target.kind === 'repo'
      ? []
      : state.organizations.group('member', target.user.id).map((organization) => organization.id)
  const now = clock.now()
  state.trustedPublishers.put({ ...publisher, lastUsedAt: now })
  const token = state.tokens.put({
    id,
    token: composeAccessToken(
      { ids, clock, baseUrl: settings.baseUrl },
      { id, userId, scopes, expiresInSeconds: ciTokenSeconds },
      target.kind === 'repo' ? 'hf_jwt_sandbox_' : 'hf_oauth_sandbox_',
    ),
    kind: 'oauth',
    userId,
    grant: 'token_exchange',
    scopes,
    organizationIds,
    publisherId: publisher.id,
    ...(target.kind === 'repo' ? { repoId: target.repo.id } : {}),
    createdAt: now,
    expiresAt: now + ciTokenSeconds * 1000,
  })
  bus.emit('token.issued', {
    tokenId: id,
    userId,
    grant: 'token_exchange',
    scopes,
    ...omitUndefined({ expiresAt: token.expiresAt }),
  })
  return token
}
