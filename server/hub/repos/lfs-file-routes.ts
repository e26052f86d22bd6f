import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { LfsDuplicationBody } from '../../contract/hub-lfs.ts'
import { openRepo, permit } from '../access/access.ts'
import { deleteLfsFiles } from './lfs-history.ts'
import { listLfsFiles } from './lfs-list.ts'
import { findLfsFile, noteLfsFile } from '../files/lfs-objects.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { linkNextPage } from '../http/next-page.ts'
import { registerPrincipal, signedIn } from '../http/principal-of-request.ts'
import { registerRepoOfRoute } from '../http/repo-of-route.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'

/** The large files that repos have. */
export const lfsFileRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)

  hub(app, 'GET /api/:repo/lfs-files', (request, reply) => {
    const { files, next } = listLfsFiles(deps, request.repo, request.query)
    if (next !== undefined) linkNextPage(request, reply, next)
    return files
  })

  hub(app, 'POST /api/:repo/lfs-files/batch', (request) => {
    const { sha, rewriteHistory = true } = request.body.deletions
    const actorId = signedIn(request).user.id
    deleteLfsFiles(deps, { repo: request.repo, oids: sha, rewriteHistory, actorId })
    return {}
  })

  hub(app, 'DELETE /api/:repo/lfs-files/:sha', (request) => {
    const { repo, params, query } = request
    const { rewriteHistory = true } = query
    const actorId = signedIn(request).user.id
    deleteLfsFiles(deps, { repo, oids: [params.sha], rewriteHistory, actorId })
    return {}
  })

  const duplicate = (
    { repo, principal, body }: FastifyRequest<{ Body: Static<typeof LfsDuplicationBody> }>,
    reply: FastifyReply,
  ) => {
    const { type, name } = body.target
    const { repo: target } = openRepo(deps, principal, { type, name, action: 'repo.read' })
    permit(deps, principal, { action: 'pull-request.commit', repo: target })
    const asked = new Map(body.files.map((file) => [file.sha256, file]))
    const failed = [...asked.values()].flatMap(({ sha256, xetHash }) => {
      const file = findLfsFile(deps, repo, sha256)
      if (file === undefined) {
        return [{ xetHash: xetHash ?? '', sha256, error: 'The object is not in this repo' }]
      }
      noteLfsFile(deps, target, file)
      return []
    })
    const processed = asked.size
    const success = failed.length === 0
    reply.code(success ? 200 : 207)
    return { success, processed, succeeded: processed - failed.length, failed }
  }
  hub(app, 'POST /api/:repo/lfs-files/duplicate', duplicate)
  hub(app, 'POST /api/buckets/:namespace/:name/lfs-files/duplicate', duplicate)
}
