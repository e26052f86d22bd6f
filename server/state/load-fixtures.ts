import { createHash } from 'node:crypto'
import type {
  AppFixture,
  CollectionFixture,
  Fixtures,
  OrganizationFixture,
  UserFixture,
} from '../contract/fixtures-types.ts'
import type { Deps } from '../core/deps.ts'
import { parseDuration } from '../core/duration.ts'
import { derivedObjectId } from '../core/ids.ts'
import { createNameIds, type NameIds } from './fixture-names.ts'
import { loadRepo } from './load-repo.ts'
import { loadJob, loadWebhook } from './load-webhooks.ts'

export type LoadDeps = Pick<Deps, 'state' | 'settings' | 'clock'>

/**
 * Puts all that the fixtures hold into an empty state and sets the clock. Nobody is told: it is
 * supposed to have happened before. Two loads of the same fixtures are alike to the last id.
 * @param fixtures checked and complete
 * @throws {HubError} when the hub's own rules refuse what the checks of the file let through
 */
export function loadFixtures(deps: LoadDeps, fixtures: Fixtures): void {
  const { state, clock } = deps
  if (fixtures.clock.now !== undefined) clock.set(Date.parse(fixtures.clock.now))
  if (fixtures.clock.frozen) clock.freeze()

  for (const user of fixtures.users) loadUser(deps, user)
  const ids = createNameIds(state)
  for (const organization of fixtures.organizations) loadOrganization(deps, ids, organization)
  for (const app of fixtures.apps) loadApp(deps, ids, app)
  for (const repo of fixtures.repos) loadRepo(deps, ids, repo)
  // Fine-grained rights may name anything above.
  for (const user of fixtures.users) loadTokens(deps, ids, user)
  for (const collection of fixtures.collections) loadCollection(deps, ids, collection)
  for (const webhook of fixtures.webhooks) loadWebhook(deps, ids, webhook)
  for (const job of fixtures.jobs) loadJob(deps, ids, job)
  for (const [id, document] of Object.entries(fixtures.clientMetadataDocuments)) {
    state.metadataDocuments.put({ id, document })
  }
  loadSigningKey(deps, fixtures)
}

function loadUser({ state }: LoadDeps, user: UserFixture): void {
  const { avatar, tokens: _tokens, createdAt, ...rest } = user
  state.users.put({
    ...rest,
    ...(avatar === undefined ? {} : { avatarUrl: avatar }),
    createdAt: Date.parse(createdAt),
  })
}

function loadOrganization(
  { state }: LoadDeps,
  ids: NameIds,
  organization: OrganizationFixture,
): void {
  const { avatar, createdAt, ...rest } = organization
  const members = (list: OrganizationFixture['members']) =>
    list.map(({ user, role }) => ({ userId: ids.user(user), role }))
  state.organizations.put({
    ...rest,
    ...(avatar === undefined ? {} : { avatarUrl: avatar }),
    members: members(organization.members),
    resourceGroups: organization.resourceGroups.map((group) => ({
      ...group,
      members: members(group.members),
    })),
    securityRestrictions: organization.securityRestrictions.map(({ type, users }) => ({
      type,
      ...(users === undefined ? {} : { userIds: users.map((user) => ids.user(user)) }),
    })),
    createdAt: Date.parse(createdAt),
  })
}

function loadApp({ state }: LoadDeps, ids: NameIds, app: AppFixture): void {
  const { clientSecret, owner, organization, tokenDuration, authorizedOrganizations } = app
  state.apps.put({
    id: app.clientId,
    name: app.name,
    origin: 'settings',
    ...(clientSecret === undefined ? {} : { clientSecret }),
    redirectUris: [...app.redirectUris],
    scopes: [...app.scopes],
    ...(owner === undefined ? {} : { ownerId: ids.user(owner) }),
    ...(organization === undefined ? {} : { organizationId: ids.organization(organization) }),
    privileges: [...app.privileges],
    ...(tokenDuration === undefined
      ? {}
      : { tokenDurationSeconds: Math.round((parseDuration(tokenDuration) ?? 0) / 1000) }),
    ...(authorizedOrganizations === undefined
      ? {}
      : {
          authorizedOrganizationIds: authorizedOrganizations.map((name) => ids.organization(name)),
        }),
    ...(app.logoUri === undefined ? {} : { logoUri: app.logoUri }),
    ...(app.clientUri === undefined ? {} : { clientUri: app.clientUri }),
    createdAt: Date.parse(app.createdAt),
  })
}

function loadTokens({ state, clock }: LoadDeps, ids: NameIds, user: UserFixture): void {
  for (const token of user.tokens) {
    const { expiresIn, fineGrained } = token
    state.tokens.put({
      id: derivedObjectId('token', token.token),
      token: token.token,
      kind: 'user',
      userId: user.id,
      scopes: [],
      organizationIds: [],
      role: token.role,
      name: token.name,
      ...(fineGrained === undefined
        ? {}
        : {
            fineGrained: {
              scoped: fineGrained.scoped.map(({ entity, permissions }) => ({
                entity: { _id: ids.entity(entity), ...entity },
                permissions: [...permissions],
              })),
              global: [...fineGrained.global],
              canReadGatedRepos: fineGrained.canReadGatedRepos,
            },
          }),
      createdAt: Date.parse(token.createdAt),
      ...(expiresIn === undefined
        ? {}
        : { expiresAt: clock.now() + (parseDuration(expiresIn) ?? 0) }),
    })
  }
}

function loadCollection({ state }: LoadDeps, ids: NameIds, collection: CollectionFixture): void {
  const { owner, items, createdAt, ...rest } = collection
  state.hubCollections.put({
    ...rest,
    ownerId: ids.namespace(owner),
    items: items.map((item, index) => ({
      id: derivedObjectId('collection-item', `${collection.id}/${index}`),
      ...item,
    })),
    createdAt: Date.parse(createdAt),
    updatedAt: Date.parse(createdAt),
  })
}

function loadSigningKey({ state, clock }: LoadDeps, { config: { signingKey } }: Fixtures): void {
  if (signingKey === undefined) return
  const { kid, ...privateJwk } = signingKey
  const derivedKid = createHash('sha256')
    .update(JSON.stringify(signingKey['n']))
    .digest('base64url')
  state.signingKeys.put({
    id: typeof kid === 'string' ? kid : derivedKid.slice(0, 16),
    privateJwk,
    createdAt: clock.now(),
  })
}
