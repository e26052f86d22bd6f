import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { encodeText } from '../../core/encode-text.ts'
import { Refusal } from '../../core/refusal.ts'
import { splitEncodedAddress } from './address-revisions.ts'
import { namesTag } from './byte-ranges.ts'
import { openFileContents } from './file-contents.ts'
import { type LargeFile, largeFilesOf } from './lfs-files.ts'
import { mediaTypeOf } from './media-types.ts'
import { resolveRevision } from './revisions.ts'
import type { PathEntry } from './trees.ts'
import { restOfPath, requireEntry } from '../http/addressed-entry.ts'
import { contentDisposition } from '../../web/content-disposition.ts'
import { lfsUrl } from '../http/lfs-url.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { registerPrincipal } from '../http/principal-of-request.ts'
import { registerRepoOfRoute } from '../http/repo-of-route.ts'
import { sendRepoFile } from '../http/send-file.ts'
import { sendRedirect } from '../../web/send-redirect.ts'
import { hub } from '../http/hub-route.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import type { HubServices } from '../services.ts'
import { findXetPlaces, xetFileHeaders } from '../http/xet-grants.ts'

/** Asked for by clients of Xet, which follow no redirect. */
const xetInfoType = 'application/vnd.xet-fileinfo+json'

interface FileAtCommit {
  readonly file: PathEntry
  readonly commitId: string
}

/**
 * Downloads. `resolve` redirects to where the bytes are: a plain file at its commit, below `/api/resolve-cache/`, unless not
 * everyone may read it, and a large file in the LFS storage, at a URL that needs no token. `raw` returns what git has, for a large file its pointer.
 */
export const downloadRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)

  hub(app, 'GET /:repo/resolve/*', async (request, reply) => {
    const found = await requireFile(request, reply, restOfPath(request))
    const { file, commitId } = found
    const large = largeFilesOf(deps, request.repo)(file)
    const etag = `"${large?.oid ?? file.oid}"`
    if (namesTag(request.headers['if-none-match'], etag)) {
      return reply.code(304).header('etag', etag).send()
    }
    if (large !== undefined) return redirectToStorage(request, reply, found, large)
    if (!isCached(request.repo)) return sendWhole(request, reply, file)
    reply.header('etag', etag)
    return sendRedirect(reply, 307, cachedFileUrl(request, { commitId, path: file.path, etag }))
  })

  hub(app, 'GET /:repo/raw/*', async (request, reply) => {
    const { file } = await requireFile(request, reply, restOfPath(request))
    const contents = openFileContents(deps.objects.of(request.repo), file)
    return sendRepoFile(request, reply, contents, 'text/plain; charset=utf-8')
  })

  hub(app, 'GET /api/resolve-cache/:repo/*', async (request, reply) => {
    const address = restOfPath(request)
    const [commitId = ''] = address.split('/', 1)
    if (!/^[0-9a-f]{40}$/.test(commitId)) {
      throw new Refusal('invalid', `Invalid commit id: ${commitId}`, {
        detail: 'the 40 hex digits of a commit stand here; branches and tags are for /resolve/',
      })
    }
    const found = await requireFile(request, reply, address)
    const { file } = found
    const large = largeFilesOf(deps, request.repo)(file)
    if (large !== undefined) return redirectToStorage(request, reply, found, large)
    return sendWhole(request, reply, file)
  })

  function sendWhole(request: FastifyRequest, reply: FastifyReply, file: PathEntry): FastifyReply {
    const { download } = request.query as { download?: boolean }
    reply.header('content-disposition', contentDisposition(file.path, download))
    const contents = openFileContents(deps.objects.of(request.repo), file)
    return sendRepoFile(request, reply, contents, mediaTypeOf(file.path))
  }

  /** @param address revision and path as they stand in the URL */
  async function requireFile(
    { repo }: FastifyRequest,
    reply: FastifyReply,
    address: string,
  ): Promise<FileAtCommit> {
    const { revision, path } = splitEncodedAddress(repo, address)
    const objects = deps.objects.of(repo)
    const { commit } = resolveRevision(objects, repo, revision)
    const file = requireEntry(reply, objects, { commit, path, revision, type: 'file' })
    return { file, commitId: commit.id }
  }

  /**
   * Redirects to the LFS storage, by a URL that is a permission: clients drop their token on the way to another host.
   */
  function redirectToStorage(
    request: FastifyRequest,
    reply: FastifyReply,
    { file, commitId }: FileAtCommit,
    { oid, size }: LargeFile,
  ): FastifyReply {
    const content = { oid, size }
    const etag = `"${oid}"`
    reply.headers({ 'accept-ranges': 'bytes', 'x-linked-size': size, 'x-linked-etag': etag })
    const { repo, root, storageRoot } = request
    const xet = findXetPlaces(deps, request, { repo, revision: commitId, oid })
    if (xet !== undefined) {
      reply.headers(xetFileHeaders(xet))
      if (request.headers.accept?.includes(xetInfoType) === true) {
        return reply.type(xetInfoType).send({ ...xet, etag, size })
      }
    }
    const { download } = request.query as { download?: boolean }
    const location = lfsUrl({ root: storageRoot, repo }, oid, {
      ...deps.lfs.grant({ purpose: 'download', repoId: repo.id, content }),
      filename: file.path.slice(file.path.lastIndexOf('/') + 1),
      // Python follows a redirect to the same host also with HEAD, and reads the headers of the file there.
      ...(storageRoot === root ? { commit: commitId } : {}),
      ...(download === true ? { download } : {}),
    })
    return sendRedirect(reply, 302, location)
  }
}

/** Tells whether the cache of the Hub may hold the files of a repo: those that everyone may read. */
function isCached({ visibility, gated }: Repo): boolean {
  return visibility === 'public' && gated === false
}

/**
 * URL of a plain file at a commit: relative, since Python follows no other with HEAD, nor keeps its token. The query
 * of the request is kept, followed by the requested URL and the entity tag, as on the Hub.
 */
function cachedFileUrl(
  { repo, url }: FastifyRequest,
  { commitId, path, etag }: { commitId: string; path: string; etag: string },
): string {
  const query = url.includes('?') ? `${url.slice(url.indexOf('?') + 1)}&` : ''
  const encoded = path.split('/').map(encodeText).join('/')
  const target = `/api/resolve-cache/${repo.type}s/${repo.name}/${commitId}/${encoded}`
  return `${target}?${query}${encodeText(url)}=&etag=${encodeText(etag)}`
}
