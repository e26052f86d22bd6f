import type {
  AppFixtureInput,
  CollectionFixtureInput,
  Fixtures,
  FixturesFile,
  JobFixtureInput,
  JobSpecFixtureInput,
  OrganizationFixtureInput,
  TokenFixtureInput,
  UserFixtureInput,
  WebhookFixtureInput,
} from '../contract/fixtures-types.ts'
import type { Deps } from '../core/deps.ts'
import { formatDuration } from '../core/duration.ts'
import type { Organization, User } from './entities/accounts.ts'
import type { HubCollection } from './entities/hub.ts'
import type { AccessToken, App } from './entities/oauth.ts'
import type { Job, JobSpec, Webhook } from './entities/webhooks.ts'
import { exportRepo } from './export-repo.ts'
import { createIdNames, type IdNames } from './fixture-names.ts'

export type ExportDeps = Pick<Deps, 'state' | 'clock'>

/**
 * The present state in the words of the fixtures file: loading it gives a sandbox with the same
 * accounts, apps, repos, discussions, collections and webhooks under the same ids. Left out is what a file
 * cannot hold: history of repos, sign-ins and tokens of apps, deliveries, jobs that still run.
 * @param loaded where settings are taken from
 */
export function exportFixtures(deps: ExportDeps, loaded: Fixtures): FixturesFile {
  const { state, clock } = deps
  const names = createIdNames(state)
  const { now, frozen, offsetMs } = clock.read()
  return {
    users: [...state.users.values()].map((user) => exportUser(deps, user)),
    organizations: [...state.organizations.values()].map((it) => exportOrganization(names, it)),
    apps: [...state.apps.values()].filter(isKept).map((app) => exportApp(names, app)),
    repos: [...state.repos.values()].map((repo) => exportRepo(deps, names, repo)),
    collections: [...state.hubCollections.values()].flatMap((it) => exportCollection(names, it)),
    webhooks: [...state.webhooks.values()].flatMap((it) => exportWebhook(names, it)),
    jobs: [...state.jobs.values()].flatMap((job) => exportJob(deps, names, job)),
    clientMetadataDocuments: Object.fromEntries(
      [...state.metadataDocuments.values()].map(({ id, document }) => [id, document]),
    ),
    ...(frozen || offsetMs !== 0 ? { clock: { now: iso(now), frozen } } : {}),
    config: structuredClone(withoutSigningKey(loaded).config),
  }
}

/** Fixtures as they may leave the sandbox: with all its fakes, but not with the private key that its users sign by. */
export function withoutSigningKey(fixtures: Fixtures): Fixtures {
  const { signingKey: _signingKey, ...config } = fixtures.config
  return { ...fixtures, config }
}

/** The other apps come back by themselves: with their Space, or when their document is read. */
function isKept({ origin }: App): boolean {
  return origin === 'settings' || origin === 'registration'
}

function exportUser({ state, clock }: ExportDeps, user: User): UserFixtureInput {
  const { avatarUrl, createdAt, ...rest } = user
  const tokens = state.tokens
    .group('user', user.id)
    .filter(({ kind, revokedAt, expiresAt = Infinity }) => {
      return kind === 'user' && revokedAt === undefined && expiresAt > clock.now()
    })
  return {
    ...rest,
    ...(avatarUrl === undefined ? {} : { avatar: avatarUrl }),
    tokens: tokens.map((token) => exportToken(clock.now(), token)),
    createdAt: iso(createdAt),
  }
}

function exportToken(now: number, token: AccessToken): TokenFixtureInput {
  const { name, role, fineGrained, expiresAt } = token
  return {
    token: token.token,
    ...(name === undefined ? {} : { name }),
    ...(role === undefined ? {} : { role }),
    ...(fineGrained === undefined
      ? {}
      : {
          fineGrained: {
            scoped: fineGrained.scoped.map(
              ({ entity: { type, name: entityName }, permissions }) => ({
                // Tokens are made with names; ids alone come from nowhere.
                entity: { type: type as 'user', name: entityName ?? '' },
                permissions,
              }),
            ),
            global: fineGrained.global ?? [],
            canReadGatedRepos: fineGrained.canReadGatedRepos ?? false,
          },
        }),
    ...(expiresAt === undefined ? {} : { expiresIn: formatDuration(expiresAt - now) }),
    createdAt: iso(token.createdAt),
  }
}

