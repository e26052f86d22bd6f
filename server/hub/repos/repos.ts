import { omitUndefined } from '../../core/omit-undefined.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Repo } from '../../store/entities/hub-entities.ts'
import {
  type AnyRepoType,
  type RepoRegion,
  type RepoType,
  newSpaceSdks,
  spaceSdks,
} from '../../contract/words/hub-words.ts'
import { applyOperations, type FileOperation } from '../commits/commits.ts'
import { author } from '../commits/repo-refs.ts'
import { emitHubEvent } from '../commits/emit-hub-event.ts'
import { writeCommit } from '../files/git-objects.ts'
import type { HubDeps } from '../hub-deps.ts'
import { Refusal } from '../../core/refusal.ts'
import { firstFiles } from './first-files.ts'
import { deletePublisher } from '../access/revoke-token.ts'
import { forgetMarksOn } from '../people/marks.ts'
import { checkLicense } from '../rules/readme-rules.ts'
import { forgetBucketFiles } from '../buckets/bucket-files.ts'
import { copyLfsFiles, forgetLfsFiles } from '../files/lfs-objects.ts'
import { forgetLocks } from '../files/lfs-locks.ts'
import {
  findNamespace,
  gitTypeOf,
  type NamespaceOwner,
  parseRepoName,
  repoKey,
  repoWebPath,
} from '../files/repo-names.ts'
import { mainRef, refTarget } from '../files/revisions.ts'
import { checkMachineOfNew, type SpaceOptions, spaceParts } from './space-options.ts'
import { isStaticSpace, readSpaceMetadata } from './space-sdk.ts'

export interface CreateRepoInput {
  type: RepoType
  /** `namespace/name`; the namespace must exist. */
  name: string
  /** Absent for the hub itself. */
  actorId?: string
  /** Default: the one of the organization, else public. */
  visibility?: Repo['visibility']
  gated?: Repo['gated']
  /** Required for Spaces; not used otherwise. */
  sdk?: string
  /** Template of a Space. */
  template?: string
  region?: RepoRegion
  description?: string
  /** Adds a README.md with this license. */
  license?: string
  /** Adds these to the metadata in README.md. */
  card?: Readonly<Record<string, string>>
  /** Further files of the first commit. */
  files?: readonly FileOperation[]
  /** App that creates it. */
  creatorClientId?: string
  resourceGroupId?: string
  /** Options of a Space. */
  space?: SpaceOptions
  id?: string
}

/**
 * Creates a repo with its first commit and emits an event.
 * @throws {Refusal} `invalid` for invalid options, `unprocessable` for invalid paths, `not_found` for an unknown namespace
 *   or resource group, `conflict` (with `url` in the body) when the repo exists
 */
export function createRepo(deps: HubDeps, input: CreateRepoInput): Repo {
  const { type, actorId, gated = false } = input
  if (input.visibility !== undefined) checkVisibility(type, input.visibility)
  requireLicense(input.license)
  if (type === 'space' && !spaceSdks.some((sdk) => sdk === input.sdk)) {
    throw new Refusal('invalid', `A Space needs an sdk: one of ${newSpaceSdks.join(', ')}`)
  }
  if (input.template !== undefined) {
    throw new Refusal('invalid', `Unknown template: ${input.template}`, {
      detail: 'the sandbox has no templates of Spaces: GET /api/spaces/templates lists none',
    })
  }
  const { name, owner } = requireFreeName(
    deps,
    type,
    input.name,
    () => `You already created this ${type} repo`,
  )
  requireResourceGroup(deps, owner, input.resourceGroupId)
  const { defaultVisibility = 'public' } = deps.state.organizations.get(owner.id) ?? {}
  const { visibility = defaultVisibility } = input
  const now = deps.clock.now()
  const parts = type === 'space' ? spaceParts(input.space ?? {}, now) : {}
  const id = input.id ?? deps.ids.of('repo', type, name).objectId()
  const objects = deps.objects.of({ id })
  const commit = writeCommit(objects, {
    treeId: applyOperations(objects, undefined, [
      ...firstFiles(type, input),
      ...(input.files ?? []),
    ]),
    parentIds: [],
    title: 'initial commit',
    message: '',
    ...author(deps, actorId),
    date: now,
  })
  const repo: Repo = {
    id,
    type,
    name,
    ownerId: owner.id,
    visibility,
    gated,
    ...omitUndefined({
      creatorId: actorId,
      creatorClientId: input.creatorClientId,
      resourceGroupId: input.resourceGroupId,
      region: input.region,
    }),
    ...(type === 'space' && input.sdk !== undefined ? { sdk: input.sdk } : {}),
    ...omitUndefined({ description: input.description }),
    ...parts,
    likes: 0,
    downloads: 0,
    refs: { [mainRef]: commit.id },
    lastDiscussionNumber: 0,
    accessRequests: [],
    createdAt: now,
    updatedAt: now,
  }
  checkMachine(deps, repo, parts)
  return addRepo(deps, actorId, repo)
}

