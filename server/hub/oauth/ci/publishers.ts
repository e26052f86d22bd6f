import type { Issue } from '../../../core/config-error.ts'
import { Refusal, refuseIssues } from '../../../core/refusal.ts'
import type { Deps } from '../../deps.ts'
import { findRepo } from '../../access/find-repo.ts'
import { findNamespace, parseRepoName } from '../../files/repo-names.ts'
import type { User } from '../../../store/entities/account-entities.ts'
import type { Repo } from '../../../store/entities/hub-entities.ts'
import type { TrustedPublisher } from '../../../store/entities/oauth-entities.ts'
import { nameKey } from '../../../store/state.ts'
import type { AnyRepoType } from '../../../contract/words/hub-words.ts'
import {
  ciProviderNames,
  projectClaims,
  publicIssuers,
  type PublisherProvider,
} from '../../../contract/words/ci-words.ts'
import { own } from '../../../core/own.ts'
import { issuerProblem } from './issuers.ts'

/** Target of a token from CI identity. */
export type PublisherTarget =
  | { readonly kind: 'repo'; readonly repo: Repo }
  | { readonly kind: 'user'; readonly user: User }

/** Fields of a publisher that people choose. */
export type PublisherFields = Pick<TrustedPublisher, 'provider' | 'issuer' | 'claims'>

const prefixes: Readonly<Record<string, AnyRepoType>> = {
  datasets: 'dataset',
  spaces: 'space',
  buckets: 'bucket',
}
/** Kinds of repos that the hub has and the sandbox does not emulate. */
const otherKinds = new Set(['kernels'])

/**
 * Finds the target that `resource` names.
 * @param resource `ns/name`, `datasets/ns/name`, `spaces/ns/name`, `buckets/ns/name` or a username
 * @throws {Refusal} `invalid_request` for another form; `invalid_grant` when there is no such repo or user
 */
export function findTarget(deps: Pick<Deps, 'state'>, resource: string): PublisherTarget {
  const parts = resource.split('/')
  if (parts.length === 1) return { kind: 'user', user: findUser(deps, resource) }
  const [prefix = '', ...rest] = parts
  if (parts.length === 3 && otherKinds.has(prefix)) {
    throw new Refusal('invalid_grant', `The sandbox does not emulate ${prefix}: ${resource}.`)
  }
  const type = parts.length === 3 ? own(prefixes, prefix) : 'model'
  if (type === undefined || parts.length > 3) throw wrongResource(resource)
  const name = parts.length === 3 ? rest.join('/') : resource
  try {
    parseRepoName(name)
  } catch (error) {
    if (error instanceof Refusal) throw wrongResource(resource)
    throw error
  }
  const repo = findRepo(deps, type, name)?.repo
  if (repo === undefined) {
    throw new Refusal(
      'invalid_grant',
      `The resource ${resource} is unknown: there is no ${type} ${name}.`,
    )
  }
  return { kind: 'repo', repo }
}

function findUser({ state }: Pick<Deps, 'state'>, name: string): User {
  const user = state.users.find('name', nameKey(name))
  if (user !== undefined) return user
  const isOrganization = findNamespace(state, name) !== undefined
  throw new Refusal(
    'invalid_grant',
    isOrganization
      ? `The resource ${name} is an organization: name one of its repos, or a user.`
      : `The resource ${name} is unknown: there is no such user.`,
  )
}

function wrongResource(resource: string): Refusal {
  return new Refusal(
    'invalid_request',
    `Invalid resource ${JSON.stringify(resource)}: use namespace/name, datasets/namespace/name, spaces/namespace/name, buckets/namespace/name or a username.`,
  )
}

/** Finds the publishers of a target, oldest first. */
export function publishersOf(
  { state }: Pick<Deps, 'state'>,
  target: PublisherTarget,
): readonly TrustedPublisher[] {
  return target.kind === 'repo'
    ? state.trustedPublishers.group('repo', target.repo.id)
    : state.trustedPublishers.group('user', target.user.id)
}

/** Name of a publisher that was given none: its project, or its provider. */
export function usualName({ provider, claims }: PublisherFields): string {
  const project = provider === 'custom' ? undefined : own(claims, projectClaims[provider])
  return project ?? own(claims, 'sub') ?? ciProviderNames[provider]
}

/** Lists the mistakes in the fields of a publisher. */
export function publisherIssues({ provider, issuer, claims }: PublisherFields): Issue[] {
  const problem = issuer === undefined ? undefined : issuerProblem(issuer)
  return [
    ...(problem === undefined
      ? []
      : [{ path: 'issuer', message: `the issuer ${JSON.stringify(issuer)} ${problem}` }]),
    ...(issuer === undefined && provider === 'custom'
      ? [{ path: 'issuer', message: 'is required for the provider custom' }]
      : []),
    ...(Object.keys(claims).length === 0 ? [noClaims(provider)] : []),
    ...Object.entries(claims)
      .filter(([name, value]) => name === '' || value === '')
      .map(([name]) => ({ path: 'claims', message: `the claim ${JSON.stringify(name)} is empty` })),
  ]
}

function noClaims(provider: PublisherProvider): Issue {
  const example = provider === 'custom' ? 'sub' : projectClaims[provider]
  return {
    path: 'claims',
    message: `needs at least one claim, for example ${example}: without any, every job of the issuer would match`,
  }
}

type ManageDeps = Pick<Deps, 'state' | 'clock' | 'ids' | 'bus'>

/**
 * Creates a publisher for a repo or user.
 * @throws {Refusal} `invalid` with the wrong fields
 */
export function createPublisher(
  deps: ManageDeps,
  target: PublisherTarget,
  fields: PublisherFields & { name?: string; disabled?: boolean },
): TrustedPublisher {
  refuseIssues(publisherIssues(fields))
  const { disabled = false, name = usualName(fields), ...rest } = fields
  const publisher = deps.state.trustedPublishers.put({
    ...rest,
    id: deps.ids.of('trusted publisher').objectId(),
    name,
    ...(target.kind === 'repo' ? { repoId: target.repo.id } : { userId: target.user.id }),
    ...(disabled ? { disabled } : {}),
    createdAt: deps.clock.now(),
  })
  deps.bus.emit('publisher.changed', { publisherId: publisher.id })
  return publisher
}

/**
 * Changes a publisher. Tokens that were issued for it stay valid until it is disabled or deleted.
 * @throws {Refusal} `invalid` with the wrong fields
 */
export function changePublisher(
  deps: ManageDeps,
  publisher: TrustedPublisher,
  change: Partial<Pick<TrustedPublisher, 'name' | 'claims'>> & {
    provider?: PublisherProvider
    issuer?: string | null
    disabled?: boolean
  },
): TrustedPublisher {
  const { issuer, disabled, ...rest } = change
  const { issuer: oldIssuer, disabled: wasDisabled = false, ...kept } = publisher
  const newIssuer = issuer === undefined ? oldIssuer : (issuer ?? undefined)
  const changed: TrustedPublisher = {
    ...kept,
    ...rest,
    ...(newIssuer === undefined ? {} : { issuer: newIssuer }),
    ...((disabled ?? wasDisabled) ? { disabled: true } : {}),
  }
  refuseIssues(publisherIssues(changed))
  deps.state.trustedPublishers.put(changed)
  deps.bus.emit('publisher.changed', { publisherId: changed.id })
  return changed
}

/** Issuer of a publisher, for people. */
export function issuerOf({ provider, issuer }: PublisherFields): string | undefined {
  return issuer ?? publicIssuers[provider]
}
