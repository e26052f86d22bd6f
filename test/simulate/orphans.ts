import type { State } from '../../server/store/state.ts'

type Owned = readonly [what: string, owner: boolean]

/** Finds something whose owner, repo, organization or target was deleted: it goes with it. */
export function findOrphan(state: State): string | undefined {
  for (const [what, hasOwner] of belongings(state)) if (!hasOwner) return what
  return undefined
}

function* belongings(state: State): Generator<Owned> {
  yield* ofAccounts(state)
  yield* ofRepos(state)
  yield* ofOrganizations(state)
  yield* ofCollections(state)
}

function* ofAccounts({ users, organizations, ...state }: State): Generator<Owned> {
  const exists = (id: string) => users.has(id) || organizations.has(id)
  const owned = { repo: state.repos, collection: state.hubCollections }
  for (const [kind, things] of Object.entries(owned)) {
    for (const { id, ownerId } of things.values()) {
      yield [`the owner of the ${kind} ${id} is gone`, exists(ownerId)]
    }
  }
  const kept = { 'scheduled job': state.scheduledJobs, endpoint: state.inferenceEndpoints }
  for (const [kind, things] of Object.entries(kept)) {
    for (const { id, ownerId } of things.values()) {
      yield [`the owner of the ${kind} ${id} is gone`, exists(ownerId)]
    }
  }
  for (const { id, ownerId } of state.webhooks.values()) {
    yield [`the owner of the webhook ${id} is gone`, users.has(ownerId)]
  }
  for (const { id, userId, kind, targetId } of state.marks.values()) {
    const targets = { like: state.repos, upvote: state.hubCollections }
    const isThere = kind === 'follow' ? exists(targetId) : targets[kind].has(targetId)
    yield [`the target of the mark ${id} is gone`, isThere]
    yield [`the user of the mark ${id} is gone`, users.has(userId)]
  }
}

function* ofRepos({ repos, discussions, ...state }: State): Generator<Owned> {
  for (const { id, repoId } of state.repoRedirects.values()) {
    yield [`the former name ${id} leads to a repo that is gone`, repos.has(repoId)]
  }
  const parts = {
    discussion: discussions,
    'large file': state.lfsFiles,
    'file of a bucket': state.bucketFiles,
    lock: state.lfsLocks,
  }
  for (const [kind, things] of Object.entries(parts)) {
    for (const { id, repoId } of things.values()) {
      yield [`the repo of the ${kind} ${id} is gone`, repos.has(repoId)]
    }
  }
  for (const { id, discussionId } of state.discussionEvents.values()) {
    yield [`the discussion of the entry ${id} is gone`, discussions.has(discussionId)]
  }
  for (const { id, repoId } of state.trustedPublishers.values()) {
    yield [`the repo of the publisher ${id} is gone`, repoId === undefined || repos.has(repoId)]
  }
}

function* ofOrganizations({ organizations, ...state }: State): Generator<Owned> {
  const exists = (id: string | undefined) => id === undefined || organizations.has(id)
  for (const { id, name, members, resourceGroups } of organizations.values()) {
    const known = new Set(members.map(({ userId }) => userId))
    for (const { userId } of members) {
      yield [`the member ${userId} of ${name} is gone`, state.users.has(userId)]
    }
    for (const group of resourceGroups) {
      for (const { userId } of group.members) {
        yield [`the group ${group.name} of ${name} has ${userId}, no member`, known.has(userId)]
      }
    }
    const groups = new Set(resourceGroups.map((group) => group.id))
    for (const thing of [
      ...state.repos.group('owner', id),
      ...state.hubCollections.group('owner', id),
    ]) {
      const { resourceGroupId: group } = thing
      yield [`the group of ${thing.id} is gone`, group === undefined || groups.has(group)]
    }
  }
  for (const { id, organizationId } of state.apps.values()) {
    yield [`the organization of the app ${id} is gone`, exists(organizationId)]
  }
  for (const { id, organizationId } of state.auditRows.values()) {
    yield [`the organization of the row ${id} is gone`, exists(organizationId)]
  }
  for (const { id, boundOrganizationId, revokedAt } of state.tokens.values()) {
    const isOver = revokedAt !== undefined
    yield [`the organization of the token ${id} is gone`, isOver || exists(boundOrganizationId)]
  }
}

function* ofCollections({ hubCollections, repos }: State): Generator<Owned> {
  for (const { id, items } of hubCollections.values()) {
    for (const { type, target } of items) {
      if (type === 'paper') continue
      const isThere =
        type === 'collection'
          ? hubCollections.has(target.slice(-24))
          : repos.find('name', `${type}/${target.toLowerCase()}`) !== undefined
      yield [`the item ${target} of the collection ${id} is gone`, isThere]
    }
  }
}
