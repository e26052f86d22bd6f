import type { CommentFixture, DiscussionFixture, RepoFixture } from '../contract/fixtures-types.ts'
import {
  addComment,
  changeStatus,
  hideComment,
  noteEvent,
  openDiscussion,
} from '../hub/discussions.ts'
import { commitFiles, type FileOperation } from '../hub/commits.ts'
import { type HubDeps, loadingDeps } from '../hub/hub-deps.ts'
import { mergePullRequest, openPullRequest } from '../hub/pull-requests.ts'
import { createTag } from '../hub/repo-refs.ts'
import { createRepo } from '../hub/repos.ts'
import { mainRef } from '../hub/revisions.ts'
import { putSpaceApp } from '../oauth/space-app.ts'
import { createIds, seededBytes } from '../core/ids.ts'
import type { Discussion, Repo } from './entities/hub.ts'
import type { NameIds } from './fixture-names.ts'
import type { LoadDeps } from './load-fixtures.ts'

/** Makes a repo the way a user would, through the hub's own functions, at the time the fixture says. */
export function loadRepo(deps: LoadDeps, ids: NameIds, fixture: RepoFixture): void {
  const at = Date.parse(fixture.createdAt)
  const loading = loadingDeps(deps, { at, name: `repo ${fixture.id}` })
  const creatorId = findCreator(deps, ids, fixture)
  const organization = deps.state.organizations.get(ids.namespace(namespaceOf(fixture)))
  const group = organization?.resourceGroups.find(({ name }) => name === fixture.resourceGroup)

  const created = createRepo(loading, {
    id: fixture.id,
    type: fixture.type,
    name: fixture.name,
    visibility: fixture.private ? 'private' : 'public',
    gated: fixture.gated,
    ...(creatorId === undefined ? {} : { actorId: creatorId }),
    ...(fixture.sdk === undefined ? {} : { sdk: fixture.sdk }),
    ...(fixture.description === undefined ? {} : { description: fixture.description }),
    ...(group === undefined ? {} : { resourceGroupId: group.id }),
  })
  const uploaded = upload(loading, created, fixture.files, creatorId)
  const repo = deps.state.repos.put({
    ...uploaded,
    likes: fixture.likes,
    downloads: fixture.downloads,
    accessRequests: fixture.access.map(({ user, at: decidedAt, fields, ...request }) => ({
      ...request,
      userId: ids.user(user),
      at: Date.parse(decidedAt),
      ...(fields === undefined ? {} : { fields: { ...fields } }),
    })),
  })
  fixture.tags.reduce((tagged, name) => createTag(loading, { repo: tagged, name }), repo)
  for (const discussion of fixture.discussions) loadDiscussion(deps, ids, fixture, discussion)
  putSpaceApp(
    { ...loading, ids: createIds(seededBytes(`space ${fixture.id}`)) },
    current(loading, fixture.id),
  )
}

function namespaceOf({ name }: RepoFixture): string {
  return name.slice(0, name.indexOf('/'))
}

/** Who made it: as the fixture says, the user whose it is, or the organization's first administrator. */
function findCreator({ state }: LoadDeps, ids: NameIds, fixture: RepoFixture): string | undefined {
  if (fixture.creator !== undefined) return ids.user(fixture.creator)
  const ownerId = ids.namespace(namespaceOf(fixture))
  if (state.users.has(ownerId)) return ownerId
  const members = state.organizations.get(ownerId)?.members ?? []
  return (members.find(({ role }) => role === 'admin') ?? members[0])?.userId
}

function upload(
  deps: HubDeps,
  repo: Repo,
  files: RepoFixture['files'],
  actorId: string | undefined,
): Repo {
  const operations = operationsOf(files)
  if (operations.length === 0) return repo
  const title = operations.length === 1 ? `Upload ${operations[0]?.path}` : 'Upload files'
  const by = actorId === undefined ? {} : { actorId }
  return commitFiles(deps, { repo, revision: 'main', operations, title, ...by }).repo
}

function operationsOf(files: RepoFixture['files']): FileOperation[] {
  return Object.entries(files).map(([path, content]) => ({
    kind: 'add',
    path,
    content: typeof content === 'string' ? content : Buffer.from(content.base64, 'base64'),
  }))
}

function loadDiscussion(
  deps: LoadDeps,
  ids: NameIds,
  { id: repoId }: RepoFixture,
  fixture: DiscussionFixture,
): void {
  const { num, title, content, author } = fixture
  const at = Date.parse(fixture.createdAt)
  const loading = loadingDeps(deps, { at, name: `discussion ${fixture.id}` })
  const actorId = ids.user(author)
  // A file may leave numbers out; the next one given out is the one after this.
  const repo = deps.state.repos.put({ ...current(loading, repoId), lastDiscussionNumber: num - 1 })
  const input = { repo, id: fixture.id, title, description: content, actorId }
  const discussion = fixture.isPullRequest
    ? proposeFiles(loading, input, fixture)
    : openDiscussion(loading, input).discussion
  for (const comment of fixture.comments) loadComment(deps, ids, discussion, comment)
  const settled = settle(loading, { discussion, actorId }, fixture)
  if (fixture.pinned) deps.state.discussions.put({ ...settled, pinned: true })
}

/** A draft with the commit that the fixture's files make. */
function proposeFiles(
  deps: HubDeps,
  input: Parameters<typeof openPullRequest>[1],
  { num, files = {} }: DiscussionFixture,
): Discussion {
  const { repo, discussion } = openPullRequest(deps, input)
  const operations = operationsOf(files)
  if (operations.length > 0) {
    const { title, actorId } = input
    commitFiles(deps, { repo, revision: `refs/pr/${num}`, operations, title, actorId })
  }
  return discussion
}

/** Brings a fresh discussion or draft to its status by the steps that lead there. */
function settle(
  deps: HubDeps,
  { discussion, actorId }: { discussion: Discussion; actorId: string },
  { status, files = {} }: DiscussionFixture,
): Discussion {
  if (status === discussion.status) return discussion
  if (status !== 'merged') return changeStatus(deps, { discussion, actorId, status })
  const open = changeStatus(deps, { discussion, actorId, status: 'open' })
  if (Object.keys(files).length > 0) {
    return mergePullRequest(deps, { discussion: open, actorId }).discussion
  }
  // What it changed was changed again since, so there is nothing left to merge.
  noteEvent(deps, { discussion, actorId }, { type: 'status-change', status })
  const head = current(deps, discussion.repoId).refs[mainRef]
  return deps.state.discussions.put({
    ...open,
    status,
    ...(head === undefined ? {} : { mergeCommitId: head }),
  })
}

function loadComment(
  deps: LoadDeps,
  ids: NameIds,
  discussion: Discussion,
  { id, author, content, hidden, createdAt }: CommentFixture,
): void {
  const loading = {
    ...loadingDeps(deps, { at: Date.parse(createdAt), name: `comment ${id}` }),
    ids: { objectId: () => id },
  }
  const actorId = ids.user(author)
  addComment(loading, { discussion, actorId, content })
  if (hidden) hideComment(loading, { discussion, actorId, commentId: id })
}

function current({ state }: Pick<HubDeps, 'state'>, repoId: string): Repo {
  const repo = state.repos.get(repoId)
  if (repo === undefined) throw new TypeError(`the repo ${repoId} was not loaded`)
  return repo
}
