import type { RepoParams } from '../../contract/control-repo-contents.ts'
import { Refusal } from '../../core/refusal.ts'
import { diffPullRequest } from '../discussions/pull-request-diff.ts'
import { requireDiscussion } from '../discussions/discussions.ts'
import { findPath, listFiles } from '../files/trees.ts'
import { largeFilesOf } from '../files/lfs-files.ts'
import { foldersThenFiles } from '../files/tree-pages.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import {
  commentAs,
  commitAs,
  createRefAs,
  deleteRefAs,
  mergeAs,
  openDiscussionAs,
  updateDiscussionAs,
} from './repo-acts.ts'
import { accessRequestItems } from '../gates/access-request-view.ts'
import { decideRequest, requestIdOf } from '../gates/access-requests.ts'
import { requireUser } from '../../store/lookups.ts'
import { findRepoByHand } from './repos-by-hand.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import type { HubServices } from '../services.ts'
import { pageOf } from '../../web/page.ts'
import {
  describeCommit,
  describeCommitInDetail,
  describeDiscussion,
  describeEntry,
  describeFile,
  describeTimelineItem,
} from './content-view.ts'
import { describeRepoInDetail } from './control-view.ts'
import { resolveRevision } from '../files/revisions.ts'
import { listCommitIds } from '../files/history.ts'
import { readCommit } from '../files/git-objects.ts'

/** Contents and activity of a repository. */
export const repoContentRoutes: ControlRoutes<HubServices> = async (app, { deps }) => {
  const repoOf = ({ type, namespace, name }: RepoParams): Repo =>
    findRepoByHand(deps, `${type}s/${namespace}/${name}`)
  const commitOf = (repo: Repo, revision = 'main') =>
    resolveRevision(deps.objects.of(repo), repo, revision).commit
  const discussionOf = (repo: Repo, num: number) => requireDiscussion(deps, repo, num)

  control(app, 'GET repos/:type/:namespace/:name/files', async ({ params, query }) => {
    const repo = repoOf(params)
    const objects = deps.objects.of(repo)
    const findLarge = largeFilesOf(deps, repo)
    const { id, treeId } = commitOf(repo, query.revision)
    if (query.folder === undefined) {
      return pageOf(
        listFiles(objects, treeId),
        query,
        ([path]) => path,
        ([, file]) => describeEntry(file, findLarge),
      )
    }
    const folder = findPath(objects, treeId, query.folder)
    if (folder?.type !== 'directory') {
      throw new Refusal('not_found', `There is no folder ${query.folder} at ${id.slice(0, 7)}.`)
    }
    return pageOf(
      foldersThenFiles(objects, folder, false),
      query,
      ({ path }) => path,
      (entry) => describeEntry(entry, findLarge),
    )
  })

  control(app, 'GET repos/:type/:namespace/:name/file', async ({ params, query }) => {
    const repo = repoOf(params)
    const objects = deps.objects.of(repo)
    const { id, treeId } = commitOf(repo, query.revision)
    const found = findPath(objects, treeId, query.path)
    if (found?.type !== 'file') {
      const hint = found === undefined ? '' : ' It is a folder.'
      throw new Refusal('not_found', `There is no file ${query.path} at ${id.slice(0, 7)}.${hint}`)
    }
    return describeFile(objects, found, id, largeFilesOf(deps, repo))
  })

  control(app, 'GET repos/:type/:namespace/:name/commits', async ({ params, query }) => {
    const repo = repoOf(params)
    const { id: head } = commitOf(repo, query.revision)
    const objects = deps.objects.of(repo)
    return pageOf(
      listCommitIds(objects, head),
      query,
      (id) => id,
      (id) => describeCommit(readCommit(objects, id)),
    )
  })

  control(app, 'GET repos/:type/:namespace/:name/commits/:id', async ({ params, query }) => {
    const repo = repoOf(params)
    const commit = commitOf(repo, params.id)
    return describeCommitInDetail(deps.objects.of(repo), commit, query.diff === '1')
  })

  control(app, 'POST repos/:type/:namespace/:name/commits', async ({ params, body }) => {
    const { commit, discussion } = commitAs(deps, repoOf(params), body)
    return {
      commit: describeCommit(commit),
      ...(discussion !== undefined && { pullRequest: discussion.num }),
    }
  })

  control(app, 'POST repos/:type/:namespace/:name/refs', async ({ params, body }) =>
    describeRepoInDetail(deps, createRefAs(deps, repoOf(params), body)),
  )

  control(app, 'DELETE repos/:type/:namespace/:name/refs', async ({ params, query }) =>
    describeRepoInDetail(deps, deleteRefAs(deps, repoOf(params), query)),
  )

  control(app, 'GET repos/:type/:namespace/:name/access-requests', async ({ params, query }) =>
    pageOf(
      accessRequestItems(deps, repoOf(params)),
      query,
      ({ requestId }) => requestId,
      (request) => request,
    ),
  )

  control(
    app,
    'PATCH repos/:type/:namespace/:name/access-requests/:username',
    async ({ params, body }) => {
      const request = { user: params.username }
      const repo = decideRequest(deps, { repo: repoOf(params), request, ...body })
      const requestId = requestIdOf(repo, requireUser(deps, params.username, 'username').id)
      const items = accessRequestItems(deps, repo)
      const decided = items.find((one) => one.requestId === requestId)
      if (decided === undefined) throw new Refusal('not_found', 'The user was deleted.')
      return decided
    },
  )

  control(app, 'POST repos/:type/:namespace/:name/discussions', async ({ params, body }) =>
    describeDiscussion(deps, openDiscussionAs(deps, repoOf(params), body)),
  )

  control(app, 'GET repos/:type/:namespace/:name/discussions/:num', async ({ params, query }) => {
    const repo = repoOf(params)
    const discussion = discussionOf(repo, params.num)
    const described = describeDiscussion(deps, discussion)
    if (query.diff !== '1' || !discussion.isPullRequest) return described
    const diff = diffPullRequest(deps, repo, discussion)
    return { ...described, diff }
  })

  control(app, 'PATCH repos/:type/:namespace/:name/discussions/:num', async ({ params, body }) => {
    const repo = repoOf(params)
    const updated = updateDiscussionAs(deps, repo, discussionOf(repo, params.num), body)
    return describeDiscussion(deps, updated)
  })

  control(
    app,
    'POST repos/:type/:namespace/:name/discussions/:num/comments',
    async ({ params, body }) => {
      const repo = repoOf(params)
      return describeTimelineItem(deps, commentAs(deps, repo, discussionOf(repo, params.num), body))
    },
  )

  control(
    app,
    'POST repos/:type/:namespace/:name/discussions/:num/merge',
    async ({ params, body }) => {
      const repo = repoOf(params)
      return describeDiscussion(deps, await mergeAs(deps, repo, params.num, body))
    },
  )
}
