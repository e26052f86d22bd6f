import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  CreateRepoBody,
  DeleteRepoBody,
  DuplicateRepoBody,
  MoveRepoBody,
  RepoInfoQuery,
  RepoListQuery,
  RepoSettingsBody,
} from '../../../contract/hub-repos.ts'
import { type Encoding, type RepoType, repoTypes } from '../../../contract/words/hub.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { Refusal } from '../../../core/refusal.ts'
import { finishInTurns, takeSlices } from '../../../core/slices.ts'
import { isoTime } from '../../../core/time.ts'
import { own, setOwn } from '../../../core/own.ts'
import { decide, openRepo, permit } from '../../../hub/access/access.ts'
import type { RepoAction } from '../../../hub/access/access-rules.ts'
import { encodedRevision } from '../../../hub/files/address-revisions.ts'
import { anonymous, type Principal } from '../../../hub/access/principal.ts'
import type { ReadCard } from '../../../hub/files/repo-card.ts'
import {
  checkExpand,
  exploreRepo,
  listedRepo,
  repoInfo,
  repoTags,
  usedStorage,
} from '../../../hub/repos/repo-info.ts'
import { listRepos, repeatedTexts } from '../../../hub/repos/repo-list.ts'
import { findNamespace, type NamespaceOwner, repoWebPath } from '../../../hub/files/repo-names.ts'
import {
  createRepo,
  type CreateRepoInput,
  deleteRepo,
  duplicateRepo,
  moveRepo,
  updateRepoSettings,
} from '../../../hub/repos/repos.ts'
import { resolveRevision } from '../../../hub/files/revisions.ts'
import { rightInNamespace } from '../../../hub/access/rights.ts'
import type { SpaceOptions } from '../../../hub/repos/space-options.ts'
import type { Repo } from '../../../state/entities/hub.ts'
import { pathAfter } from '../../addressed-entry.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { linkNextPage } from '../../plugins/next-page.ts'
import { registerPrincipal, signedIn } from '../../plugins/principal.ts'
import {
  anyType,
  registerRepoOfRoute,
  repoApiRoute,
  repoParams,
  typeOfWord,
} from '../../plugins/repo-of-route.ts'
import { noteSecrets } from '../../plugins/secret-values.ts'
import type { ServerDeps } from '../../server-deps.ts'

const tags = ['repos']
/** The first files of a repo come within it. */
const largestBody = 8 * 1024 * 1024
const typeParams = Type.Object({ types: repoParams.properties.types })
const ofRevision = Type.Object({
  ...repoParams.properties,
  '*': Type.String({ description: 'Branch, tag, `refs/…` or commit id' }),
})