/**
 * Creates a repo with the main branch of another and emits an event.
 * @throws {Refusal} as {@link createRepo}
 */
export function duplicateRepo(
  deps: HubDeps,
  input: {
    repo: Repo
    toName: string
    actorId: string
    visibility?: Repo['visibility']
    /** Options of a Space. Without variables it keeps those of the original; other options are not copied. */
    space?: SpaceOptions
    /** App that creates it. */
    creatorClientId?: string
    /** Resource group in the target organization. */
    resourceGroupId?: string
  },
): Repo {
  const { repo: source, actorId, visibility = source.visibility } = input
  const type = gitTypeOf(source)
  checkVisibility(type, visibility)
  const { name, owner } = requireFreeName(deps, type, input.toName, alreadyExists)
  requireResourceGroup(deps, owner, input.resourceGroupId)
  const now = deps.clock.now()
  const parts = source.type === 'space' ? spaceParts(input.space ?? {}, now, source.variables) : {}
  checkMachine(deps, source, parts)
  const id = deps.ids.of('repo', source.type, name).objectId()
  const headId = refTarget(source, mainRef)
  deps.objects.duplicate(source, { id }, [headId])
  copyLfsFiles(deps, source, { id })
  return addRepo(deps, actorId, {
    id,
    type: source.type,
    name,
    ownerId: owner.id,
    visibility,
    gated: source.gated,
    creatorId: actorId,
    ...omitUndefined({
      sdk: source.sdk,
      description: source.description,
      region: source.region,
      creatorClientId: input.creatorClientId,
      resourceGroupId: input.resourceGroupId,
    }),
    ...parts,
    likes: 0,
    downloads: 0,
    refs: { [mainRef]: headId },
    lastDiscussionNumber: 0,
    accessRequests: [],
    createdAt: now,
    updatedAt: now,
  })
}

/** Deletes a repo with its discussions and objects, and emits an event. */
export function deleteRepo(
  deps: HubDeps,
  { repo, actorId }: { repo: Repo; actorId?: string },
): void {
  const { state } = deps
  for (const discussion of state.discussions.group('repo', repo.id)) {
    for (const event of state.discussionEvents.group('discussion', discussion.id)) {
      state.discussionEvents.delete(event.id)
    }
    state.discussions.delete(discussion.id)
  }
  forgetBucketFiles(deps, repo)
  forgetLfsFiles(deps, repo)
  forgetLocks(deps, repo)
  changeCollectionItems(deps, repo, () => undefined)
  forgetMarksOn(deps, repo.id)
  for (const publisher of state.trustedPublishers.group('repo', repo.id)) {
    deletePublisher(deps, publisher)
  }
  state.repos.delete(repo.id)
  emitHubEvent(deps, repo, { scope: 'repo', action: 'delete', actorId })
  // Redirects go last: webhooks that watch the repo by a former name get the event, too.
  for (const redirect of state.repoRedirects.values()) {
    if (redirect.repoId === repo.id) state.repoRedirects.delete(redirect.id)
  }
  deps.objects.release(repo)
}

