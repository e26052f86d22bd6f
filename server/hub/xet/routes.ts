import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { messageOf } from '../../core/background.ts'
import { Refusal } from '../../core/refusal.ts'
import { pathOf } from '../../core/request-target.ts'
import { permitApiCommit, permitLfsUpload } from '../commits/commit-access.ts'
import { encodedRevision } from '../files/address-revisions.ts'
import { type ByteRange, parseRange } from '../files/byte-ranges.ts'
import { requireWritableRef, resolveRevision } from '../files/revisions.ts'
import { xetHint } from '../not-emulated.ts'
import { openLfsContents } from '../files/file-contents.ts'
import {
  describeReconstruction,
  describeReconstructions,
  describeReconstructionV2,
  describeWindows,
} from './describe.ts'
import { findChunk, findXetFiles, requireXetFile, requireXorb } from './find-files.ts'
import { hashWithKey } from './hashes.ts'
import { type Reconstruction, reconstruct, sentLength, writeXorb } from './reconstruction.ts'
import { mostShardBytes, parseShardFiles, writeXorbShard } from './shard.ts'
import { type ShardProgress, takeShard, takeXorb } from './uploads.ts'
import { findWindows, parseDirtyRanges } from './windows.ts'
import type { XetGrant } from './xet-tokens.ts'
import { rememberTables } from './xorb-tables.ts'
import type { BlobRange } from '../../store/objects/object-store.ts'
import type { XetFile } from '../../store/objects/xet-contents.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { restOfPath } from '../http/addressed-entry.ts'
import { bodyStream, readWholeBody } from '../../web/body-stream.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { registerPrincipal } from '../http/principal-of-request.ts'
import { HttpRefusal, noteRefusal, textOfFailure } from '../../web/plugins/refusals.ts'
import { registerRepoOfRoute } from '../http/repo-of-route.ts'
import { sendFile } from '../http/send-file.ts'
import { sendRedirect } from '../../web/send-redirect.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'
import { bearerToken, grantXet, xetHeaders, xetStoragePath } from '../http/xet-grants.ts'

/** Time that clients may cache the chunks of a response. */
const chunksValidSeconds = 60 * 60

/** The tokens of repos for the Xet storage. */
export const xetTokenRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)
  const usesXet = deps.settings.largeFiles === 'xet'
  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    granted: Pick<XetGrant, 'right' | 'revision'>,
  ) => {
    const { principal, repo } = request
    // Clients show only the URL of a refusal. Buckets have no other way.
    if (!usesXet && repo.type !== 'bucket') return sendRedirect(reply, 302, xetHint)
    const grant = grantXet(deps, request, { ...granted, principal, repo })
    // Clients before huggingface_hub 1.0 read the headers alone.
    return reply.headers(xetHeaders(grant)).send(grant)
  }

  hub(app, 'GET /api/:repo/xet-read-token/*', (request, reply) => {
    const { repo } = request
    const revision = encodedRevision(repo, restOfPath(request))
    // Refused for an unknown revision.
    resolveRevision(deps.objects.of(repo), repo, revision)
    return send(request, reply, { right: 'read' })
  })

  hub(app, 'GET /api/:repo/xet-write-token/*', (request, reply) => {
    const { principal, repo, query } = request
    // For a pull request that does not exist yet, clients send any revision.
    if (query.create_pr === true) {
      permitLfsUpload(deps, principal, repo, undefined)
      return send(request, reply, { right: 'write' })
    }
    const revision = requireWritableRef(repo, encodedRevision(repo, restOfPath(request)))
    permitApiCommit(deps, principal, repo, revision)
    return send(request, reply, { right: 'write', revision })
  })

  for (const right of ['read', 'write'] as const) {
    hub(app, `GET /api/buckets/:namespace/:name/xet-${right}-token`, (request, reply) =>
      send(request, reply, { right }),
    )
  }
}