/** The hub's API of repos as such: what they hold is elsewhere. */
export const hubRepoRoutes: FastifyPluginAsyncTypebox<{ deps: ServerDeps }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)
  const forUsers = { config: { needsUser: true as const } }

  app.post(
    '/api/repos/create',
    {
      config: { ...forUsers.config, noteBody: noteSecrets },
      bodyLimit: largestBody,
      schema: { summary: 'Create a repo', tags, body: CreateRepoBody },
    },
    (request) => {
      const { body, principal } = request
      const user = signedIn(request).user
      const { type = 'model', name, organization, resourceGroupId } = body
      if (type === 'kernel') {
        throw new Refusal('not_emulated', 'Kernels are not emulated by this sandbox.')
      }
      const inGroup = omitUndefined({ resourceGroupId: resourceGroupId ?? undefined })
      const owner = permitNew(
        principal,
        { type, namespace: organization ?? user.username },
        inGroup,
      )
      const input: CreateRepoInput = {
        type,
        name: `${owner.name}/${name}`,
        actorId: user.id,
        ...visibilityOf(body),
        ...(type === 'space' ? omitUndefined({ sdk: body.sdk, template: body.template }) : {}),
        ...omitUndefined({
          region: body.region,
          license: body.license,
          creatorClientId: clientOf(principal),
        }),
        ...inGroup,
        space: spaceOptionsOf(body),
        files: (body.files ?? []).map((file) => ({
          kind: 'add',
          path: file.path,
          content: bytesOf(file),
        })),
      }
      const made = tellAddress(request, () => createRepo(deps, input))
      return { url: addressOf(request, made), name: made.name, id: made.id }
    },
  )

  app.delete(
    '/api/repos/delete',
    { ...forUsers, schema: { summary: 'Delete a repo', tags, body: DeleteRepoBody } },
    (request, reply) => {
      const { type = 'model', name, organization } = request.body
      const user = signedIn(request).user
      const repo = presentRepo(
        request,
        type,
        `${organization ?? user.username}/${name}`,
        'repo.delete',
      )
      deleteRepo(deps, { repo, actorId: user.id })
      return reply.type('text/plain; charset=utf-8').send('OK')
    },
  )

  app.post(
    '/api/repos/move',
    {
      ...forUsers,
      schema: { summary: 'Rename a repo, or move it elsewhere', tags, body: MoveRepoBody },
    },
    (request) => {
      const { fromRepo, toRepo, type = 'model' } = request.body
      const user = signedIn(request).user
      const repo = presentRepo(request, type, fromRepo, 'repo.move')
      const owner = requireNamespace(toRepo.split('/')[0] ?? '')
      const { principal } = request
      permit(deps, principal, { action: 'repo.move', repo, toOwnerId: owner.id })
      if (owner.id !== repo.ownerId) {
        permit(deps, principal, { action: 'repo.move-into', ownerId: owner.id })
      }
      tellAddress(request, () => moveRepo(deps, { repo, toName: toRepo, actorId: user.id }))
      return {}
    },
  )

  app.get(
    anyType,
    {
      schema: { summary: 'List repos', tags, params: typeParams, querystring: RepoListQuery },
    },
    async (request, reply) => {
      const { query, principal } = request
      const type = typeOfWord.get(request.params.types) ?? 'model'
      const expand = expandOf(type, query)
      const readCard = await cardReader()
      const listing = listRepos(deps, principal, { type, query, readCard })
      const pause = takeSlices()
      const { items, nextCursor } = await finishInTurns(listing, pause)
      if (nextCursor !== undefined) linkNextPage(request, reply, nextCursor)
      const members = omitUndefined({
        full: query.full,
        cardData: query.cardData,
        config: query.config,
        expand,
      })
      const asked = query.full === true && expand === undefined ? ['siblings'] : (expand ?? [])
      await explore(items, asked)
      const listed: unknown[] = []
      for (const repo of items) {
        await pause()
        listed.push(listedRepo(deps, { repo, readCard, ...members }))
      }
      return listed
    },
  )

  const infoSchema = { summary: 'Read a repo', tags, querystring: RepoInfoQuery }
  const reads = { config: { repoAction: 'repo.read' as const } }
  app.get(
    repoApiRoute,
    { ...reads, schema: { ...infoSchema, params: repoParams } },
    ({ repo, query }) => answerInfo(repo, query),
  )

  app.get(
    `${repoApiRoute}/revision/*`,
    {
      ...reads,
      schema: { ...infoSchema, summary: 'Read a repo at a revision', params: ofRevision },
    },
    (request) => {
      const { repo, query } = request
      return answerInfo(repo, query, encodedRevision(repo, pathAfter(request, 6)))
    },
  )

  app.put(
    `${repoApiRoute}/settings`,
    {
      config: { repoAction: 'repo.settings' },
      schema: { summary: 'Change settings', tags, params: repoParams, body: RepoSettingsBody },
    },
    (request) => {
      const { repo, body } = request
      const settings = { ...visibilityOf(body), ...omitUndefined({ gated: body.gated }) }
      const { visibility, gated } = updateRepoSettings(deps, {
        repo,
        settings,
        actorId: signedIn(request).user.id,
      })
      return { private: visibility !== 'public', visibility, gated }
    },
  )

  app.post(
    `${repoApiRoute}/duplicate`,
    {
      config: { repoAction: 'repo.download', needsUser: true, noteBody: noteSecrets },
      schema: { summary: 'Make a copy', tags, params: repoParams, body: DuplicateRepoBody },
    },
    (request) => {
      const { repo, body, principal } = request
      const owner = requireNamespace(body.repository.split('/')[0] ?? '')
      const inGroup = omitUndefined({ resourceGroupId: body.resourceGroupId ?? undefined })
      permit(deps, principal, { action: 'repo.create', ownerId: owner.id, ...inGroup })
      const input = {
        repo,
        toName: body.repository,
        actorId: signedIn(request).user.id,
        ...visibilityOf(body),
        ...inGroup,
        space: spaceOptionsOf(body),
        ...omitUndefined({ creatorClientId: clientOf(principal) }),
      }
      const copy = tellAddress(request, () => duplicateRepo(deps, input))
      return { url: addressOf(request, copy) }
    },
  )

  app.get(
    `${repoApiRoute}/auth-check`,
    {
      config: { repoAction: 'repo.download' },
      schema: { summary: 'Whether you may download a repo', tags, params: repoParams },
    },
    () => ({}),
  )

  app.get(
    `${repoApiRoute}/auth-check/write`,
    {
      config: { repoAction: 'repo.write' },
      schema: { summary: 'Whether you may write to a repo', tags, params: repoParams },
    },
    () => ({}),
  )

  app.get(
    '/api/settings/repositories',
    { ...forUsers, schema: { summary: 'List your repos with their storage', tags } },
    (request) => {
      permit(deps, request.principal, { action: 'repos.list' })
      return storageOf(request, signedIn(request).user.id)
    },
  )

  app.get(
    '/api/organizations/:name/settings/repositories',
    {
      schema: {
        summary: 'List the repos of an organization with their storage',
        tags,
        params: Type.Object({ name: Type.String() }),
      },
    },
    (request) => {
      const owner = requireNamespace(request.params.name)
      permit(deps, request.principal, { action: 'repos.list' })
      if (rightInNamespace(deps.state, signedIn(request).user.id, owner.id) === 'none') {
        throw new Refusal('forbidden', `You are no member of ${owner.name}`)
      }
      return storageOf(request, owner.id)
    },
  )

  for (const type of repoTypes) {
    // The hub has no such list of Spaces.
    if (type === 'space') continue
    app.get(
      `/api/${type}s-tags-by-type`,
      { schema: { summary: `List the tags of public ${type}s`, tags } },
      async () => tagsByType(type, await cardReader()),
    )
  }

  /**
   * Whose a new repo will be. Where nobody has the name, the hub says the same as where others have it, and clients who may
   * do with a repo that is there already count on its status.
   * @throws {Refusal} `forbidden`
   */
  function permitNew(
    principal: Principal,
    { type, namespace }: { type: RepoType; namespace: string },
    inGroup: { resourceGroupId?: string },
  ): NamespaceOwner {
    try {
      const owner = requireNamespace(namespace)
      permit(deps, principal, { action: 'repo.create', ownerId: owner.id, ...inGroup })
      return owner
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code !== 'forbidden' && error.code !== 'not_found') throw error
      const { message, detail, scope } = error
      throw new Refusal(
        'forbidden',
        `You don't have the rights to create a ${type} under the namespace "${namespace}"`,
        { detail: [message, detail].filter(Boolean).join(': '), ...omitUndefined({ scope }) },
      )
    }
  }

  function requireNamespace(name: string): NamespaceOwner {
    const owner = findNamespace(deps.state, name)
    if (owner !== undefined) return owner
    throw new Refusal('not_found', `Namespace not found: ${name}`, {
      detail: 'no user and no organization of the sandbox has this name',
    })
  }

  /** What is named in a body has no address to lead on from: under an old name nothing is there. */
  function presentRepo(
    { principal, root }: FastifyRequest,
    type: RepoType,
    name: string,
    action: RepoAction,
  ): Repo {
    const { repo, moved } = openRepo(deps, principal, { type, name, action, root })
    if (!moved) return repo
    throw new Refusal('not_found', 'Repository not found', {
      hubError: 'RepoNotFound',
      detail: `it is ${repo.name} by now`,
    })
  }

  function answerInfo(repo: Repo, query: RepoInfoQuery, revision?: string): unknown {
    const expand = expandOf(repo.type, query)
    const at =
      revision === undefined
        ? {}
        : { commit: resolveRevision(deps.objects.of(repo), repo, revision).commit }
    const input = { repo, ...at, ...omitUndefined({ blobs: query.blobs, expand }) }
    const explored = exploreRepo(deps, input, takeSlices())
    const describe = (readCard: ReadCard) => repoInfo(deps, { readCard, ...input })
    // Nearly always all is known by now: a promise would be a tenth of what the answer costs.
    if (explored === undefined && loadedCardReader !== undefined) return describe(loadedCardReader)
    return Promise.all([cardReader(), explored]).then(([readCard]) => describe(readCard))
  }

  /** One repo after the other: what is found out of one has its place in memory. */
  async function explore(repos: readonly Repo[], expand: readonly string[]): Promise<void> {
    const pause = takeSlices()
    for (const repo of repos) await exploreRepo(deps, { repo, expand }, pause)
  }

  /** Of a repo that is in the way clients compare the address, too. */
  function tellAddress({ root }: FastifyRequest, change: () => Repo): Repo {
    try {
      return change()
    } catch (error) {
      if (!(error instanceof Refusal) || typeof error.facts['url'] !== 'string') throw error
      const { pathname } = new URL(error.facts['url'])
      const url = root + pathname
      throw new Refusal(error.code, error.message, { facts: { ...error.facts, url } })
    }
  }

  function addressOf({ root }: FastifyRequest, { type, name }: Repo): string {
    return root + repoWebPath(type, name)
  }

  async function storageOf({ principal }: FastifyRequest, ownerId: string) {
    const allowed = deps.state.repos
      .group('owner', ownerId)
      .filter((repo) => isAllowed(principal, repo))
    await explore(allowed, ['usedStorage'])
    const repos = allowed.map((repo) => ({ repo, storage: usedStorage(deps, repo) }))
    const total = repos.reduce((sum, { storage }) => sum + storage, 0)
    return repos.map(({ repo, storage }) => ({
      id: repo.name,
      type: repo.type,
      updatedAt: isoTime(repo.updatedAt),
      visibility: repo.visibility,
      storage,
      storagePercent: total === 0 ? 0 : (storage / total) * 100,
    }))
  }

  async function tagsByType(type: RepoType, readCard: ReadCard) {
    const byType: Record<string, { id: string; label: string; type: string }[]> = {}
    const seen = new Set<string>()
    const pause = takeSlices()
    for (const repo of Array.from(deps.state.repos.values())) {
      await pause()
      if (repo.type !== type || !isAllowed(anonymous, repo)) continue
      for (const { id, type: kind } of repoTags(deps, repo, readCard)) {
        if (seen.has(id)) continue
        seen.add(id)
        const label = id.startsWith(`${kind}:`) ? id.slice(kind.length + 1) : id
        if (own(byType, kind) === undefined) setOwn(byType, kind, [])
        own(byType, kind)?.push({ id, label, type: kind })
      }
    }
    return byType
  }

  function isAllowed(principal: Principal, repo: Repo): boolean {
    return decide(deps, principal, { action: 'repo.read', repo }).allowed
  }
}

