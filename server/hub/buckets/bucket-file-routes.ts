import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { type Static } from 'typebox'
import type { BucketTreeQuery, BucketEventsQuery } from '../../contract/hub-buckets.ts'
import { bucketPageSizes } from '../../contract/hub-buckets.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import { permit } from '../access/access.ts'
import { applyBatch } from './batch.ts'
import { parseBatch } from './batch-lines.ts'
import { findBucketFile, listBucketFiles } from './bucket-files.ts'
import {
  type EntryOrder,
  type EntryPlace,
  isFolder,
  listEntries,
  pageOfEntries,
} from './bucket-tree.ts'
import { describeBucketEntry, describeBucketFile } from './bucket-view.ts'
import type { Resume } from './bucket-feed.ts'
import { emptyContent } from './find-content.ts'
import { namesTag } from '../files/byte-ranges.ts'
import { type FileContents, openStored } from '../files/file-contents.ts'
import { mediaTypeOf } from '../files/media-types.ts'
import type { BucketFile } from '../../store/entities/hub-entities.ts'
import { bodyStream, readWholeBody } from '../../web/body-stream.ts'
import { changesOf } from '../http/bucket-events.ts'
import { EventStreams } from '../http/event-streams.ts'
import { contentDisposition } from '../../web/content-disposition.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { linkNextPage } from '../http/next-page.ts'
import { registerPrincipal, signedIn } from '../http/principal-of-request.ts'
import { headerText, noteRefusal } from '../../web/plugins/refusals.ts'
import { registerRepoOfRoute } from '../http/repo-of-route.ts'
import { sendFile } from '../http/send-file.ts'
import { sendRedirect } from '../../web/send-redirect.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'
import { findXetPlaces, xetFileHeaders } from '../http/xet-grants.ts'

/** Body of a batch: room for a hundred thousand operations. */
const largestBatch = 16 * 1024 * 1024

/** Asked for by clients of Xet, which follow no redirect. */
const xetInfoType = 'application/vnd.xet-fileinfo+json'