/** The Xet storage. On the hub it is another server. */
export const xetStorageRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  const tables = () => rememberTables(deps.objects.lfs)

  hub(app, 'GET /api/xet/:storage/v1/reconstructions/:hash', (request, reply) =>
    describeReconstruction(...reconstructionOf(request, reply)),
  )

  hub(app, 'GET /api/xet/:storage/v2/reconstructions/:hash', (request, reply) =>
    describeReconstructionV2(...reconstructionOf(request, reply)),
  )

  hub(app, 'GET /api/xet/:storage/v1/reconstructions', (request) =>
    sendBatch(request, [request.query.file_id].flat()),
  )

  hub(app, 'POST /api/xet/:storage/v1/reconstructions', (request) =>
    sendBatch(
      request,
      request.body.map(({ hash }) => hash),
    ),
  )

  hub(app, 'GET /api/xet/:storage/v2/file-chunk-hashes/:hash', async (request, reply) => {
    const { repo } = check(request, 'read')
    const { file } = requireXetFile(deps, repo, request.params.hash)
    const dirty = parseDirtyRanges(request.headers['x-range-dirty'], file.size)
    if (dirty.length === 0) throw outside(reply, file)
    const found = await findWindows(file, tables(), dirty)
    return describeWindows(found, file.size)
  })

  hub(app, 'GET /api/xet/:storage/v1/chunks/:prefix/:hash', async (request, reply) => {
    const { repo } = check(request, 'read')
    const xorbs = findChunk(deps, repo, request.params.hash)
    if (xorbs === undefined) throw new Refusal('not_found', 'The chunk is not known')
    const key = deps.ids.of('xet-keys').bytes(32)
    const hash = await hashWithKey(key)
    const keyed = xorbs.map(({ chunks, ...xorb }) => ({
      ...xorb,
      chunks: chunks.map((chunk) => ({ ...chunk, hash: hash(chunk.hash) })),
    }))
    // Clients compare with the time of their machine.
    const made = Math.floor(Date.now() / 1000)
    const shard = writeXorbShard(keyed, { key, made, expires: made + chunksValidSeconds })
    return reply.type('application/octet-stream').send(shard)
  })

  hub(app, 'GET /api/xet/:storage/v1/xorbs/:prefix/:hash', (request, reply) => {
    const { repo } = check(request, 'read')
    const { hash } = request.params
    requireXorb(deps, repo, hash)
    return sendXorb(request, reply, hash)
  })

  hub(app, 'GET /api/xet/:storage/v1/files/:hash', (request, reply) => {
    const { repo } = check(request, 'read')
    const { oid, file } = requireXetFile(deps, repo, request.params.hash)
    const contents = openLfsContents(deps.objects.lfs, { oid, size: file.size })
    return sendFile(request, reply, contents, 'application/octet-stream')
  })

  hub(app, 'GET /api/xet/:storage/xorbs/:hash', (request, reply) => {
    const { hash } = request.params
    const { query, headers } = request
    deps.xet.checkAddress({ xorb: hash, ...query })
    // The repo, or its last file of this xorb, may have been deleted since.
    requireXorb(deps, { id: query.repo }, hash)
    request.transfer = { id: query.transfer, right: 'read' }
    // One URL for each range: clients request several ranges of one URL at once.
    const range = parseRange(headers.range, sentLength(tables()(hash)))
    if (typeof range !== 'object' || range.first < query.first || range.last > query.last) {
      throw new Refusal('forbidden', `The URL is for bytes=${query.first}-${query.last}`, {
        detail: `the client sent ${headers.range ?? 'no Range header'}`,
      })
    }
    return sendXorb(request, reply, hash)
  })

  // Clients send it to the root of the host, on which the hub has nothing but the storage.
  app.post(
    '/v1/telemetry',
    { config: { actions: ['repo.download'] }, schema: { hide: true } },
    (request) => {
      check(request, 'read')
      return {}
    },
  )

  // Newer clients try other operations first, and take a 404 alone as a reason for these.
  app.route({
    method: ['GET', 'POST'],
    url: '/api/xet/:storage/*',
    config: { actions: ['hub.facts'] },
    schema: { hide: true },
    handler: (request) => {
      check(request, 'read')
      const { method, url } = request
      throw new Refusal('not_found', `The Xet storage has no ${method} ${pathOf(url)}`)
    },
  })

  await app.register(async (bodies: typeof app) => {
    bodies.removeAllContentTypeParsers()
    // Clients send no type; the handlers read the body as a stream.
    bodies.addContentTypeParser('*', (_request, _body, done) => done(null))

    hub(bodies, 'POST /api/xet/:storage/v1/xorbs/:prefix/:hash', async (request) => {
      check(request, 'write')
      const { hash } = request.params
      return { was_inserted: await takeXorb(deps.objects.lfs, hash, bodyStream(request)) }
    })

    hub(bodies, 'POST /api/xet/:storage/v1/shards', async (request, reply) => {
      const { grant, repo } = check(request, 'write')
      const files = await readShard(request)
      const events = takeShard(deps, { grant, repo, files, isOver: () => reply.raw.closed })
      while ((await events.next()).done !== true);
      return { result: 1 }
    })

    hub(bodies, 'POST /api/xet/:storage/v2/shards', async (request, reply) => {
      const { grant, repo } = check(request, 'write')
      const files = await readShard(request)
      reply.type('application/x-ndjson').header('cache-control', 'no-cache')
      const events = takeShard(deps, { grant, repo, files, isOver: () => reply.raw.closed })
      return reply.send(Readable.from(linesOf(request, events)))
    })
  })

  /** @throws {Refusal} unless the request has a token of this storage with the right */
  function check(
    request: FastifyRequest,
    right: XetGrant['right'],
  ): { grant: XetGrant; repo: Repo } {
    const checked = deps.xet.check(bearerToken(request.headers), right)
    request.transfer = { id: checked.transfer, right: checked.grant.right }
    return checked
  }

  /** Finds the chunks of a file, and a function that signs their URLs. */
  function reconstructionOf(
    request: FastifyRequest<{ Params: { hash: string } }>,
    reply: FastifyReply,
  ) {
    const { repo } = check(request, 'read')
    const { file } = requireXetFile(deps, repo, request.params.hash)
    const range = rangeOf(request, reply, file)
    return [reconstruct(file, tables(), range), urlsOf(request, repo)] as const
  }

  function sendBatch(request: FastifyRequest, hashes: readonly string[]) {
    const { repo } = check(request, 'read')
    const tableOf = tables()
    const fileOf = findXetFiles(deps, repo)
    const found = new Map<string, Reconstruction>()
    for (const hash of new Set(hashes)) {
      found.set(hash, reconstruct(fileOf(hash).file, tableOf))
    }
    return describeReconstructions(found, urlsOf(request, repo))
  }

  function sendXorb(request: FastifyRequest, reply: FastifyReply, hash: string): FastifyReply {
    const table = tables()(hash)
    const size = sentLength(table)
    const open = (range: BlobRange) => deps.objects.lfs.openXorb(hash, range)
    const contents = {
      size,
      etag: `"${hash}"`,
      read: (range = { first: 0, last: size - 1 }) =>
        Readable.from(writeXorb(table, open, range), { objectMode: false }),
    }
    return sendFile(request, reply, contents, 'application/octet-stream')
  }

  const readShard = async (request: FastifyRequest) =>
    parseShardFiles(await readWholeBody(bodyStream(request), mostShardBytes))

  async function* linesOf(
    request: FastifyRequest,
    events: AsyncIterable<ShardProgress>,
  ): AsyncGenerator<string> {
    const line = (event: object) => `${JSON.stringify(event)}\n`
    try {
      for await (const { done, of } of events) {
        yield line({ type: 'validating', verified: done, total: of })
      }
      yield line({ type: 'committing', stage: 'syncing' })
      await deps.committed()
      yield line({ type: 'result', result: 1 })
    } catch (error) {
      // The status was sent before.
      noteRefusal(request, 'invalid_shard', messageOf(error))
      if (!(error instanceof Refusal)) request.log.error(error)
      const message = error instanceof Refusal ? error.message : textOfFailure(error)
      yield line({ type: 'error', message })
    }
  }

  /** @throws {HttpRefusal} 416 for a range behind the file's end */
  function rangeOf({ headers }: FastifyRequest, reply: FastifyReply, file: XetFile) {
    const range = parseRange(headers.range, file.size)
    if (range !== 'unsatisfiable') return range
    throw outside(reply, file)
  }

  function outside(reply: FastifyReply, { size }: XetFile): HttpRefusal {
    reply.header('content-range', `bytes */${size}`)
    return new HttpRefusal(416, 'invalid', 'The file ends before this range')
  }

  /** Signs the URLs of parts of xorbs. */
  function urlsOf({ storageRoot, transfer: asker }: FastifyRequest, repo: Repo) {
    const transfer = asker?.id ?? ''
    const storage = `${storageRoot}${xetStoragePath(deps.xet.storage())}`
    return (xorb: string, part: ByteRange): string => {
      const { first, last, until, secret } = deps.xet.sign({
        repo: repo.id,
        xorb,
        transfer,
        ...part,
      })
      const numbers = { first: String(first), last: String(last), until: String(until) }
      const query = new URLSearchParams({ ...numbers, repo: repo.id, transfer, secret })
      return `${storage}/xorbs/${xorb}?${String(query)}`
    }
  }
}
