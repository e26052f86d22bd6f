import type {
  CommentFixtureInput,
  DiscussionFixtureInput,
  RepoFixtureInput,
} from '../contract/fixtures-types.ts'
import { listComments } from '../hub/discussions.ts'
import { firstFiles } from '../hub/first-files.ts'
import { readCommit } from '../hub/git-objects.ts'
import { findMergeBase } from '../hub/history.ts'
import { pullRequestRef } from '../hub/pull-request-commits.ts'
import { mainRef } from '../hub/revisions.ts'
import { listFiles } from '../hub/trees.ts'
import type { Discussion, Repo } from './entities/hub.ts'
import type { ExportDeps } from './export-fixtures.ts'
import type { IdNames } from './fixture-names.ts'
import { own, setOwn } from '../core/own.ts'

type State = ExportDeps['state']
type Files = NonNullable<RepoFixtureInput['files']>

/** A repo as it is now: the files of its main branch without their history, and what is discussed. */
export function exportRepo({ state }: ExportDeps, names: IdNames, repo: Repo): RepoFixtureInput {
  const { id, type, name, description, gated, likes, downloads } = repo
  const creator = names.user(repo.creatorId)
  const resourceGroup = state.organizations
    .get(repo.ownerId)
    ?.resourceGroups.find((group) => group.id === repo.resourceGroupId)
  return {
    id,
    type,
    name,
    private: repo.visibility !== 'public',
    gated,
    access: gated === false ? [] : exportAccess(names, repo),
    ...(creator === undefined ? {} : { creator }),
    ...(resourceGroup === undefined ? {} : { resourceGroup: resourceGroup.name }),
    ...(repo.sdk === undefined ? {} : { sdk: repo.sdk as 'gradio' }),
    ...(description === undefined ? {} : { description }),
    likes,
    downloads,
    files: exportMain(state, repo),
    tags: Object.keys(repo.refs)
      .filter((ref) => ref.startsWith('refs/tags/'))
      .map((ref) => ref.slice('refs/tags/'.length)),
    discussions: state.discussions
      .group('repo', id)
      .toSorted((a, b) => a.num - b.num)
      .flatMap((discussion) => exportDiscussion(state, names, repo, discussion)),
    createdAt: iso(repo.createdAt),
  }
}

function exportAccess(names: IdNames, { accessRequests }: Repo) {
  return accessRequests.flatMap(({ userId, status, at, fields, rejectionReason }) => {
    const user = names.user(userId)
    if (user === undefined) return []
    return [
      {
        user,
        status,
        at: iso(at),
        ...(fields === undefined ? {} : { fields }),
        ...(rejectionReason === undefined ? {} : { rejectionReason }),
      },
    ]
  })
}

function exportMain(state: State, repo: Repo): Files {
  const files = filesAt(state, repo.refs[mainRef])
  const [attributes] = firstFiles(repo.type, { name: repo.name })
  const isUntouched =
    attributes?.kind === 'add' && own(files, attributes.path) === attributes.content
  if (isUntouched) delete files[attributes.path]
  return files
}

function filesAt(state: State, commitId: string | undefined): Files {
  if (commitId === undefined) return {}
  const files: Files = {}
  for (const [path, { oid }] of listFiles(state, readCommit(state, commitId).treeId)) {
    setOwn(files, path, exportBlob(state, oid))
  }
  return files
}

function exportBlob(state: State, oid: string): Files[string] {
  const blob = state.blobs.get(oid)
  if (blob === undefined) throw new Error(`the blob ${oid} is missing`)
  return blob.encoding === 'utf-8' ? blob.content : { base64: blob.content }
}

function exportDiscussion(
  state: State,
  names: IdNames,
  repo: Repo,
  discussion: Discussion,
): DiscussionFixtureInput[] {
  const { id, num, title, isPullRequest, status, pinned, createdAt } = discussion
  const author = names.user(discussion.authorId)
  if (author === undefined) return []
  const [opening, ...comments] = listComments({ state }, discussion)
  const files = isPullRequest ? exportProposal(state, repo, discussion) : {}
  return [
    {
      id,
      num,
      title,
      author,
      isPullRequest,
      status,
      pinned,
      content: opening?.content ?? '',
      comments: comments.flatMap((comment): CommentFixtureInput[] => {
        const by = names.user(comment.authorId)
        if (by === undefined || comment.content === '') return []
        return [
          {
            id: comment.id,
            author: by,
            content: comment.content,
            hidden: comment.hidden ?? false,
            createdAt: iso(comment.createdAt),
          },
        ]
      }),
      ...(Object.keys(files).length === 0 ? {} : { files }),
      createdAt: iso(createdAt),
    },
  ]
}

/** What an unmerged pull request adds and changes; what a merged one did is in the repo's files. */
function exportProposal(state: State, repo: Repo, { num, status }: Discussion): Files {
  const headId = own(repo.refs, pullRequestRef(num))
  const mainId = repo.refs[mainRef]
  if (status === 'merged' || headId === undefined || mainId === undefined) return {}
  const base = filesAt(state, findMergeBase(state, mainId, headId)?.id)
  return Object.fromEntries(
    Object.entries(filesAt(state, headId)).filter(
      ([path, file]) => JSON.stringify(file) !== JSON.stringify(own(base, path)),
    ),
  )
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
