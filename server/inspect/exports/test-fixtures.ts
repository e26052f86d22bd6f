import type { FixturesFile } from '../../contract/fixtures-types.ts'
import { maskText } from '../../core/mask.ts'
import { nameKey } from '../../store/state.ts'
import type { DrawingDeps } from '../drawing/context.ts'
import { textMember } from '../details/json-body.ts'
import { redirectOf } from '../log/request-reason.ts'
import { formOf } from '../drawing/exchanges.ts'
import type { Flow } from '../flows/flows.ts'
import { partiesOf, tokenOfResponse } from '../flows/parties.ts'
import type { RequestRecord } from '../log/request-log.ts'

/** Replaces every real secret. */
export const testSecret = 'sandbox_test_secret'

/** Replaces the secrets in a string such as a URL; the same secret is replaced alike everywhere. */
export function withoutSecrets(text: string): string {
  return maskText(text, () => testSecret)
}

/** Replaces the secrets in a JSON value. */
export function valueWithoutSecrets<T>(value: T): T {
  return JSON.parse(withoutSecrets(JSON.stringify(value))) as T
}

/**
 * Creates the fixtures for the test of a sign-in: the apps of its requests and the accounts involved, without secrets.
 * @param all present state as fixtures
 */
export function fixturesOfFlow(
  deps: DrawingDeps,
  flow: Flow,
  all: FixturesFile,
): Pick<FixturesFile, 'users' | 'organizations' | 'apps' | 'clientMetadataDocuments' | 'config'> {
  const clientIds = clientIdsOf(deps, flow)
  const apps = appsOf(deps, clientIds, all)
  const users = usersOf(deps, flow)
  const organizations = organizationsOf(deps, flow)
  for (const { owner, organization } of apps) {
    if (owner !== undefined) users.add(owner)
    if (organization !== undefined) organizations.add(organization)
  }
  const documents = documentsOf(deps, clientIds)
  const { lifetimes, device } = all.config ?? {}
  return {
    users: (all.users ?? [])
      .filter(({ username }) => users.has(username))
      .map(({ username, id, fullname, email, emailVerified }) => ({
        username,
        ...(id === undefined ? {} : { id }),
        ...(fullname === undefined ? {} : { fullname }),
        ...(email === undefined ? {} : { email }),
        ...(emailVerified === undefined ? {} : { emailVerified }),
      })),
    organizations: (all.organizations ?? [])
      .filter(({ name }) => organizations.has(name))
      .map(({ name, plan, members = [] }) => ({
        name,
        ...(plan === undefined ? {} : { plan }),
        members: members.filter(({ user }) => users.has(user)),
      })),
    apps,
    ...(Object.keys(documents).length === 0 ? {} : { clientMetadataDocuments: documents }),
    config: {
      ...(lifetimes === undefined ? {} : { lifetimes }),
      ...(device === undefined ? {} : { device }),
    },
  }
}

/** Finds the apps of a sign-in; a refused one may have none or several. */
export function clientIdsOf(deps: DrawingDeps, { records }: Flow): Set<string> {
  return new Set(records.flatMap((record) => partiesOf(deps, record).clientId ?? []))
}

function appsOf(
  { state }: DrawingDeps,
  clientIds: ReadonlySet<string>,
  all: FixturesFile,
): NonNullable<FixturesFile['apps']> {
  const kept = (all.apps ?? []).filter(({ clientId = '' }) => clientIds.has(clientId))
  const others = [...clientIds].flatMap((id): typeof kept => {
    const app = state.apps.get(id)
    if (app?.origin !== 'space') return []
    const { name, redirectUris, scopes, clientSecret } = app
    return [{ clientId: id, name, redirectUris, scopes, ...(clientSecret ? { clientSecret } : {}) }]
  })
  return [...kept, ...others].map(({ createdAt: _createdAt, ...app }) => ({
    ...app,
    ...(app.redirectUris === undefined
      ? {}
      : { redirectUris: app.redirectUris.map(withoutSecrets) }),
    ...(app.clientSecret === undefined ? {} : { clientSecret: testSecret }),
  }))
}

/** Metadata documents as they were fetched: a test has no network. */
function documentsOf({ state }: DrawingDeps, clientIds: ReadonlySet<string>) {
  return Object.fromEntries(
    [...clientIds].flatMap((id) => {
      const app = state.apps.get(id)
      const document = state.metadataDocuments.get(id)?.document ?? app?.metadata
      return app?.origin === 'metadata-document' && document !== undefined
        ? [[id, valueWithoutSecrets(document)]]
        : []
    }),
  )
}

/** Finds the device authorization that a response started, if the state still has it. */
export function deviceOfResponse({ state }: DrawingDeps, { response }: RequestRecord) {
  return state.deviceAuthorizations.find('userCode', textMember(response.body, 'user_code') ?? '')
}

function usersOf(deps: DrawingDeps, { records }: Flow): Set<string> {
  const { state } = deps
  const found = records.flatMap((record) => [
    state.users.get(partiesOf(deps, record).userId ?? ''),
    state.users.get(tokenOfResponse(deps, record)?.userId ?? ''),
    state.users.get(state.codes.get(redirectOf(record)?.get('code') ?? '')?.userId ?? ''),
    state.users.get(deviceOfResponse(deps, record)?.userId ?? ''),
    state.users.find('email', nameKey(formOf(record).get('subject_token') ?? '')),
  ])
  const names = found.flatMap((user) => user?.username ?? [])
  const [first] = state.users.values()
  // A request without a decision needs a user, too.
  return new Set(names.length > 0 ? names : [first?.username ?? ''])
}

function organizationsOf(deps: DrawingDeps, { records }: Flow): Set<string> {
  const ids = records.flatMap((record) => tokenOfResponse(deps, record)?.organizationIds ?? [])
  return new Set(ids.flatMap((id) => deps.state.organizations.get(id)?.name ?? []))
}
