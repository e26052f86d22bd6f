import type { Deps } from '../events/deps.ts'
import type { Consent } from '../state/entities/oauth.ts'
import { revokeAccessToken, revokeFamily } from './tokens.ts'

/** What a remembered consent is for: another user, app or set of scopes is another consent. */
export interface ConsentSubject {
  userId: string
  clientId: string
  /** In any order. */
  scopes: readonly string[]
}

function consentId({ userId, clientId, scopes }: ConsentSubject): string {
  return JSON.stringify([userId, clientId, ...scopes.toSorted()])
}

/** Stores the consents of format 1, one for each user and app, under the ids of the present one. */
export function upgradeConsents({ consents }: Pick<Deps['state'], 'consents'>): void {
  const stored = [...consents.values()]
  for (const consent of stored) {
    consents.delete(consent.id)
    consents.put({ ...consent, id: consentId(consent) })
  }
}

/** What the user has allowed the app for exactly these scopes. */
export function findConsent(
  deps: Pick<Deps, 'state'>,
  subject: ConsentSubject,
): Consent | undefined {
  return deps.state.consents.get(consentId(subject))
}

/**
 * Remembers that the user has allowed the app these scopes. Beyond the cap the one is forgotten that was confirmed
 * longest ago: it is asked for again, and what was issued from it stays.
 * @param organizationIds added to those that were allowed before
 * @param unticked those that the user was shown as allowed and took back; only a page can tell
 */
export function rememberConsent(
  { state, clock, settings }: Pick<Deps, 'state' | 'clock' | 'settings'>,
  subject: ConsentSubject,
  organizationIds: readonly string[],
  unticked: ReadonlySet<string> = new Set(),
): Consent {
  const id = consentId(subject)
  const before = state.consents.get(id)?.organizationIds ?? []
  // Put anew it is the newest, so that the oldest is the first.
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
 * Disconnects an app: forgets every consent of the user and revokes all that was issued from them.
 * @returns whether there was anything to disconnect
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
    // The organization let the app have this one; its member has no say in it.
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
    // One that was answered, but whose device has not asked since.
    if (device.status === 'approved') {
      state.deviceAuthorizations.put({ ...device, status: 'denied' })
    }
  }
  if (consents.length > 0) deps.bus.emit('consent.revoked', { userId, clientId })
  return consents.length > 0 || revoked || families.size > 0
}
