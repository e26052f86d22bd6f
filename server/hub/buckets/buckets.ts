import type { RepoRegion } from '../../contract/words/hub-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import type { HubDeps } from '../hub-deps.ts'
import { addRepo, checkVisibility, requireFreeName, requireResourceGroup } from '../repos/repos.ts'

export interface CreateBucketInput {
  /** `namespace/name`; the namespace must exist. */
  name: string
  /** Absent for the hub itself. */
  actorId?: string
  /** Default: the one of the organization, else public. */
  visibility?: Repo['visibility']
  region?: RepoRegion
  cdnRegions?: NonNullable<Repo['cdnRegions']>
  resourceGroupId?: string
  /** App that creates it. */
  creatorClientId?: string
  id?: string
}

/**
 * Creates an empty bucket and emits an event. A bucket is a repo without git: it has no branches and no discussions.
 * @throws {Refusal} `invalid` for an invalid name or visibility, `not_found` for an unknown namespace or resource group,
 *   `conflict` (with `url` in the body) when the bucket exists
 */
export function createBucket(deps: HubDeps, input: CreateBucketInput): Repo {
  const { actorId } = input
  const { name, owner } = requireFreeName(
    deps,
    'bucket',
    input.name,
    () => 'You already created this bucket',
  )
  requireResourceGroup(deps, owner, input.resourceGroupId)
  const { defaultVisibility = 'public' } = deps.state.organizations.get(owner.id) ?? {}
  const { visibility = defaultVisibility } = input
  checkVisibility('bucket', visibility)
  const now = deps.clock.now()
  return addRepo(deps, actorId, {
    id: input.id ?? deps.ids.of('repo', 'bucket', name).objectId(),
    type: 'bucket',
    name,
    ownerId: owner.id,
    visibility,
    gated: false,
    ...omitUndefined({
      creatorId: actorId,
      creatorClientId: input.creatorClientId,
      resourceGroupId: input.resourceGroupId,
      region: input.region,
      cdnRegions: input.cdnRegions,
    }),
    likes: 0,
    downloads: 0,
    refs: {},
    lastDiscussionNumber: 0,
    accessRequests: [],
    createdAt: now,
    updatedAt: now,
  })
}
