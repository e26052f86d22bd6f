import type { Deps } from '../deps.ts'
import type { Consent } from '../../store/entities/oauth-entities.ts'
import { revokeAccessToken } from '../access/revoke-token.ts'
import { revokeFamily } from './tokens.ts'

/** Key of a stored consent: user, app and set of scopes. */
export interface ConsentSubject {
  userId: string
  clientId: string
  /** In any order. */
  scopes: readonly string[]
}

function consentId({ userId, clientId, scopes }: ConsentSubject): string {
  return JSON.stringify([userId, clientId, ...scopes.toSorted()])
}

/** Finds the consent of the user to the app for exactly these scopes. */
export function findConsent(
  deps: Pick<Deps, 'state'>,
  subject: ConsentSubject,
): Consent | undefined {
  return deps.state.consents.get(consentId(subject))
}

/**
 * Stores that the user has allowed the app these scopes. Beyond the cap, the least recently confirmed consent is dropped:
 * the user is asked again, and its tokens stay valid.
 * @param organizationIds added to those allowed before
 * @param unticked organizations that the user withdrew on the consent page
 */
export function rememberConsent(
  { state, clock, settings }: Pick<Deps, 'state' | 'clock' | 'settings'>,
  subject: ConsentSubject,
  organizationIds: readonly string[],
  unticked: ReadonlySet<string> = new Set(),
): Consent {
  const id = consentId(subject)
  const before = state.consents.get(id)?.organizationIds ?? []
  // Stored again as the newest one, so that the oldest is the first.
  state.consents.delete(id)
  for (let oldest = state.consents.first(); oldest !== undefined; oldest = state.consents.first()) {
    if (state.consents.size < settings.caps.consents) break
    state.consents.delete(oldest.id)
  }
  return state.consents.put({
    id,
    userId: subject.userId,
    clientId: subject.clientId,
    scopes: [...subject.scopes],
    organizationIds: [
      ...new Set([...before.filter((id) => !unticked.has(id)), ...organizationIds]),
    ],
    grantedAt: clock.now(),
  })
}

/**
 * Disconnects an app: deletes every consent of the user, and revokes the tokens issued from them.
 * @returns whether the app was connected
 */
export function revokeConsent(
  deps: Pick<Deps, 'state' | 'clock' | 'bus'>,
  userId: string,
  clientId: string,
  because = 'the user disconnected the app',
): boolean {
  const { state } = deps
  const consents = state.consents.group('user', userId).filter((it) => it.clientId === clientId)
  for (const { id } of consents) state.consents.delete(id)
  const families = new Set<string>()
  let revoked = false
  for (const token of state.tokens.group('user', userId)) {
    if (token.clientId !== clientId || token.revokedAt !== undefined) continue
    // Tokens of a token exchange were granted by the organization, not by its member.
    if (token.grant === 'token_exchange') continue
    if (token.familyId !== undefined) families.add(token.familyId)
    revokeAccessToken(deps, token, because)
    revoked = true
  }
  for (const token of state.refreshTokens.group('client', clientId)) {
    if (token.userId === userId) families.add(token.familyId)
  }
  for (const familyId of families) revokeFamily(deps, familyId, because)
  for (const code of state.codes.group('client', clientId)) {
    if (code.userId === userId) state.codes.delete(code.id)
  }
  for (const device of state.deviceAuthorizations.values()) {
    if (device.userId !== userId || device.clientId !== clientId) continue
    // Approved, but not collected by the device yet.
    if (device.status === 'approved') {
      state.deviceAuthorizations.put({ ...device, status: 'denied' })
    }
  }
  if (consents.length > 0) deps.bus.emit('consent.revoked', { userId, clientId })
  return consents.length > 0 || revoked || families.size > 0
}
