import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  type ReconstructionAnswer,
  XetBatchBody,
  XetHashParams,
  XetKeyParams,
  XetStorageParams,
  XetWriteTokenQuery,
  XorbQuery,
} from '../../../contract/hub-xet.ts'
import { messageOf } from '../../../core/background.ts'
import { Refusal } from '../../../core/refusal.ts'
import { pathOf } from '../../../core/request-target.ts'
import { permitLfsUpload } from '../../../hub/commits/commit-access.ts'
import { type ByteRange, parseRange } from '../../../hub/files/byte-ranges.ts'
import { xetHint } from '../../../hub/not-emulated.ts'
import { openLfsContents } from '../../../hub/files/file-contents.ts'
import { noteLfsFile } from '../../../hub/files/lfs-objects.ts'
import { checkFiles } from '../../../hub/xet/check-files.ts'
import { findChunk, requireXetFile, requireXorb } from '../../../hub/xet/find-files.ts'
import { hashText, hashWithKey, loadXetHashes } from '../../../hub/xet/hashes.ts'
import {
  type Reconstruction,
  reconstruct,
  sentLength,
  writeXorb,
} from '../../../hub/xet/reconstruction.ts'
import {
  mostShardBytes,
  parseShardFiles,
  type ShardFile,
  writeXorbShard,
} from '../../../hub/xet/shard.ts'
import type { XetGrant } from '../../../hub/xet/xet-tokens.ts'
import { readXorb } from '../../../hub/xet/xorb.ts'
import type { KeptChunk } from '../../../objects/chunk-table.ts'
import type { BlobRange } from '../../../objects/object-store.ts'
import type { XetFile } from '../../../objects/xet-contents.ts'
import type { Repo } from '../../../state/entities/hub.ts'
import { pathAfter } from '../../addressed-entry.ts'
import { bodyStream, readWholeBody } from '../../body-stream.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { registerPrincipal } from '../../plugins/principal.ts'
import { HttpRefusal, noteRefusal } from '../../plugins/refusals.ts'
import { registerRepoOfRoute, repoApiRoute, repoParams } from '../../plugins/repo-of-route.ts'
import { sendFile } from '../../send-file.ts'
import { sendRedirect } from '../../send-redirect.ts'
import type { ServerDeps } from '../../server-deps.ts'
import { grantXet, xetHeaders, xetStoragePath } from '../../xet-grants.ts'

const tags = ['xet']

/** Number of checked files. */
interface Progress {
  readonly done: number
  readonly of: number
}

const storageRoute = '/api/xet/:storage'
/** Time for which clients may remember the chunks of an answer. */
const chunksValidSeconds = 60 * 60

const reads = { config: { actions: ['repo.download'] as const } }
const writes = { config: { actions: ['repo.write', 'pull-request.commit'] as const } }

/** The tokens of repos for the Xet storage. */
export const xetTokenRoutes: FastifyPluginAsyncTypebox<{ deps: ServerDeps }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)
  const ofRevision = Type.Object({
    ...repoParams.properties,
    '*': Type.String({ description: 'Branch, tag, `refs/pr/N` or commit id' }),
  })
  const usesXet = deps.settings.largeFiles === 'xet'
  const send = (
    { root, principal, repo }: FastifyRequest,
    reply: FastifyReply,
    granted: Pick<XetGrant, 'right' | 'revision'>,
  ) => {
    // Clients show only the URL of a refusal.
    if (!usesXet) return sendRedirect(reply, 302, xetHint)
    const grant = grantXet(deps, { root, grant: { ...granted, principal, repoId: repo.id } })
    // Clients before huggingface_hub 1.0 read the headers alone.
    return reply.headers(xetHeaders(grant)).send(grant)
  }

  app.get(
    `${repoApiRoute}/xet-read-token/*`,
    {
      config: { repoAction: 'repo.download' },
      schema: { summary: 'Get a token to download by Xet', tags, params: ofRevision },
    },
    (request, reply) => send(request, reply, { right: 'read' }),
  )

  app.get(
    `${repoApiRoute}/xet-write-token/*`,
    {
      config: {
        repoAction: 'repo.read',
        needsUser: true,
        actions: ['repo.write', 'pull-request.commit'],
      },
      schema: {
        summary: 'Get a token to upload by Xet',
        tags,
        params: ofRevision,
        querystring: XetWriteTokenQuery,
      },
    },
    (request, reply) => {
      const { principal, repo, query } = request
      // For a pull request that does not exist yet, clients send any revision.
      const revision =
        query.create_pr === true ? undefined : decodeURIComponent(pathAfter(request, 6))
      permitLfsUpload(deps, principal, repo, revision)
      return send(request, reply, { right: 'write', revision })
    },
  )
}