/**
 * Renames a repo or moves it to another namespace, and emits an event under the old name if the name has changed. The old
 * name redirects to it until another repo takes it.
 * @throws {Refusal} `invalid` for an invalid name, `not_found` for an unknown namespace, `conflict` when it is taken
 */
export function moveRepo(
  deps: HubDeps,
  { repo, toName, actorId }: { repo: Repo; toName: string; actorId?: string },
): Repo {
  const { state } = deps
  const { name, owner } = requireFreeName(deps, repo.type, toName, alreadyExists, repo)
  if (name === repo.name) return repo
  const { resourceGroupId, ...rest } = repo
  // Resource groups belong to an organization and stay behind.
  const keptGroup =
    owner.id === repo.ownerId && resourceGroupId !== undefined ? { resourceGroupId } : {}
  const moved = state.repos.put({
    ...rest,
    ...keptGroup,
    name,
    ownerId: owner.id,
    updatedAt: deps.clock.now(),
  })
  state.repoRedirects.delete(repoKey(repo.type, name))
  const oldKey = repoKey(repo.type, repo.name)
  // After a change of letter case alone there is nothing to redirect.
  if (oldKey !== repoKey(repo.type, name)) state.repoRedirects.put({ id: oldKey, repoId: repo.id })
  changeCollectionItems(deps, repo, () => name)
  emitHubEvent(deps, repo, {
    scope: 'repo',
    action: 'move',
    actorId,
    movedTo: { name, ownerId: owner.id },
  })
  return moved
}

export interface RepoSettings {
  visibility?: Repo['visibility']
  gated?: Repo['gated']
  /** Replaces all of them. */
  settings?: NonNullable<Repo['settings']>
  doi?: string
  /** Regions of a bucket; other repos have none. */
  cdnRegions?: NonNullable<Repo['cdnRegions']>
  disabled?: boolean
  /** Replaces all variables of a Space. */
  variables?: NonNullable<Repo['variables']>
  /** Replaces all secrets of a Space. */
  secrets?: NonNullable<Repo['secrets']>
}

/**
 * Changes settings and emits one event (`repo.config`) with the visibility, unless nothing has changed.
 * @throws {Refusal} `invalid` for a visibility that this type of repo does not support
 */
export function updateRepoSettings(
  deps: HubDeps,
  { repo, settings, actorId }: { repo: Repo; settings: RepoSettings; actorId?: string },
): Repo {
  if (settings.visibility !== undefined) checkVisibility(repo.type, settings.visibility)
  const { variables = {}, secrets = {} } = repo
  if (
    isDeepStrictEqual({ variables, secrets, ...repo, ...settings }, { ...repo, variables, secrets })
  )
    return repo
  const updated = deps.state.repos.put({ ...repo, ...settings, updatedAt: deps.clock.now() })
  const isPrivate = updated.visibility !== 'public'
  const becameOther = isPrivate !== (repo.visibility !== 'public')
  emitHubEvent(deps, updated, {
    scope: 'repo.config',
    action: 'update',
    actorId,
    updatedConfig: becameOther ? { private: isPrivate } : {},
  })
  return updated
}

/**
 * Changes the description of a repo and emits an event (`repo`, `update`).
 * @param input `resourceGroupId: null` removes it from its group
 */
export function updateRepo(
  deps: HubDeps,
  input: {
    repo: Repo
    description?: string
    resourceGroupId?: string | null
    actorId?: string
  },
): Repo {
  const { resourceGroupId: oldGroup, ...rest } = input.repo
  const group = input.resourceGroupId === undefined ? oldGroup : input.resourceGroupId
  const updated = deps.state.repos.put({
    ...rest,
    ...(group === undefined || group === null ? {} : { resourceGroupId: group }),
    ...omitUndefined({ description: input.description }),
    updatedAt: deps.clock.now(),
  })
  emitHubEvent(deps, updated, { scope: 'repo', action: 'update', actorId: input.actorId })
  return updated
}

