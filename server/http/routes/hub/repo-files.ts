import { encodeText } from '../../../core/encode-text.ts'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { DownloadQuery, TreeQuery, treePageSizes } from '../../../contract/hub-files.ts'
import { Refusal } from '../../../core/refusal.ts'
import { pathOf } from '../../../core/request-target.ts'
import { revisionAtEnd, splitAddress } from '../../../hub/address-revisions.ts'
import { openFileContents, openLfsContents } from '../../../hub/file-contents.ts'
import { type FindLarge, largeFilesOf } from '../../../hub/lfs-files.ts'
import { mediaTypeOf } from '../../../hub/media-types.ts'
import { formatPageStart, parsePageStart } from '../../../hub/pages-of-commit.ts'
import { resolveRevision } from '../../../hub/revisions.ts'
import { describeEntries, pageOfTree } from '../../../hub/tree-pages.ts'
import { findPath, type PathEntry } from '../../../hub/trees.ts'
import type { Commit, ObjectStore } from '../../../hub/git-objects.ts'
import type { Repo } from '../../../state/entities/hub.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { linkNextPage } from '../../plugins/next-page.ts'
import { registerPrincipal } from '../../plugins/principal.ts'
import { HttpRefusal } from '../../plugins/refusals.ts'
import { registerRepoOfRoute, repoApiRoute, repoParams } from '../../plugins/repo-of-route.ts'
import { sendFile } from '../../send-file.ts'
import type { ServerDeps } from '../../server-deps.ts'

const tags = ['files']
const { types, namespace, name } = repoParams.properties
const revisionAndPath = Type.String({
  description: 'Branch, tag, `refs/…` or commit id, and a path behind it',
})
const treeParams = Type.Object({ types, namespace, name, '*': revisionAndPath })
const fileParams = Type.Object({ namespace, name, '*': revisionAndPath })
const ofRevision = Type.Object({
  types,
  namespace,
  name,
  '*': Type.String({ description: 'Branch, tag, `refs/…` or commit id' }),
})
const mostPaths = 1000
/** So many of the longest, as JSON has them. */
const largestLookUp = 8 * 1024 * 1024

/** Where the web has repos, and how many parts of the address are before the revision of a file there. */
const webRoutes = [
  { prefix: '', params: fileParams, before: 4 },
  {
    prefix: '/:types(datasets|spaces)',
    params: Type.Object({
      ...treeParams.properties,
      types: Type.String({ enum: ['datasets', 'spaces'] }),
    }),
    before: 5,
  },
]