function exportOrganization(names: IdNames, organization: Organization): OrganizationFixtureInput {
  const { avatarUrl, createdAt, ...rest } = organization
  const members = (list: Organization['members']) =>
    list.flatMap(({ userId, role }) => {
      const user = names.user(userId)
      return user === undefined ? [] : [{ user, role }]
    })
  return {
    ...rest,
    ...(avatarUrl === undefined ? {} : { avatar: avatarUrl }),
    members: members(organization.members),
    resourceGroups: organization.resourceGroups.map(({ id, name, members: inGroup }) => ({
      id,
      name,
      members: members(inGroup),
    })),
    securityRestrictions: organization.securityRestrictions.map(({ type, userIds }) => ({
      type,
      ...(userIds === undefined
        ? {}
        : { users: userIds.flatMap((userId) => names.user(userId) ?? []) }),
    })),
    createdAt: iso(createdAt),
  }
}

function exportApp(names: IdNames, app: App): AppFixtureInput {
  const { clientSecret, tokenDurationSeconds, authorizedOrganizationIds, logoUri, clientUri } = app
  const owner = names.user(app.ownerId)
  const organization = names.organization(app.organizationId)
  return {
    name: app.name,
    clientId: app.id,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    redirectUris: app.redirectUris,
    scopes: app.scopes,
    ...(owner === undefined ? {} : { owner }),
    ...(organization === undefined ? {} : { organization }),
    privileges: app.privileges,
    ...(tokenDurationSeconds === undefined
      ? {}
      : { tokenDuration: formatDuration(tokenDurationSeconds * 1000) }),
    ...(authorizedOrganizationIds === undefined
      ? {}
      : {
          authorizedOrganizations: authorizedOrganizationIds.flatMap(
            (id) => names.organization(id) ?? [],
          ),
        }),
    ...(logoUri === undefined ? {} : { logoUri }),
    ...(clientUri === undefined ? {} : { clientUri }),
    createdAt: iso(app.createdAt),
  }
}

function exportCollection(names: IdNames, collection: HubCollection): CollectionFixtureInput[] {
  const owner = names.namespace(collection.ownerId)
  if (owner === undefined) return []
  const { id, title, description, theme, createdAt } = collection
  return [
    {
      id,
      owner,
      title,
      ...(description === undefined ? {} : { description }),
      private: collection.private,
      theme: theme as 'orange',
      items: collection.items.flatMap(({ type, target, note }) =>
        type === 'collection' ? [] : [{ type, target, ...(note === undefined ? {} : { note }) }],
      ),
      createdAt: iso(createdAt),
    },
  ]
}

function exportWebhook(names: IdNames, webhook: Webhook): WebhookFixtureInput[] {
  if (webhook.temporary === true) return []
  const { id, name, url, job, domains, secret, status, order = 'parallel' } = webhook
  const owner = names.user(webhook.ownerId)
  const watched = webhook.watched.flatMap(({ type, name: watchedName }) =>
    type === 'bucket' || type === 'kernel' ? [] : [{ type, name: watchedName }],
  )
  if (owner === undefined || watched.length === 0) return []
  return [
    {
      id,
      owner,
      ...(name === undefined ? {} : { name }),
      ...(url === undefined ? {} : { url }),
      ...(job === undefined ? {} : { job: exportJobSpec(job) }),
      watched,
      domains,
      ...(secret === undefined ? {} : { secret }),
      status,
      order,
      createdAt: iso(webhook.createdAt),
    },
  ]
}

function exportJob({ state }: ExportDeps, names: IdNames, job: Job): JobFixtureInput[] {
  const { id, namespace, stage, message, createdAt } = job
  const initiator = names.user(job.initiatorId)
  if (stage !== 'COMPLETED' && stage !== 'CANCELED' && stage !== 'ERROR') return []
  const logs = state.jobLogs.group('job', id).flatMap(({ lines }) => lines)
  return [
    {
      id,
      namespace,
      ...(initiator === undefined ? {} : { initiator }),
      ...exportJobSpec(job.spec),
      stage,
      ...(message === undefined ? {} : { message }),
      logs: logs.map(({ text }) => text),
      createdAt: iso(createdAt),
    },
  ]
}

function exportJobSpec(spec: JobSpec): JobSpecFixtureInput {
  const { dockerImage, spaceId, timeoutSeconds } = spec
  return {
    ...(dockerImage === undefined ? {} : { dockerImage }),
    ...(spaceId === undefined ? {} : { spaceId }),
    command: spec.command,
    arguments: spec.arguments,
    environment: spec.environment,
    secrets: spec.secrets,
    flavor: spec.flavor,
    ...(timeoutSeconds === null ? {} : { timeout: formatDuration(timeoutSeconds * 1000) }),
    labels: spec.labels,
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
