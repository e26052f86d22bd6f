import type { FastifyPluginAsync } from 'fastify'
import { treePageSizes } from '../../contract/hub-files.ts'
import { Refusal } from '../../core/refusal.ts'
import { encodedRevision, splitAddress } from './address-revisions.ts'
import { type FindLarge, largeFilesOf } from './lfs-files.ts'
import { formatTreeCursor, parseTreeCursor } from './pages-of-commit.ts'
import { resolveRevision } from './revisions.ts'
import { describeEntries, pageOfTree } from './tree-pages.ts'
import { findPaths } from './trees.ts'
import type { ObjectStore } from './git-objects.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { filesOf } from './contents.ts'
import { restOfPath, requireEntry } from '../http/addressed-entry.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { linkNextPage } from '../http/next-page.ts'
import { registerPrincipal } from '../http/principal-of-request.ts'
import { HttpRefusal } from '../../web/plugins/refusals.ts'
import { registerRepoOfRoute } from '../http/repo-of-route.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'

/** Paths that can be looked up at once, by the form of the body. */
const mostPaths = { form: 1000, json: 2000 } as const

/** Files and folders of repos, at any revision. */
export const repoFileRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)

  hub(app, 'GET /api/:repo/tree/*', async (request, reply) => {
    const { repo, query } = request
    const { recursive = false, expand = false, cursor } = query
    const { revision, path } = splitAddress(repo, restOfPath(request))
    const start = cursor === undefined ? undefined : parseTreeCursor(cursor)
    const objects = deps.objects.of(repo)
    const { commit } = resolveRevision(objects, repo, start?.commitId ?? revision)
    const folder = requireEntry(reply, objects, { commit, path, revision, type: 'directory' })
    const { usual, most } = treePageSizes[expand ? 'expanded' : 'plain']
    const limit = Math.min(query.limit ?? start?.limit ?? usual, most)
    const after = start?.after
    const { entries, last } = pageOfTree(objects, { folder, recursive, limit, after })
    if (last !== undefined) {
      const next = formatTreeCursor({ after: last, limit, commitId: commit.id })
      linkNextPage(request, reply, next)
    }
    return describeEntries(contentsOf(repo), commit, entries, expand)
  })

  hub(app, 'GET /api/:repo/treesize/*', (request, reply) => {
    const { repo } = request
    const { revision, path } = splitAddress(repo, restOfPath(request))
    const { objects, findLarge } = contentsOf(repo)
    const { commit } = resolveRevision(objects, repo, revision)
    const folder = requireEntry(reply, objects, { commit, path, revision, type: 'directory' })
    let size = 0
    for (const file of filesOf(objects, folder.oid)) size += findLarge(file)?.size ?? file.size
    return { path: `/${path}`, size }
  })

  // No state of the Hub's says that nothing was scanned; only that not all is.
  hub(app, 'GET /api/:repo/scan', () => ({ scansDone: false, filesWithIssues: [] }))

  hub(app, 'POST /api/:repo/paths-info/*', async (request) => {
    const { repo, body } = request
    const { paths, expand } = readPathsInfo(body)
    const objects = deps.objects.of(repo)
    const revision = encodedRevision(repo, restOfPath(request))
    const { commit } = resolveRevision(objects, repo, revision)
    const named = paths.map((path) => path.replace(/\/$/, '')).filter((path) => path !== '')
    const entries = findPaths(objects, commit.treeId, named)
    return describeEntries(contentsOf(repo), commit, entries, expand)
  })

  function contentsOf(repo: Repo): { objects: ObjectStore; findLarge: FindLarge } {
    return { objects: deps.objects.of(repo), findLarge: largeFilesOf(deps, repo) }
  }
}

/** Paths of a form, where a name may be repeated, as older clients send it, or of JSON. */
function readPathsInfo(body: unknown): { paths: string[]; expand: boolean } {
  const form = body instanceof URLSearchParams ? body : undefined
  const { paths, expand } =
    form === undefined
      ? ((body ?? {}) as { paths?: unknown; expand?: unknown })
      : { paths: form.getAll('paths'), expand: form.get('expand')?.toLowerCase() === 'true' }
  const list = typeof paths === 'string' ? [paths] : paths
  if (!Array.isArray(list) || !list.every((path) => typeof path === 'string')) {
    throw new Refusal('invalid', 'paths must be a list of texts')
  }
  const most = mostPaths[form === undefined ? 'json' : 'form']
  if (list.length > most) {
    throw new HttpRefusal(413, 'invalid', `At most ${most} paths can be looked up at once`, {
      detail: `${list.length} were sent; JSON may have ${mostPaths.json}, a form ${mostPaths.form}`,
    })
  }
  return { paths: list, expand: expand === true }
}