/** What repos hold, at any revision. */
export const repoFileRoutes: FastifyPluginAsyncTypebox<{ deps: ServerDeps }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)

  app.get(
    `${repoApiRoute}/tree/*`,
    {
      config: { repoAction: 'repo.read' },
      schema: { summary: 'List a folder', tags, params: treeParams, querystring: TreeQuery },
    },
    (request, reply) => {
      const { repo, query } = request
      const { recursive = false, expand = false, cursor } = query
      const { revision, path } = splitAddress(repo, restOf(request, 6))
      const start = cursor === undefined ? undefined : parsePageStart(cursor)
      const objects = deps.objects.of(repo)
      const { commit } = resolveRevision(objects, repo, start?.commitId ?? revision)
      const folder = requireEntry(reply, { objects, commit }, path, 'directory')
      const most = expand ? treePageSizes.expanded : treePageSizes.plain
      const { entries, next } = pageOfTree(objects, {
        commit,
        folder,
        recursive,
        limit: Math.min(query.limit ?? most, most),
        offset: start?.offset ?? 0,
      })
      if (next !== undefined) linkNextPage(request, reply, formatPageStart(next))
      return describeEntries(contentsOf(repo), commit, entries, expand)
    },
  )

  app.post(
    `${repoApiRoute}/paths-info/*`,
    {
      config: { repoAction: 'repo.read' },
      bodyLimit: largestLookUp,
      schema: { summary: 'Look files and folders up', tags, params: ofRevision },
    },
    (request) => {
      const { repo, body } = request
      const { paths, expand } = readPathsInfo(body)
      const objects = deps.objects.of(repo)
      const { commit } = resolveRevision(objects, repo, revisionAtEnd(repo, restOf(request, 6)))
      const entries = paths.flatMap(
        (path) => findPath(objects, commit.treeId, path.replace(/\/$/, '')) ?? [],
      )
      return describeEntries(
        contentsOf(repo),
        commit,
        entries.filter(({ path }) => path !== ''),
        expand,
      )
    },
  )

  for (const { prefix, params, before } of webRoutes) {
    app.get(
      `${prefix}/:namespace/:name/resolve/*`,
      {
        config: { repoAction: 'repo.download' },
        schema: { summary: 'Download a file', tags, params, querystring: DownloadQuery },
      },
      (request, reply) => {
        const file = requireFile(request, reply, before)
        const large = contentsOf(request.repo).findLarge(file)
        if (large !== undefined) {
          reply.headers({ 'x-linked-size': large.size, 'x-linked-etag': `"${large.oid}"` })
        }
        const contents =
          large === undefined
            ? openFileContents(deps.objects.of(request.repo), file)
            : openLfsContents(deps.objects.lfs, large)
        const how = request.query.download === true ? 'attachment' : 'inline'
        reply.header('content-disposition', `${how}; ${fileNameOf(file.path)}`)
        return sendFile(request, reply, contents, mediaTypeOf(file.path))
      },
    )

    app.get(
      `${prefix}/:namespace/:name/raw/*`,
      {
        config: { repoAction: 'repo.download' },
        schema: { summary: 'Read a file as git has it', tags, params },
      },
      (request, reply) => {
        const file = requireFile(request, reply, before)
        const contents = openFileContents(deps.objects.of(request.repo), file)
        return sendFile(request, reply, contents, 'text/plain; charset=utf-8')
      },
    )
  }

  function requireFile(request: FastifyRequest, reply: FastifyReply, before: number): PathEntry {
    const { revision, path } = splitAddress(request.repo, restOf(request, before))
    const objects = deps.objects.of(request.repo)
    const { commit } = resolveRevision(objects, request.repo, revision)
    return requireEntry(reply, { objects, commit }, path, 'file')
  }

  function contentsOf(repo: Repo): { objects: ObjectStore; findLarge: FindLarge } {
    return { objects: deps.objects.of(repo), findLarge: largeFilesOf(deps, repo) }
  }

  function requireEntry(
    reply: FastifyReply,
    { objects, commit }: { objects: ObjectStore; commit: Commit },
    path: string,
    type: PathEntry['type'],
  ): PathEntry {
    // With it, clients remember that there is nothing.
    reply.header('x-repo-commit', commit.id)
    const found = findPath(objects, commit.treeId, path)
    if (found?.type === type) return found
    throw new Refusal('not_found', 'Entry not found', {
      hubError: 'EntryNotFound',
      detail:
        found === undefined ? `there is no ${path} at ${commit.id}` : `${path} is a ${found.type}`,
    })
  }
}

/** What follows in an address behind so many of its parts, still encoded. */
function restOf({ url }: FastifyRequest, parts: number): string {
  const path = pathOf(url)
  let start = 0
  for (let part = 0; part < parts; part += 1) start = path.indexOf('/', start) + 1
  return path.slice(start)
}

/** Clients of different age send a form, where a name may be repeated, or JSON. */
function readPathsInfo(body: unknown): { paths: string[]; expand: boolean } {
  const { paths, expand } =
    body instanceof URLSearchParams
      ? { paths: body.getAll('paths'), expand: body.get('expand')?.toLowerCase() === 'true' }
      : ((body ?? {}) as { paths?: unknown; expand?: unknown })
  const list = typeof paths === 'string' ? [paths] : paths
  if (!Array.isArray(list) || !list.every((path) => typeof path === 'string')) {
    throw new Refusal('invalid', 'paths must be a list of texts')
  }
  if (list.length > mostPaths) {
    throw new HttpRefusal(413, 'invalid', `At most ${mostPaths} paths can be looked up at once`)
  }
  return { paths: list, expand: expand === true }
}

/** The name as of RFC 6266, and for those who do not read that without what is not plain in it. */
function fileNameOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (/^[\w.-]+$/.test(name)) return `filename*=UTF-8''${name}; filename="${name}"`
  const encoded = encodeText(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `filename*=UTF-8''${encoded}; filename="${name.replaceAll(/[^\x20-\x7e]|["\\]/g, '_')}"`
}