/** Files of buckets: lists, changes and downloads. Uploads come by Xet. */
export const bucketFileRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)
  const streams = new EventStreams(deps)
  deps.closers.add(() => streams.end())
  const listTree = (
    request: FastifyRequest<{ Querystring: Static<typeof BucketTreeQuery> }>,
    reply: FastifyReply,
  ) => {
    const { recursive = true, limit = bucketPageSizes.usual, cursor } = request.query
    const { '*': prefix = '' } = request.params as { '*'?: string }
    const files = listBucketFiles(deps, request.repo)
    const order = orderOf(request.query)
    if (order.sort === 'uploadedAt' && !(recursive ? prefix === '' : isFolder(files, prefix))) {
      throw new Refusal('invalid', 'sort=uploadedAt is not supported for this prefix', {
        detail:
          'use it for the whole bucket, or with recursive=false for the whole bucket or a folder',
      })
    }
    const entries = listEntries(files, { prefix, recursive })
    const after = cursor === undefined ? undefined : readCursor(cursor)
    const page = pageOfEntries(entries, { limit, order, ...omitUndefined({ after }) })
    if (page.last !== undefined) linkNextPage(request, reply, formatCursor(page.last))
    return page.entries.map(describeBucketEntry)
  }
  hub(app, 'GET /api/buckets/:namespace/:name/tree', listTree)
  hub(app, 'GET /api/buckets/:namespace/:name/tree/*', listTree)

  hub(app, 'POST /api/buckets/:namespace/:name/paths-info', ({ repo, body }) => {
    const paths = [body.paths].flat()
    const found = [...new Set(paths)].flatMap((path) => findBucketFile(deps, repo, path) ?? [])
    return found.map(describeBucketFile)
  })

  hub(app, 'GET /api/buckets/:namespace/:name/events', (request, reply) => {
    const { repo, principal } = request
    const resume = resumeOf(request.query)
    const missed = resume === undefined ? [] : deps.bucketFeed.read(repo, resume)
    const stream = streams.open(request, reply, changesOf(deps, { repo, principal, missed }))
    return reply.type('text/event-stream').header('cache-control', 'no-cache').send(stream)
  })

  hub(app, 'GET /buckets/:namespace/:name/resolve/*', (request, reply) => {
    const file = requireFile(request)
    const etag = `"${file.xetHash}"`
    if (namesTag(request.headers['if-none-match'], etag)) {
      return reply.code(304).header('etag', etag).send()
    }
    return sendToContent(request, reply, file, request.query.download)
  })

  hub(app, 'GET /buckets/:namespace/:name/contents/:oid', (request, reply) => {
    const { params, query, root, storageRoot } = request
    const { content, repoId } = deps.lfs.check('download', params.oid, query)
    const repo = root === storageRoot ? deps.state.repos.get(repoId) : undefined
    // A storage on the host of the Hub has the headers of the file, too.
    const places = repo && findXetPlaces(deps, request, { repo, oid: content.oid })
    if (places !== undefined) reply.headers(xetFileHeaders(places))
    const { filename = 'file', download } = query
    reply.header('content-disposition', contentDisposition(filename, download))
    return sendFile(request, reply, contentsOf(content, places?.hash), mediaTypeOf(filename))
  })

  await app.register(async (streamed: typeof app) => {
    streamed.removeAllContentTypeParsers()
    // The handler reads the body as a stream.
    streamed.addContentTypeParser(
      ['application/x-ndjson', 'application/json'],
      (_request, _body, done) => done(null),
    )
    hub(streamed, 'POST /api/buckets/:namespace/:name/batch', async (request, reply) => {
      const operations = parseBatch(await readWholeBody(bodyStream(request), largestBatch))
      const { principal } = request
      const actorId = signedIn(request).user.id
      const bucket = presentBucket(request)
      // The token may have been revoked while the body was received.
      permit(deps, principal, { action: 'repo.write', repo: bucket })
      const outcome = applyBatch(deps, { bucket, operations, principal, actorId })
      const [failure] = outcome.failed
      if (outcome.succeeded > 0 || failure === undefined) return outcome
      // Clients show this header, and nothing of the body.
      const message = `${failure.path}: ${failure.error}`
      noteRefusal(request, 'http_422', message)
      return reply.code(422).header('x-error-message', headerText(message)).send(outcome)
    })
  })

  /** @throws {Refusal} `RepoNotFound` when the bucket was deleted meanwhile */
  function presentBucket({ repo }: FastifyRequest) {
    const present = deps.state.repos.get(repo.id)
    if (present !== undefined) return present
    throw new Refusal('not_found', 'Repository not found', { hubError: 'RepoNotFound' })
  }

  /** @throws {Refusal} `EntryNotFound` */
  function requireFile({ repo, params }: FastifyRequest): BucketFile {
    const { '*': path } = params as { '*': string }
    const found = findBucketFile(deps, repo, path)
    if (found !== undefined) return found
    throw new Refusal('not_found', 'Entry not found', {
      hubError: 'EntryNotFound',
      detail: `there is no file ${path} in the bucket ${repo.name}`,
    })
  }

  /** Redirects to the content, by a URL that is a permission: on the hub clients drop their token on the way there. */
  function sendToContent(
    request: FastifyRequest,
    reply: FastifyReply,
    { path, oid, size, xetHash }: BucketFile,
    download: boolean | undefined,
  ): FastifyReply {
    const { storageRoot, repo, headers } = request
    const etag = `"${xetHash}"`
    reply.headers({ 'accept-ranges': 'bytes', 'x-linked-size': size, 'x-linked-etag': etag })
    const places = findXetPlaces(deps, request, { repo, oid })
    if (places !== undefined) {
      reply.headers(xetFileHeaders(places))
      if (headers.accept?.includes(xetInfoType) === true) {
        return reply.type(xetInfoType).send({ ...places, etag, size })
      }
    }
    const grant = deps.lfs.grant({ purpose: 'download', repoId: repo.id, content: { oid, size } })
    const query = new URLSearchParams()
    const filename = path.slice(path.lastIndexOf('/') + 1)
    for (const [name, value] of Object.entries({
      ...grant,
      filename,
      ...omitUndefined({ download }),
    })) {
      query.append(name, String(value))
    }
    return sendRedirect(
      reply,
      302,
      `${storageRoot}/buckets/${repo.name}/contents/${oid}?${String(query)}`,
    )
  }

  /** @param xetHash entity tag on the host of the Hub */
  function contentsOf(content: { oid: string; size: number }, xetHash?: string): FileContents {
    const opened = openStored(deps.objects.lfs, content)
    const stored = xetHash === undefined ? opened : { ...opened, etag: `"${xetHash}"` }
    // Nobody uploads an empty content.
    return content.oid === emptyContent.oid ? { ...stored, read: () => Readable.from([]) } : stored
  }
}

/** @throws {Refusal} `invalid` for a malformed time */
function resumeOf({ cursor, since }: Static<typeof BucketEventsQuery>): Resume | undefined {
  if (cursor !== undefined) return { cursor }
  if (since === undefined) return undefined
  const time = Date.parse(since)
  if (!Number.isNaN(time)) return { since: time }
  throw new Refusal('invalid', `Invalid time: ${since}`, {
    detail: 'use ISO 8601: since=2026-01-31T12:00:00Z',
  })
}

function orderOf({
  sort = 'path',
  direction = sort === 'path' ? 'asc' : 'desc',
}: Static<typeof BucketTreeQuery>): EntryOrder {
  return { sort, direction }
}

function formatCursor({ path, uploadedAt }: EntryPlace): string {
  return Buffer.from(`${uploadedAt} ${path}`).toString('base64url')
}

/** @throws {Refusal} `invalid` unless {@link formatCursor} created it */
function readCursor(cursor: string): EntryPlace {
  const [, at, path] = /^(\d+) (.*)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  const place = { path: path ?? '', uploadedAt: Number(at) }
  if (formatCursor(place) === cursor) return place
  throw new Refusal('invalid', `Invalid cursor: ${cursor}`, {
    detail: 'follow the Link header of the page before, which has the cursor',
  })
}
