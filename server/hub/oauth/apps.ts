import { signInScopes } from '../../contract/scopes.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { CreateAppRequest, UpdateAppRequest } from '../../contract/control-apps.ts'
import type { Deps } from '../deps.ts'
import { requireDuration, wholeSeconds } from '../../core/duration.ts'
import { Refusal, refuseIssues } from '../../core/refusal.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import { newClientSecret } from './client-secret.ts'
import {
  checkPrivileges,
  checkSettings,
  findAuthorizedOrganizations,
  findOrganization,
  findOwner,
} from './app-settings.ts'
import { readScopes } from './scope.ts'
import { revokeAccessToken } from '../access/revoke-token.ts'
import { revokeFamily } from './tokens.ts'

/**
 * Registers an app, with a secret unless it is public.
 * @throws {Refusal} `invalid` with every mistake; `conflict` when the client id is taken
 */
export function createApp(deps: Deps, request: CreateAppRequest): App {
  const { state, ids, clock, bus } = deps
  const issues = checkSettings(request)
  if (request.public === true && request.clientSecret !== undefined) {
    issues.push({ path: 'clientSecret', message: 'A public app has no secret.' })
  }
  const owner = findOwner(deps, request.owner, issues)
  const organization = findOrganization(deps, request.organization, issues)
  const { authorizedOrganizations = [] } = request
  const authorized = findAuthorizedOrganizations(deps, authorizedOrganizations, issues)
  refuseIssues(issues)
  const id = request.clientId ?? ids.of('app').uuid()
  if (state.apps.has(id))
    throw new Refusal('conflict', `Another app already has the client id ${id}.`)

  const app: App = {
    id,
    name: request.name,
    origin: 'settings',
    redirectUris: request.redirectUris ?? [],
    scopes: readScopes(request.scopes).known ?? [...signInScopes],
    privileges: request.privileges ?? [],
    createdAt: clock.now(),
    ...(request.public === true
      ? {}
      : { clientSecret: request.clientSecret ?? newClientSecret(deps, id) }),
    ...(owner === undefined ? {} : { ownerId: owner.id }),
    ...(organization === undefined ? {} : { organizationId: organization.id }),
    ...(request.authorizedOrganizations === undefined
      ? {}
      : { authorizedOrganizationIds: authorized }),
    ...(request.tokenDuration === undefined
      ? {}
      : { tokenDurationSeconds: toSeconds(request.tokenDuration) }),
    ...omitUndefined({
      logoUri: request.logoUri,
      clientUri: request.clientUri,
      policyUri: request.policyUri,
      tosUri: request.tosUri,
    }),
  }
  refuseIssues(checkPrivileges(app))
  state.apps.put(app)
  bus.emit('app.created', { clientId: app.id })
  return app
}

/**
 * Changes the settings of an app; its tokens stay valid.
 * @throws {Refusal} `invalid` with every mistake; `conflict` for an app of a metadata document or a Space
 */
export function updateApp(deps: Deps, app: App, request: UpdateAppRequest): App {
  refuseForeign(app)
  const issues = checkSettings(request)
  const owner = findOwner(deps, request.owner ?? undefined, issues)
  const organization = findOrganization(deps, request.organization ?? undefined, issues)
  const { authorizedOrganizations } = request
  const authorized = findAuthorizedOrganizations(deps, authorizedOrganizations ?? [], issues)
  refuseIssues(issues)

  const scopes = readScopes(request.scopes).known ?? app.scopes
  const { ownerId, organizationId, authorizedOrganizationIds, defaultScopes, ...others } = app
  const { opensOrigins, ...rest } = others
  const { tokenDurationSeconds, logoUri, clientUri, policyUri, tosUri, ...kept } = rest
  const updated: App = {
    ...kept,
    name: request.name ?? app.name,
    redirectUris: request.redirectUris ?? app.redirectUris,
    // Redirect URIs that the user sets are trusted.
    ...(request.redirectUris === undefined ? omitUndefined({ opensOrigins }) : {}),
    scopes,
    // Scopes that are added leave the default of a registration that named none as it is.
    ...(defaultScopes !== undefined && app.scopes.every((name) => scopes.includes(name))
      ? { defaultScopes }
      : {}),
    privileges: request.privileges ?? app.privileges,
    ...changed('ownerId', ownerId, request.owner, () => owner?.id),
    ...changed(
      'authorizedOrganizationIds',
      authorizedOrganizationIds,
      authorizedOrganizations,
      () => authorized,
    ),
    ...changed('organizationId', organizationId, request.organization, () => organization?.id),
    ...changed('tokenDurationSeconds', tokenDurationSeconds, request.tokenDuration, toSeconds),
    ...changed('logoUri', logoUri, request.logoUri, (uri) => uri),
    ...changed('clientUri', clientUri, request.clientUri, (uri) => uri),
    ...changed('policyUri', policyUri, request.policyUri, (uri) => uri),
    ...changed('tosUri', tosUri, request.tosUri, (uri) => uri),
  }
  refuseIssues(checkPrivileges(updated))
  deps.state.apps.put(updated)
  deps.bus.emit('app.updated', { clientId: app.id, changed: Object.keys(request) })
  return updated
}

