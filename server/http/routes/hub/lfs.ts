import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  LfsAddressQuery,
  LfsBatchBody,
  LfsCompletionBody,
  LfsDownloadQuery,
  lfsMediaType,
  LfsUploadQuery,
  LfsVerifyBody,
} from '../../../contract/hub-lfs.ts'
import { assertShallowJson, deepestJson, mostJsonValues } from '../../../core/json-depth.ts'
import { Refusal } from '../../../core/refusal.ts'
import { permit } from '../../../hub/access/access.ts'
import { permitLfsUpload } from '../../../hub/commits/commit-access.ts'
import { openLfsContents } from '../../../hub/files/file-contents.ts'
import { planTransfers } from '../../../hub/uploads/lfs-batch.ts'
import { mayReferTo } from '../../../hub/files/lfs-objects.ts'
import type { LfsPermission } from '../../../hub/access/lfs-permissions.ts'
import { mediaTypeOf } from '../../../hub/files/media-types.ts'
import { passingBody } from '../../body-stream.ts'
import { contentDisposition } from '../../content-disposition.ts'
import { lfsUrl } from '../../lfs-url.ts'
import { registerLfsErrors } from '../../plugins/lfs-errors.ts'
import { identifyGitClient, registerPrincipal } from '../../plugins/principal.ts'
import { HttpRefusal } from '../../plugins/refusals.ts'
import { registerRepoOfRoute, webRepoRoutes } from '../../plugins/repo-of-route.ts'
import { sendFile } from '../../send-file.ts'
import type { ServerDeps } from '../../server-deps.ts'

const tags = ['lfs']
const mostObjects = 1000
/** Of a batch: clients send a hundred objects, or some more. */
const largestQuestion = 1024 * 1024

interface ContentRequest {
  readonly params: { readonly oid: string }
  readonly query: LfsAddressQuery
}

/** Git LFS, at the address of each repo for git: what is asked by those who sign in, and the contents themselves. */
export const lfsRoutes: FastifyPluginAsyncTypebox<{ deps: ServerDeps }> = async (app, { deps }) => {
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

  for (const { route, params } of webRepoRoutes) {
    const base = `${route}/info/lfs`
    const ofContent = Type.Object({
      ...params.properties,
      oid: Type.String({ description: 'SHA-256 of the content' }),
    })

    app.post(
      `${base}/objects/batch`,
      {
        config: { repoAction: 'repo.read' },
        schema: {
          summary: 'Ask where contents go, or are',
          description: `Media type ${lfsMediaType}. The addresses need no token.`,
          tags,
          params,
          body: LfsBatchBody,
        },
      },
      async (request, reply) => {
        const { operation, ref, objects, transfers = ['basic'], hash_algo: hash } = request.body
        if (operation === 'download') permitDownload(request)
        else permitLfsUpload(deps, request.principal, request.repo, ref?.name)
        if (hash !== undefined && !['sha256', 'sha_256'].includes(hash)) {
          throw new Refusal('conflict', `The hash algorithm ${hash} is not known: use sha256`)
        }
        if (objects.length > mostObjects) {
          throw new HttpRefusal(413, 'invalid', `A batch has ${mostObjects} objects at most`)
        }
        const planned = planTransfers(deps, {
          repo: request.repo,
          operation,
          objects,
          mayComeInParts: transfers.includes('multipart'),
          grant: (permission) => deps.lfs.grant(permission),
          addressOf: (path, query) => lfsUrl(request, path, query),
        })
        reply.type(lfsMediaType)
        return { ...planned, hash_algo: 'sha256' }
      },
    )

    app.post(
      `${base}/objects/:oid/verify`,
      {
        schema: {
          summary: 'Ask whether a content has come',
          tags,
          params: ofContent,
          querystring: LfsAddressQuery,
          body: LfsVerifyBody,
        },
      },
      async (request, reply) => {
        const { repoId, content } = requirePermission(request, 'verify')
        const { oid, size } = request.body
        const isSame = oid === content.oid && size === content.size
        if (!isSame || !mayReferTo(deps, { id: repoId }, content)) {
          throw new Refusal('not_found', 'The content has not come', {
            detail: isSame ? `${oid} was not uploaded` : 'the address is for another content',
          })
        }
        reply.type(lfsMediaType)
        return {}
      },
    )

    app.post(
      `${base}/objects/:oid`,
      {
        schema: {
          summary: 'End an upload in parts',
          tags,
          params: ofContent,
          querystring: LfsAddressQuery,
          body: LfsCompletionBody,
        },
      },
      async (request, reply) => {
        const permission = requirePermission(request, 'upload')
        if (request.body.oid !== permission.content.oid) {
          throw new Refusal('invalid', 'The address is for another content')
        }
        await deps.lfs.complete(permission, request.query, request.body.parts)
        reply.type(lfsMediaType)
        return {}
      },
    )

    app.get(
      `${base}/objects/:oid`,
      {
        schema: {
          summary: 'Download a content',
          tags,
          params: ofContent,
          querystring: LfsDownloadQuery,
        },
      },
      (request, reply) => {
        const { content } = requirePermission(request, 'download')
        const { filename, commit, download } = request.query
        if (commit !== undefined) reply.header('x-repo-commit', commit)
        reply.header(
          'content-disposition',
          filename === undefined ? 'attachment' : contentDisposition(filename, download),
        )
        const contents = openLfsContents(deps.objects.lfs, content)
        return sendFile(request, reply, contents, mediaTypeOf(filename ?? ''))
      },
    )

    await app.register(async (bodies: typeof app) => {
      bodies.removeAllContentTypeParsers()
      // Clients name no type. It is read as it comes, by who knows what it is for.
      bodies.addContentTypeParser('*', (_request, _body, done) => done(null))

      bodies.put(
        `${base}/objects/:oid`,
        {
          schema: {
            summary: 'Upload a content, or a part of it',
            tags,
            params: ofContent,
            querystring: LfsUploadQuery,
          },
        },
        async (request, reply) => {
          const permission = requirePermission(request, 'upload')
          const { part, ...query } = request.query
          const body = passingBody(request)
          if (part === undefined) {
            await deps.lfs.take(permission, body)
            return reply.header('etag', `"${permission.content.oid}"`).send()
          }
          return reply
            .header('etag', await deps.lfs.takePart(permission, { ...query, part }, body))
            .send()
        },
      )
    })
  }

  function permitDownload({ principal, repo, root }: FastifyRequest): void {
    permit(deps, principal, { action: 'repo.download', repo, root })
  }

  function requirePermission(
    { params, query }: ContentRequest,
    purpose: LfsPermission['purpose'],
  ): LfsPermission {
    return deps.lfs.check(purpose, params.oid, query)
  }
}
