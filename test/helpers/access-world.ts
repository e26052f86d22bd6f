import { createSeededIds } from '../../server/core/ids.ts'
import { changeBucketFiles } from '../../server/hub/buckets/bucket-files.ts'
import { createBucket } from '../../server/hub/buckets/buckets.ts'
import { storeContent } from '../../server/hub/buckets/store-content.ts'
import { collectionSlug, createCollection } from '../../server/hub/collections/collections.ts'
import { commitFiles } from '../../server/hub/commits/commits.ts'
import { addComment, openDiscussion } from '../../server/hub/discussions/discussions.ts'
import { openPullRequest } from '../../server/hub/discussions/pull-requests.ts'
import { createRepo } from '../../server/hub/repos/repos.ts'
import { loadXetHashes } from '../../server/hub/xet/hashes.ts'
import type { Collection, Entity } from '../../server/store/collection.ts'
import type { User } from '../../server/store/entities/account-entities.ts'
import type { Repo } from '../../server/store/entities/hub-entities.ts'
import { accountsIn } from '../worlds/accounts.ts'
import type { Caller, Target } from './access-statement.ts'
import { buildTestApp, type TestApp } from './app.ts'

/** A repo of the matrix with everything that the routes need. */
export interface AccessTarget extends Target {
  readonly name: string
  /** A repo, `namespace/name`, on these targets. */
  readonly repo?: string
  readonly discussions?: { readonly own: number; readonly foreign: number }
  readonly comments?: { readonly own: string; readonly foreign: string }
  readonly commitId?: string
  /** A collection, on these targets. */
  readonly slug?: string
}

const clientId = 'access-app'
const owners = ['bob', 'acme', 'labs', 'carol'] as const
type Owner = (typeof owners)[number]

/**
 * Accounts, repos and collections of the access matrix. Bob is the usual caller: he writes in acme, reads in labs, and has
 * no part in what carol has. His access request to each gated repo was accepted.
 */
