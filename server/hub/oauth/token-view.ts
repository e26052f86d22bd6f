import { isoTime } from '../../core/time.ts'
import type { ConsentItem } from '../../contract/control-apps.ts'
import type { TokenItem } from '../../contract/control-tokens.ts'
import { maskSecret } from '../../core/secrets.ts'
import type { AccessToken, Consent } from '../../store/entities/oauth-entities.ts'
import {
  appRef,
  isoMember,
  organizationRef,
  present,
  userRef,
  type ViewDeps,
} from '../access/refs.ts'

export function tokenState({ clock }: Pick<ViewDeps, 'clock'>, token: AccessToken) {
  if (token.revokedAt !== undefined) return 'revoked'
  const hasExpired = token.expiresAt !== undefined && token.expiresAt <= clock.now()
  return hasExpired ? 'expired' : 'active'
}

export function describeToken(deps: ViewDeps, token: AccessToken): TokenItem {
  const { clientId, boundOrganizationId } = token
  return {
    id: token.id,
    kind: token.kind,
    token: token.token,
    preview: maskSecret(token.token),
    user: userRef(deps, token.userId),
    ...(clientId === undefined ? {} : { app: appRef(deps, clientId) }),
    ...present(token, 'name', 'role', 'revokedBecause', 'resources'),
    scopes: token.scopes,
    organizations: token.organizationIds.map((id) => organizationRef(deps, id)),
    ...(boundOrganizationId === undefined
      ? {}
      : { boundOrganization: organizationRef(deps, boundOrganizationId) }),
    grant: token.grant ?? 'minted',
    createdAt: isoTime(token.createdAt),
    ...isoMember('expiresAt', token.expiresAt),
    ...isoMember('revokedAt', token.revokedAt),
    state: tokenState(deps, token),
  }
}

export function describeConsent(deps: ViewDeps, consent: Consent): ConsentItem {
  return {
    user: userRef(deps, consent.userId),
    app: appRef(deps, consent.clientId),
    scopes: consent.scopes,
    organizations: consent.organizationIds.map((id) => organizationRef(deps, id)),
    grantedAt: isoTime(consent.grantedAt),
  }
}