function expandOf(
  type: RepoType,
  query: Pick<RepoInfoQuery, 'expand' | 'expand[]'>,
): string[] | undefined {
  const expand = [...repeatedTexts(query.expand), ...repeatedTexts(query['expand[]'])]
  checkExpand(type, expand)
  return expand.length === 0 ? undefined : expand
}

/** Older clients send `private`, newer ones `visibility`, which says more. */
function visibilityOf({
  visibility,
  private: isPrivate,
}: Pick<RepoSettingsBody, 'visibility' | 'private'>): Pick<RepoSettingsBody, 'visibility'> {
  if (visibility !== undefined) return { visibility }
  return typeof isPrivate === 'boolean' ? { visibility: isPrivate ? 'private' : 'public' } : {}
}

function clientOf(principal: Principal): string | undefined {
  return principal.kind === 'token' ? principal.token.clientId : undefined
}

/** @throws {Refusal} `invalid`: Node would pass over what is no base64, and take what ends too early for something else */
function bytesOf(file: { path: string; content: string; encoding?: Encoding }): Buffer {
  const { path, content, encoding = 'utf-8' } = file
  const bytes = Buffer.from(content, encoding)
  if (encoding === 'base64' && bytes.toString('base64') !== content) {
    throw new Refusal('invalid', `The content of ${path} is not base64`)
  }
  return bytes
}

function spaceOptionsOf(body: Pick<CreateRepoBody, keyof SpaceOptions>): SpaceOptions {
  const { hardware, storageTier, sleepTimeSeconds, volumes, secrets, variables } = body
  return omitUndefined({ hardware, storageTier, sleepTimeSeconds, volumes, secrets, variables })
}

/** Cards are parsed in one run, and {@link repoCard} reads no more of a README. */
const cardLimits = { mostBytes: 64 * 1024, mostTokens: 30_000 }
let cardReading: Promise<ReadCard> | undefined
let loadedCardReader: ReadCard | undefined

/** YAML is loaded with the first card that is asked for: no start waits for it. */
function cardReader(): Promise<ReadCard> {
  return (cardReading ??= loadCardReader())
}

async function loadCardReader(): Promise<ReadCard> {
  const { parseYaml } = await import('../../../fixtures/parse-yaml.ts')
  loadedCardReader = (yaml) => {
    const parsed = parseYaml(yaml, cardLimits)
    return 'value' in parsed ? parsed.value : undefined
  }
  return loadedCardReader
}
