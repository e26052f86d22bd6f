import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { type Static } from 'typebox'
import type { LfsAddressQuery, LfsBatchBody } from '../../contract/hub-lfs.ts'
import { type LfsAction, lfsMediaType } from '../../contract/hub-lfs.ts'
import { assertShallowJson, deepestJson, mostJsonValues } from '../../core/json-depth.ts'
import { Refusal } from '../../core/refusal.ts'
import { permit } from '../access/access.ts'
import { permitLfsUpload } from '../commits/commit-access.ts'
import { openLfsContents, openStored, storageTag } from '../files/file-contents.ts'
import { planTransfers } from './lfs-batch.ts'
import { mayReferTo } from '../files/lfs-objects.ts'
import type { LfsPermission } from '../access/lfs-permissions.ts'
import { mediaTypeOf } from '../files/media-types.ts'
import { bodyStream } from '../../web/body-stream.ts'
import { contentDisposition } from '../../web/content-disposition.ts'
import { lfsUrl } from '../http/lfs-url.ts'
import {
  findXetPlaces,
  grantXet,
  xetFileHeaders,
  xetHeaders,
  xetTokenPath,
} from '../http/xet-grants.ts'
import { registerLfsErrors } from '../http/lfs-errors.ts'
import { identifyGitClient, registerPrincipal } from '../http/principal-of-request.ts'
import { HttpRefusal } from '../../web/plugins/refusals.ts'
import { registerRepoOfRoute } from '../http/repo-of-route.ts'
import { sendFile } from '../http/send-file.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'
import { registerLocks } from './lfs-lock-routes.ts'

const mostObjects = 1000
/** Body of a batch; clients send a hundred objects or a few more. */
const largestQuestion = 1024 * 1024

interface ContentRequest {
  readonly params: { readonly oid: string }
  readonly query: LfsAddressQuery
}

/** Git LFS under the git URL of each repo: the batch API, and uploads and downloads by signed URLs. */
export const lfsRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerLfsErrors(app)
  registerPrincipal(app, deps, identifyGitClient)
  registerRepoOfRoute(app, deps, { ignoresCase: true })
  app.removeAllContentTypeParsers()
  const json = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser(
    [lfsMediaType, 'application/json'],
    { parseAs: 'string', bodyLimit: largestQuestion },
    (request, body, done) => {
      const text = (request.bodyText = body.toString())
      try {
        assertShallowJson(text, deepestJson, mostJsonValues)
      } catch (error) {
        return done(error as Error)
      }
      void json(request, text, done)
    },
  )

  hub(app, 'POST /:repo/info/lfs/objects/batch', async (request, reply) => {
    const { operation, ref, objects, transfers = ['basic'] } = request.body
    const { principal, repo, root } = request
    if (operation === 'download') permit(deps, principal, { action: 'repo.download', repo, root })
    else permitLfsUpload(deps, principal, repo, ref?.name)
    checkBatch(request.body)
    const planned = planTransfers(deps, {
      repo,
      operation,
      objects,
      mayComeInParts: transfers.includes('multipart'),
      xet: transfers.includes('xet') ? xetUpload(request, ref?.name) : undefined,
      grant: (permission) => deps.lfs.grant(permission),
      addressOf: (at, path, query) =>
        lfsUrl({ root: at === 'hub' ? root : request.storageRoot, repo }, path, query),
    })
    reply.type(lfsMediaType)
    return { ...planned, hash_algo: 'sha256' }
  })

  registerLocks(app, deps)

  hub(app, 'POST /:repo/info/lfs/objects/:oid/verify', async (request, reply) => {
    const { repoId, content } = requirePermission(deps, request, 'verify')
    const { oid, size } = request.body
    const isSame = oid === content.oid && size === content.size
    if (!isSame || !mayReferTo(deps, { id: repoId }, content)) {
      throw new Refusal('not_found', 'The object was not uploaded', {
        detail: isSame ? `${oid} was not uploaded` : 'the URL is for another object',
      })
    }
    reply.type(lfsMediaType)
    return {}
  })

  hub(app, 'POST /:repo/info/lfs/objects/:oid', async (request, reply) => {
    const permission = requirePermission(deps, request, 'upload')
    if (request.body.oid !== permission.content.oid) {
      throw new Refusal('invalid', 'The URL is for another object')
    }
    await deps.lfs.complete(permission, request.query, request.body.parts)
    reply.type(lfsMediaType)
    return {}
  })

  hub(app, 'GET /:repo/info/lfs/objects/:oid', (request, reply) => {
    const { content, repoId } = requirePermission(deps, request, 'download')
    const { filename, commit, download } = request.query
    const repo = commit === undefined ? undefined : deps.state.repos.get(repoId)
    const contents = (repo === undefined ? openStored : openLfsContents)(deps.objects.lfs, content)
    if (commit !== undefined && repo !== undefined) {
      // A storage on the host of the Hub has the headers of the file, too.
      const xet = findXetPlaces(deps, request, { repo, revision: commit, oid: content.oid })
      reply.headers({ 'x-repo-commit': commit, ...(xet && xetFileHeaders(xet)) })
    }
    reply.header(
      'content-disposition',
      filename === undefined ? 'attachment' : contentDisposition(filename, download),
    )
    return sendFile(request, reply, contents, mediaTypeOf(filename ?? ''))
  })

  await app.register(async (bodies: typeof app) => {
    bodies.removeAllContentTypeParsers()
    // Clients send no type; the handler reads the body as a stream.
    bodies.addContentTypeParser('*', (_request, _body, done) => done(null))

    hub(bodies, 'PUT /:repo/info/lfs/objects/:oid', async (request, reply) => {
      const permission = requirePermission(deps, request, 'upload')
      const { part, ...query } = request.query
      const body = bodyStream(request)
      if (part === undefined) {
        await deps.lfs.take(permission, body)
        return reply.header('etag', storageTag(permission.content.oid)).send()
      }
      return reply
        .header('etag', await deps.lfs.takePart(permission, { ...query, part }, body))
        .send()
    })
  })

  /** @param revision branch or `refs/pr/N`; absent = for a future pull request */
  function xetUpload(request: FastifyRequest, revision: string | undefined): LfsAction | undefined {
    if (deps.settings.largeFiles === 'lfs') return undefined
    const { principal, repo, root } = request
    const grant = grantXet(deps, request, {
      principal,
      repo,
      right: 'write',
      revision,
    })
    return {
      href: `${root}${xetTokenPath(repo, 'write', revision)}`,
      header: xetHeaders(grant),
    }
  }
}

/** @throws {Refusal} for an unknown hash algorithm or too many objects */
function checkBatch({ objects, hash_algo: hash }: Static<typeof LfsBatchBody>): void {
  if (hash !== undefined && !['sha256', 'sha_256'].includes(hash)) {
    throw new Refusal('conflict', `Unknown hash algorithm ${hash}: use sha256`)
  }
  if (objects.length > mostObjects) {
    throw new HttpRefusal(413, 'invalid', `A batch has at most ${mostObjects} objects`)
  }
}

/** @throws {Refusal} unless the signature of the URL is valid for this purpose and content */
function requirePermission(
  { lfs }: HubServices,
  { params, query }: ContentRequest,
  purpose: LfsPermission['purpose'],
): LfsPermission {
  return lfs.check(purpose, params.oid, query)
}
