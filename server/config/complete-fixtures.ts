import type {
  DiscussionFixture,
  Fixtures,
  FixturesFile,
  JobFixture,
  OrganizationFixture,
  RepoFixture,
  UserFixture,
} from '../contract/fixtures-types.ts'
import { derivedObjectId, derivedUuid } from '../core/ids.ts'
import { isRecord } from './check-shape.ts'
import { fixturesSchema } from './fixtures-schema.ts'
import type { JsonSchema } from './json-schema.ts'
import { own, setOwn } from '../core/own.ts'

/** What may still be missing once the defaults of the schema are there. */
type Underived<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>

/** A fixed day, so that what follows from dates (commit ids) is the same in every run. */
const usualDay = '2026-01-01T00:00:00Z'

/**
 * Fills in defaults and what follows from names, so that two runs with one file have the same ids.
 * @param file valid; it is left as it is
 * @returns frozen through and through
 */
export function completeFixtures(file: FixturesFile): Fixtures {
  const fixtures = withDefaults(fixturesSchema, structuredClone(file)) as Fixtures
  const { now } = fixtures.clock
  const createdAt =
    now !== undefined && Date.parse(now) < Date.parse(usualDay)
      ? new Date(now).toISOString()
      : usualDay
  return deepFreeze({
    ...fixtures,
    users: fixtures.users.map((user) => completeUser(dated(user, createdAt))),
    organizations: fixtures.organizations.map((organization) =>
      completeOrganization(dated(organization, createdAt)),
    ),
    apps: fixtures.apps.map((app) => ({
      ...dated(app, createdAt),
      clientId: app.clientId ?? derivedUuid('app', app.name),
    })),
    repos: fixtures.repos.map((repo) => completeRepo(dated(repo, createdAt))),
    collections: fixtures.collections.map((collection) => ({
      ...dated(collection, createdAt),
      id: collection.id ?? derivedObjectId('collection', `${collection.owner}/${collection.title}`),
    })),
    webhooks: fixtures.webhooks.map((webhook, index) => ({
      ...dated(webhook, createdAt),
      id:
        webhook.id ?? derivedObjectId('webhook', `${webhook.owner}/${webhook.name ?? `#${index}`}`),
    })),
    jobs: fixtures.jobs.map((job, index) => completeJob(fixtures, dated(job, createdAt), index)),
  })
}

/** `createdAt` comes to be after the defaults of the schema, so until then it may be missing. */
function dated<T extends { createdAt: string }>(entity: T, createdAt: string): T {
  return { ...entity, createdAt: (entity as Partial<T>).createdAt ?? createdAt }
}

/** A copy with the defaults of the schema, at every depth. */
function withDefaults(schema: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withDefaults(schema.items ?? {}, item))
  if (!isRecord(value)) return value
  const copy: Record<string, unknown> = { ...value }
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const present = own(copy, key) ?? property.default
    if (present !== undefined) setOwn(copy, key, withDefaults(property, present))
    else delete copy[key]
  }
  return copy
}

function completeUser(user: Underived<UserFixture, 'id' | 'fullname' | 'email'>): UserFixture {
  const { createdAt } = user
  return {
    ...user,
    id: user.id ?? derivedObjectId('user', user.username.toLowerCase()),
    fullname: user.fullname ?? user.username,
    email: user.email ?? `${user.username.toLowerCase()}@example.com`,
    tokens: user.tokens.map((token) => ({
      ...dated(token, createdAt),
      name: token.name ?? `${user.username} ${token.role}`,
    })),
  }
}

function completeOrganization(
  organization: Underived<OrganizationFixture, 'id' | 'fullname'>,
): OrganizationFixture {
  const key = organization.name.toLowerCase()
  return {
    ...organization,
    id: organization.id ?? derivedObjectId('organization', key),
    fullname: organization.fullname ?? organization.name,
    resourceGroups: organization.resourceGroups.map((group) => ({
      ...group,
      id: group.id ?? derivedObjectId('resource-group', `${key}/${group.name}`),
    })),
  }
}

function completeRepo(repo: Underived<RepoFixture, 'id'>): RepoFixture {
  const key = `${repo.type}/${repo.name.toLowerCase()}`
  const { createdAt } = repo
  let last = 0
  return {
    ...repo,
    id: repo.id ?? derivedObjectId('repo', key),
    ...(repo.type === 'space' ? { sdk: repo.sdk ?? 'gradio' } : {}),
    access: repo.access.map((request) => ({ ...request, at: request.at ?? createdAt })),
    discussions: repo.discussions.map((discussion) => {
      const num = discussion.num ?? last + 1
      last = num
      return completeDiscussion(`${key}#${num}`, { ...dated(discussion, createdAt), num })
    }),
  }
}

function completeDiscussion(
  key: string,
  discussion: Underived<DiscussionFixture, 'id'>,
): DiscussionFixture {
  const { createdAt } = discussion
  return {
    ...discussion,
    id: discussion.id ?? derivedObjectId('discussion', key),
    comments: discussion.comments.map((comment, index) => ({
      ...dated(comment, createdAt),
      id: comment.id ?? derivedObjectId('comment', `${key}/${index + 1}`),
    })),
  }
}

function completeJob(
  { users, organizations }: Fixtures,
  job: Underived<JobFixture, 'id' | 'initiator'>,
  index: number,
): JobFixture {
  const namespace = job.namespace.toLowerCase()
  const isUser = users.some(({ username }) => username.toLowerCase() === namespace)
  const members = organizations.find(({ name }) => name.toLowerCase() === namespace)?.members ?? []
  const starter = members.find(({ role }) => role === 'admin') ?? members[0]
  return {
    ...job,
    id: job.id ?? derivedObjectId('job', `${namespace}/${index}`),
    initiator: job.initiator ?? (isUser ? job.namespace : (starter?.user ?? '')),
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) deepFreeze(part)
  }
  return value
}