/**
 * Gives an app a new secret; a public app becomes confidential. The old secret stops working at once.
 * @throws {Refusal} `conflict` for an app of a metadata document or a Space
 */
export function rotateSecret(deps: Deps, app: App): App & { clientSecret: string } {
  refuseForeign(app)
  const updated = { ...app, clientSecret: newClientSecret(deps, app.id) }
  deps.state.apps.put(updated)
  deps.bus.emit('app.updated', { clientId: app.id, changed: ['clientSecret'] })
  return updated
}

/**
 * Makes an app public (RFC 6749 §2.1): it must use PKCE, without a secret.
 * @throws {Refusal} `conflict` when the app may exchange tokens, which needs a secret
 */
export function deleteSecret(deps: Deps, app: App): App {
  refuseForeign(app)
  if (app.clientSecret === undefined) return app
  if (app.privileges.includes('token-exchange')) {
    throw new Refusal(
      'conflict',
      'The privilege token-exchange of this app requires its secret. Remove the privilege first.',
    )
  }
  const { clientSecret: _clientSecret, ...updated } = app
  deps.state.apps.put(updated)
  deps.bus.emit('app.updated', { clientId: app.id, changed: ['clientSecret'] })
  return updated
}

/** Deletes an app: revokes its tokens, and deletes its codes and consents. */
export function deleteApp(deps: Pick<Deps, 'state' | 'clock' | 'bus'>, app: App): void {
  const { state, bus } = deps
  const because = 'its app was deleted'
  const families = new Set<string>()
  for (const { familyId } of state.tokens.group('client', app.id)) {
    if (familyId !== undefined) families.add(familyId)
  }
  for (const { familyId } of state.refreshTokens.group('client', app.id)) families.add(familyId)
  for (const familyId of families) revokeFamily(deps, familyId, because)
  for (const token of state.tokens.group('client', app.id)) revokeAccessToken(deps, token, because)
  for (const { id } of state.codes.group('client', app.id)) state.codes.delete(id)
  for (const { id } of state.consents.group('client', app.id)) state.consents.delete(id)
  for (const { id, clientId } of state.deviceAuthorizations.values()) {
    if (clientId === app.id) state.deviceAuthorizations.delete(id)
  }
  state.apps.delete(app.id)
  bus.emit('app.deleted', { clientId: app.id })
}

/** Refuses changes of apps that a metadata document or a Space's README defines, which would overwrite them. */
function refuseForeign({ origin }: App): void {
  if (origin === 'metadata-document') {
    throw new Refusal('conflict', 'This app is defined by its metadata document. Change it there.')
  }
  if (origin === 'space') {
    throw new Refusal('conflict', 'This app belongs to a Space. Change the README of the Space.')
  }
}

function toSeconds(duration: string): number {
  return wholeSeconds(requireDuration(duration))
}

/** Returns a member of the app after a PATCH: kept, replaced, or removed by `null`. */
function changed<K extends keyof App, V extends App[K], R>(
  key: K,
  before: V | undefined,
  wanted: R | null | undefined,
  convert: (value: R) => V | undefined,
): { [P in K]?: V } {
  const value = wanted === undefined ? before : wanted === null ? undefined : convert(wanted)
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V }
}