/** The Xet storage. On the hub it is another server. */
export const xetStorageRoutes: FastifyPluginAsyncTypebox<{ deps: ServerDeps }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)

  for (const version of ['v1', 'v2'] as const) {
    app.get(
      `${storageRoute}/${version}/reconstructions/:hash`,
      {
        ...reads,
        schema: { summary: 'Get the chunks of a file', tags, params: XetHashParams },
      },
      (request, reply) => {
        const { repo } = check(request, 'read')
        const { file } = requireXetFile(deps, repo, request.params.hash)
        const range = rangeOf(request, reply, file)
        const found = reconstruct(file, (xorb) => tableOf(xorb), range)
        return version === 'v1' ? describe(request, found) : describeV2(request, found)
      },
    )
  }

  app.post(
    `${storageRoute}/v1/reconstructions`,
    {
      ...reads,
      schema: {
        summary: 'Get the chunks of several files',
        tags,
        params: XetStorageParams,
        body: XetBatchBody,
      },
    },
    (request) => {
      const { repo } = check(request, 'read')
      return describeFiles(
        request,
        repo,
        request.body.map(({ hash }) => hash),
      )
    },
  )

  app.get(
    `${storageRoute}/v1/chunks/:prefix/:hash`,
    {
      ...reads,
      schema: { summary: 'Look up a chunk in the files of the repo', tags, params: XetKeyParams },
    },
    async (request, reply) => {
      const { repo } = check(request, 'read')
      const xorbs = await findChunk(deps, repo, request.params.hash)
      if (xorbs === undefined) throw new Refusal('not_found', 'The chunk is not known')
      const key = deps.ids.of('xet-keys').bytes(32)
      const hash = await hashWithKey(key)
      const keyed = xorbs.map(({ chunks, ...xorb }) => ({
        ...xorb,
        chunks: chunks.map((chunk) => ({ ...chunk, hash: hash(chunk.hash) })),
      }))
      // Clients compare with the time of their machine.
      const made = Math.floor(Date.now() / 1000)
      reply.type('application/octet-stream')
      return writeXorbShard(keyed, { key, made, expires: made + chunksValidSeconds })
    },
  )

  app.get(
    `${storageRoute}/v1/xorbs/:prefix/:hash`,
    {
      ...reads,
      schema: { summary: 'Get a xorb of a file of the repo', tags, params: XetKeyParams },
    },
    (request, reply) => {
      const { repo } = check(request, 'read')
      const { hash } = request.params
      requireXorb(deps, repo, hash)
      return sendXorb(request, reply, hash)
    },
  )

  app.get(
    `${storageRoute}/v1/files/:hash`,
    { ...reads, schema: { summary: 'Get a file of the repo', tags, params: XetHashParams } },
    (request, reply) => {
      const { repo } = check(request, 'read')
      const { oid, file } = requireXetFile(deps, repo, request.params.hash)
      const contents = openLfsContents(deps.objects.lfs, { oid, size: file.size })
      return sendFile(request, reply, contents, 'application/octet-stream')
    },
  )

  app.get(
    `${storageRoute}/xorbs/:hash`,
    {
      config: { actions: ['lfs.transfer'] },
      schema: {
        summary: 'Download chunks of a xorb',
        description: 'By a signed URL, which needs no token.',
        tags,
        params: XetHashParams,
        querystring: XorbQuery,
      },
    },
    (request, reply) => {
      const { hash } = request.params
      const { query, headers } = request
      deps.xet.checkAddress({ xorb: hash, ...query })
      // A URL for each range: clients ask for several ranges of one URL at once.
      const range = parseRange(headers.range, sentLength(tableOf(hash)))
      if (typeof range !== 'object' || range.first < query.first || range.last > query.last) {
        throw new Refusal('forbidden', `The URL is for bytes=${query.first}-${query.last}`, {
          detail: `the client sent ${headers.range ?? 'no Range header'}`,
        })
      }
      return sendXorb(request, reply, hash)
    },
  )

  // Clients send it to the root of the host, on which the hub has nothing but the storage.
  app.post('/v1/telemetry', { ...reads, schema: { hide: true } }, (request) => {
    check(request, 'read')
    return {}
  })

  // Newer clients try other operations first, and take a 404 alone as a reason for these.
  app.route({
    method: ['GET', 'POST'],
    url: `${storageRoute}/*`,
    config: { actions: ['hub.facts'] },
    schema: { hide: true },
    handler: ({ method, url }) => {
      throw new Refusal('not_found', `The Xet storage has no ${method} ${pathOf(url)}`)
    },
  })

  await app.register(async (bodies: typeof app) => {
    bodies.removeAllContentTypeParsers()
    // Clients send no type; the handlers read the body as a stream.
    bodies.addContentTypeParser('*', (_request, _body, done) => done(null))

    bodies.post(
      `${storageRoute}/v1/xorbs/:prefix/:hash`,
      { ...writes, schema: { summary: 'Upload a xorb', tags, params: XetKeyParams } },
      async (request) => {
        check(request, 'write')
        return { was_inserted: await takeXorb(request.params.hash, bodyStream(request)) }
      },
    )

    bodies.post(
      `${storageRoute}/v1/shards`,
      { ...writes, schema: { summary: 'Register files', tags, params: XetStorageParams } },
      async (request) => {
        const { repo } = check(request, 'write')
        const events = takeShard(request, repo, await readShard(request))
        while ((await events.next()).done !== true);
        return { result: 1 }
      },
    )

    bodies.post(
      `${storageRoute}/v2/shards`,
      {
        ...writes,
        schema: {
          summary: 'Register files, with progress',
          description: 'The response has one JSON object a line; the last one is the outcome.',
          tags,
          params: XetStorageParams,
        },
      },
      async (request, reply) => {
        const { repo } = check(request, 'write')
        const files = await readShard(request)
        reply.type('application/x-ndjson').header('cache-control', 'no-cache')
        return reply.send(Readable.from(linesOf(request, takeShard(request, repo, files))))
      },
    )
  })

  /** @throws {Refusal} unless the request has a token of this storage with the right */
  function check(
    request: FastifyRequest,
    right: XetGrant['right'],
  ): { grant: XetGrant; repo: Repo } {
    const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    return deps.xet.check(token, right)
  }

  /** @throws {Refusal} `not_found` */
  function tableOf(xorb: string) {
    const table = deps.objects.lfs.xorbChunks(xorb)
    if (table === undefined) throw new Refusal('not_found', 'There is no such xorb')
    return table
  }

  function sendXorb(request: FastifyRequest, reply: FastifyReply, hash: string): FastifyReply {
    const table = tableOf(hash)
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

  /** @returns whether it was not there before */
  async function takeXorb(hash: string, body: AsyncIterable<Uint8Array>): Promise<boolean> {
    const isNew = deps.objects.lfs.xorbChunks(hash) === undefined
    const upload = deps.objects.lfs.receiveXorb(hash)
    try {
      const chunks: KeptChunk[] = []
      const hasher = (await loadXetHashes()).chunks()
      for await (const { content, ...chunk } of readXorb(body)) {
        chunks.push(chunk)
        hasher.add(chunk.hash, chunk.length)
        if (isNew) await upload.write(content)
      }
      const found = hashText(hasher.xorbHash())
      if (found !== hash) {
        throw new Refusal('invalid', `The xorb has the hash ${found}, and ${hash} was announced`)
      }
      if (isNew) await upload.finish(chunks)
      return isNew
    } finally {
      await upload.close()
    }
  }

  const readShard = async (request: FastifyRequest) =>
    parseShardFiles(await readWholeBody(bodyStream(request), mostShardBytes))

  /** Registers the files of a shard, and tells each that was checked. */
  async function* takeShard(
    request: FastifyRequest,
    repo: Repo,
    files: readonly ShardFile[],
  ): AsyncGenerator<Progress> {
    const storage = deps.xet.storage()
    yield { done: 0, of: files.length }
    let done = 0
    for await (const { oid, file } of checkFiles(
      deps.objects.lfs,
      files,
      () => request.raw.socket.destroyed,
    )) {
      await deps.objects.lfs.keepXetFile(oid, file)
      if (deps.xet.storage() !== storage || !deps.state.repos.has(repo.id)) {
        throw new Refusal('not_found', 'The repo was deleted, or the sandbox was reset')
      }
      noteLfsFile(deps, repo, { oid, size: file.size })
      yield { done: ++done, of: files.length }
    }
  }

  async function* linesOf(
    request: FastifyRequest,
    events: AsyncIterable<Progress>,
  ): AsyncGenerator<string> {
    const line = (event: object) => `${JSON.stringify(event)}\n`
    try {
      for await (const { done, of } of events) {
        yield line({ type: 'validating', verified: done, total: of })
      }
      yield line({ type: 'committing', stage: 'syncing' })
      yield line({ type: 'result', result: 1 })
    } catch (error) {
      // The status was sent before.
      noteRefusal(request, 'xet_shard', messageOf(error))
      yield line({
        type: 'error',
        message: error instanceof Refusal ? error.message : 'Internal error',
      })
    }
  }

  /** @throws {HttpRefusal} 416 for a range behind the file's end */
  function rangeOf({ headers }: FastifyRequest, reply: FastifyReply, { size }: XetFile) {
    const range = parseRange(headers.range, size)
    if (range !== 'unsatisfiable') return range
    reply.header('content-range', `bytes */${size}`)
    throw new HttpRefusal(416, 'invalid', 'The file ends before this range')
  }

  function urlOf({ root }: FastifyRequest, xorb: string, part: ByteRange): string {
    const { first, last, until, secret } = deps.xet.sign({ xorb, ...part })
    const numbers = { first: String(first), last: String(last), until: String(until) }
    const query = new URLSearchParams({ ...numbers, secret })
    return `${root}${xetStoragePath(deps.xet.storage())}/xorbs/${xorb}?${String(query)}`
  }

  function termsOf({ terms }: Reconstruction) {
    return terms.map(({ xorb, start, end, bytes }) => ({
      hash: xorb,
      range: { start, end },
      unpacked_length: bytes,
    }))
  }

  /** Lists where the chunks of each xorb are, each range once. */
  function placesOf(request: FastifyRequest, { terms }: Reconstruction) {
    const places = new Map<string, ReconstructionAnswer['fetch_info'][string]>()
    for (const { xorb, start, end, sent } of terms) {
      const known = places.get(xorb) ?? []
      places.set(xorb, known)
      if (known.some(({ range }) => range.start === start && range.end === end)) continue
      const url_range = { start: sent.first, end: sent.last }
      known.push({ range: { start, end }, url: urlOf(request, xorb, sent), url_range })
    }
    return places
  }

  function describe(request: FastifyRequest, found: Reconstruction): ReconstructionAnswer {
    return {
      offset_into_first_range: found.skipped,
      terms: termsOf(found),
      fetch_info: Object.fromEntries(placesOf(request, found)),
    }
  }

  function describeV2(request: FastifyRequest, found: Reconstruction) {
    const xorbs = [...placesOf(request, found)].map(([xorb, places]) => [
      xorb,
      places.map(({ url, range, url_range }) => ({
        url,
        ranges: [{ chunks: range, bytes: url_range }],
      })),
    ])
    return {
      offset_into_first_range: found.skipped,
      terms: termsOf(found),
      xorbs: Object.fromEntries(xorbs) as Record<string, object[]>,
    }
  }

  function describeFiles(request: FastifyRequest, repo: Repo, hashes: readonly string[]) {
    const found = [...new Set(hashes)].map((hash) => ({
      hash,
      ...reconstruct(requireXetFile(deps, repo, hash).file, (xorb) => tableOf(xorb)),
    }))
    const all = { terms: found.flatMap(({ terms }) => terms), skipped: 0 }
    return {
      files: Object.fromEntries(found.map((one) => [one.hash, termsOf(one)])),
      fetch_info: Object.fromEntries(placesOf(request, all)),
    }
  }
}