/** Checks that the hardware of a Space fits its SDK. */
function checkMachine(deps: HubDeps, repo: Repo, parts: Pick<Repo, 'machine'>): void {
  if (parts.machine === undefined) return
  checkMachineOfNew(parts, isStaticSpace(repo, readSpaceMetadata(deps, repo)))
}

/** Stores a new repo and emits an event. */
export function addRepo(deps: HubDeps, actorId: string | undefined, repo: Repo): Repo {
  deps.state.repos.put(repo)
  deps.state.repoRedirects.delete(repoKey(repo.type, repo.name))
  emitHubEvent(deps, repo, { scope: 'repo', action: 'create', actorId })
  return repo
}

/**
 * Checks that a name is valid and free, and returns it in its owner's letter case.
 * @throws {Refusal} `invalid`, `not_found` for an unknown namespace, `conflict` when it is taken
 */
export function requireFreeName(
  deps: Pick<HubDeps, 'state' | 'settings'>,
  type: AnyRepoType,
  fullName: string,
  describe: (type: AnyRepoType, holder: string) => string,
  except?: Repo,
): { name: string; owner: NamespaceOwner } {
  const parsed = parseRepoName(fullName)
  const owner = findNamespace(deps.state, parsed.namespace)
  if (owner === undefined) {
    throw new Refusal('not_found', `Namespace not found: ${parsed.namespace}`, {
      detail: 'no user and no organization of the sandbox has this name',
    })
  }
  const name = `${owner.name}/${parsed.name}`
  const holder = deps.state.repos.find('name', repoKey(type, name))
  if (holder !== undefined && holder.id !== except?.id) {
    const url = deps.settings.baseUrl + repoWebPath(type, holder.name)
    // Only of a bucket the hub names the id, too.
    const facts = { url, ...(type === 'bucket' && { id: holder.id }) }
    throw new Refusal('conflict', describe(type, holder.name), { facts })
  }
  return { name, owner }
}

/** @throws {Refusal} `not_found` for a group that the owner does not have */
export function requireResourceGroup(
  { state }: Pick<HubDeps, 'state'>,
  owner: NamespaceOwner,
  groupId: string | undefined,
): void {
  const groups = state.organizations.get(owner.id)?.resourceGroups ?? []
  if (groupId === undefined || groups.some(({ id }) => id === groupId)) return
  throw new Refusal('not_found', `Resource group not found: ${groupId}`, {
    detail: `${owner.name} has no resource group with this id`,
  })
}

function alreadyExists(type: AnyRepoType, name: string): string {
  return `A ${type} repository called ${name} already exists`
}

/** @throws {Refusal} `invalid` for a visibility that this type of repo does not support */
export function checkVisibility(type: AnyRepoType, visibility: Repo['visibility']): void {
  if (visibility === 'protected' && type !== 'space') {
    throw new Refusal('invalid', 'Only Spaces can be protected')
  }
}

/** Checks a license, which becomes a line of a README. */
function requireLicense(license: string | undefined): void {
  const problem = license === undefined ? undefined : checkLicense(license, 'license')[0]
  if (problem !== undefined) throw new Refusal('invalid', problem)
}

/** @param rename returns the item's new target; `undefined` removes the item */
function changeCollectionItems(
  { state }: Pick<HubDeps, 'state'>,
  repo: Repo,
  rename: () => string | undefined,
): void {
  const key = repoKey(repo.type, repo.name)
  for (const collection of state.hubCollections.values()) {
    const items = collection.items.flatMap((item) => {
      if (item.type !== repo.type || repoKey(repo.type, item.target) !== key) return [item]
      const target = rename()
      return target === undefined ? [] : [{ ...item, target }]
    })
    const same = items.every((item, index) => item === collection.items[index])
    if (!same || items.length !== collection.items.length) {
      state.hubCollections.put({ ...collection, items })
    }
  }
}
