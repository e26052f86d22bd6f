import { isoTime } from '../../core/time.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { RepoFileItem } from '../../contract/control-repo-contents.ts'
import { listBucketFiles, measureBucket } from '../buckets/bucket-files.ts'
import type { RepoDetail, RepoItem } from '../../contract/control-repos.ts'
import { largeFilesOf } from '../files/lfs-files.ts'
import { readCommit } from '../files/git-objects.ts'
import { repoWebPath } from '../files/repo-names.ts'
import { mainRef, refNames } from '../files/revisions.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { describeFileItem } from './content-view.ts'
import { present, userRef, type ViewDeps } from '../access/refs.ts'
import { filesOf } from '../files/contents.ts'

export function describeRepo(deps: ViewDeps, repo: Repo): RepoItem {
  const headSha = repo.refs[mainRef]
  return {
    id: repo.id,
    type: repo.type,
    name: repo.name,
    visibility: repo.visibility,
    private: repo.visibility === 'private',
    gated: repo.gated,
    ...present(repo, 'sdk'),
    likes: repo.likes,
    downloads: repo.downloads,
    ...omitUndefined({ headSha }),
    branches: refNames(repo, 'refs/heads/'),
    tags: refNames(repo, 'refs/tags/'),
    discussions: deps.state.discussions.groupSize('repo', repo.id),
    ...(repo.type === 'bucket' && { storage: measureBucket(deps, repo) }),
    url: deps.settings.baseUrl + repoWebPath(repo.type, repo.name),
    createdAt: isoTime(repo.createdAt),
    updatedAt: isoTime(repo.updatedAt),
  }
}

function filesIn(deps: ViewDeps, repo: Repo): Iterable<RepoFileItem> {
  if (repo.type === 'bucket') return listBucketFiles(deps, repo)
  const head = repo.refs[mainRef]
  const objects = deps.objects.of(repo)
  return head === undefined ? [] : filesOf(objects, readCommit(objects, head).treeId)
}

/** Files in the details of a repo; a response with more would take long to write. */
const mostFiles = 10_000

/** Describes a repo with its files. */
export function describeRepoInDetail(deps: ViewDeps, repo: Repo): RepoDetail {
  const files: RepoDetail['files'] = []
  let moreFiles = 0
  // A bucket has no pointers.
  const findLarge = repo.type === 'bucket' ? () => undefined : largeFilesOf(deps, repo)
  for (const file of filesIn(deps, repo)) {
    if (files.length === mostFiles) moreFiles += 1
    else files.push(describeFileItem(file, findLarge))
  }
  return {
    ...describeRepo(deps, repo),
    files,
    ...(moreFiles > 0 && { moreFiles }),
    accessRequests: repo.accessRequests.map(({ userId, status, at }) => ({
      user: userRef(deps, userId),
      status,
      at: isoTime(at),
    })),
    discussionList: deps.state.discussions.group('repo', repo.id).map((discussion) => ({
      num: discussion.num,
      title: discussion.title,
      status: discussion.status,
      isPullRequest: discussion.isPullRequest,
      author: userRef(deps, discussion.authorId),
      createdAt: isoTime(discussion.createdAt),
    })),
  }
}