export async function buildAccessWorld({
  leavesOut = () => false,
}: {
  /** Leaves out what is true for it, as if it had never existed. */
  leavesOut?: (target: Target) => boolean
} = {}) {
  const world = await buildTestApp()
  await loadXetHashes()
  const { state, users, organizations } = world
  // Ids follow from names, so that what is left out changes no other id.
  const deps = { ...world.deps, ids: createSeededIds('access').ids }
  const { user } = accountsIn({ ids: deps.ids, state })
  const people: Record<string, User> = {
    ...users,
    peggy: user('peggy'),
    nora: user('nora'),
    gina: user('gina'),
  }
  const idOf = (name: string) => people[name]?.id ?? ''
  const group = deps.ids.objectId()
  state.organizations.put({
    ...organizations.acme,
    members: [
      ...organizations.acme.members,
      { userId: idOf('peggy'), role: 'contributor' },
      { userId: idOf('nora'), role: 'no_access' },
      { userId: idOf('gina'), role: 'no_access' },
    ],
    resourceGroups: [
      { id: group, name: 'inner', members: [{ userId: idOf('gina'), role: 'write' }] },
    ],
  })
  state.organizations.put({ ...organizations.labs, canPay: true })
  const ownerIds: Record<Owner, string> = {
    bob: users.bob.id,
    acme: organizations.acme.id,
    labs: organizations.labs.id,
    carol: users.carol.id,
  }

  const wanted: (Target & { owner: Owner })[] = [
    ...owners.flatMap((owner) => [{ owner }, { owner, isPrivate: true }, { owner, gated: true }]),
    { owner: 'acme', isPrivate: true, grouped: true },
    { owner: 'acme', grouped: true },
    { owner: 'bob', isPrivate: true, ofApp: true },
    { owner: 'acme', isPrivate: true, ofApp: true },
  ]
  const targets = wanted.filter((target) => !leavesOut(target)).map(repoTarget)
  const buckets = wanted
    .filter((target) => target.gated !== true)
    .map((target) => ({ ...target, isBucket: true }))
    .filter((target) => !leavesOut(target))
    .map(bucketTarget)
  const collections = owners.flatMap((owner) =>
    [false, true]
      .filter((isPrivate) => !leavesOut({ owner, isPrivate, isCollection: true }))
      .map((isPrivate) => collectionTarget(owner, isPrivate)),
  )
  world.events.length = 0
  return { world, deps, people, ownerIds, targets, buckets, collections, headersOf }

  /** Describes a repo to create: its name says what is special about it. */
  function factsOf(target: Target & { owner: Owner }) {
    const { owner, isPrivate = false, gated = false, grouped = false, ofApp = false } = target
    const words = [
      ...(isPrivate ? ['private'] : ['public']),
      ...(gated ? ['gated'] : []),
      ...(grouped ? ['grouped'] : []),
      ...(ofApp ? ['of-app'] : []),
    ]
    return {
      name: `${owner}/${words.join('-')}`,
      actorId: users.alice.id,
      visibility: isPrivate ? ('private' as const) : ('public' as const),
      ...(grouped && { resourceGroupId: group }),
      ...(ofApp && { creatorClientId: clientId }),
    }
  }

  /** Creates a bucket, which has the name of a model: a right on one is none on the other. */
  function bucketTarget(target: Target & { owner: Owner }): AccessTarget {
    const facts = factsOf(target)
    const { name: repo } = facts
    const content = storeContent(deps.objects, Buffer.from(`content of the bucket ${repo}`))
    changeBucketFiles(deps, {
      bucket: createBucket(deps, facts),
      changes: [{ kind: 'add', path: 'a.txt', content }],
    })
    return { ...target, name: `buckets/${repo}`, repo }
  }

  function repoTarget(target: Target & { owner: Owner }): AccessTarget {
    const { gated = false } = target
    const facts = factsOf(target)
    const { name, actorId } = facts
    createRepo(deps, { type: 'model', ...facts })
    const file = { kind: 'add' as const, path: 'a.txt', content: `content of ${name}` }
    const { commit } = commitFiles(deps, {
      repo: repoNamed(name),
      revision: 'main',
      operations: [file],
      title: 'Add a file',
    })
    if (gated) {
      const request = { userId: users.bob.id, status: 'accepted' as const, at: deps.clock.now() }
      state.repos.put({ ...repoNamed(name), gated: 'manual', accessRequests: [request] })
    }
    const open = (opener: User) => {
      const { discussion } = openPullRequest(deps, {
        repo: repoNamed(name),
        title: `Question of ${opener.username}`,
        actorId: opener.id,
      })
      const comment = addComment(deps, { discussion, actorId: opener.id, content: 'text' })
      return { num: discussion.num, comment: comment.id }
    }
    const own = open(users.bob)
    const foreign = open(users.dana)
    openDiscussion(deps, { repo: repoNamed(name), title: 'No pull request', actorId })
    return {
      ...target,
      name,
      repo: name,
      commitId: commit.id,
      discussions: { own: own.num, foreign: foreign.num },
      comments: { own: own.comment, foreign: foreign.comment },
    }
  }

  /** @param name with `buckets/` before it for a bucket */
  function repoNamed(name: string): Repo {
    const key = name.startsWith('buckets/') ? name.replace('buckets/', 'bucket/') : `model/${name}`
    const repo = state.repos.find('name', key)
    if (repo === undefined) throw new Error(`there is no repo ${name}`)
    return repo
  }

  function collectionTarget(owner: Owner, isPrivate: boolean): AccessTarget {
    const kind = owner === 'acme' || owner === 'labs' ? ('org' as const) : ('user' as const)
    const collection = createCollection(
      deps,
      { kind: 'session', user: users.alice },
      {
        owner: { kind, id: ownerIds[owner], name: owner },
        title: isPrivate ? 'hidden things' : 'open things',
        private: isPrivate,
      },
    )
    const slug = collectionSlug(deps, collection)
    return { owner, isPrivate, name: `collection ${slug}`, slug }
  }

  /** Makes the credentials of a caller. */
  function headersOf(caller: Caller): Record<string, string> {
    const { user: username, credential, repo } = caller
    if (credential === 'publisher of a repo' && repo !== undefined) {
      return headersOfPublisher(repoNamed(repo))
    }
    const person = username === undefined ? undefined : people[username]
    if (person === undefined) return {}
    if (credential === 'session') {
      const { id } = state.sessions.put({
        id: deps.ids.alphanumeric(32),
        userId: person.id,
        createdAt: deps.clock.now(),
        expiresAt: deps.clock.now() + 1e9,
      })
      return { cookie: `token=${id}` }
    }
    const { token } = state.tokens.put({
      id: deps.ids.objectId(),
      token: `hf_sandbox_${deps.ids.alphanumeric(24)}`,
      userId: person.id,
      createdAt: deps.clock.now(),
      scopes: [...(caller.scopes ?? [])] as never,
      organizationIds: [],
      kind: 'user',
      ...detailsOf(caller),
    } as Parameters<typeof state.tokens.put>[0])
    return { authorization: `Bearer ${token}` }
  }

  /** Makes a trusted publisher of a repo, and its token. */
  function headersOfPublisher({ id: repoId }: Repo): Record<string, string> {
    const { id } = state.trustedPublishers.put({
      id: deps.ids.objectId(),
      name: 'acme/train',
      provider: 'github',
      claims: { repository: 'acme/train' },
      repoId,
      createdAt: deps.clock.now(),
    })
    const { token } = state.tokens.put({
      id: deps.ids.objectId(),
      token: `hf_jwt_sandbox_${deps.ids.alphanumeric(24)}`,
      kind: 'oauth',
      userId: id,
      grant: 'token_exchange',
      scopes: [],
      organizationIds: [],
      publisherId: id,
      repoId,
      createdAt: deps.clock.now(),
    })
    return { authorization: `Bearer ${token}` }
  }

  function detailsOf({
    credential,
    owners: named = [],
    repos = [],
    permission = '',
    global,
  }: Caller) {
    const acme = organizations.acme.id
    if (credential === 'app') return { kind: 'oauth', clientId, organizationIds: [acme] }
    if (credential === 'publisher of a user') {
      const ofUser = [acme, organizations.labs.id]
      const scopes = ['gated-repos']
      return { kind: 'oauth', grant: 'token_exchange', scopes, organizationIds: ofUser }
    }
    if (credential === 'exchange') {
      return {
        kind: 'oauth',
        clientId,
        grant: 'token_exchange',
        organizationIds: [acme],
        boundOrganizationId: acme,
      }
    }
    if (credential !== 'fine-grained') return { role: credential }
    const entities = [
      ...named.map((owner) => ({
        _id: ownerIds[owner as Owner],
        type: owner === 'acme' || owner === 'labs' ? 'org' : 'user',
      })),
      ...repos.map(repoNamed).map(({ id: _id, type, name }) => ({ _id, type, name })),
    ]
    const scoped = entities.map((entity) => ({ entity, permissions: [permission] }))
    return {
      role: 'fineGrained',
      fineGrained: global === true ? { scoped: [], global: [permission] } : { scoped },
    }
  }
}

export type AccessWorld = Awaited<ReturnType<typeof buildAccessWorld>>

/** Keeps the present state, and returns a function that brings it back. */
export function rememberState({ state }: Pick<TestApp, 'state'>): () => void {
  const kept = Object.values(state as Record<string, Collection<Entity>>).map((collection) => ({
    collection,
    values: Array.from(collection.values()),
    ids: new Set(Array.from(collection.values(), ({ id }) => id)),
  }))
  return () => {
    for (const { collection, values, ids } of kept) {
      for (const { id } of Array.from(collection.values())) if (!ids.has(id)) collection.delete(id)
      // Only what has changed is put back; after a deletion all is, for the order.
      if (collection.size < values.length) collection.clear()
      for (const value of values) if (collection.get(value.id) !== value) collection.put(value)
    }
  }
}
