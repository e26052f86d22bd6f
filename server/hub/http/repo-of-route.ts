import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { encodeText } from '../../core/encode-text.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Deps } from '../deps.ts'
import { openRepo, permit } from '../access/access.ts'
import type { RepoAction } from '../access/access-rules.ts'
import { type AnyRepoType, type RepoType, repoTypes } from '../../contract/words/hub-words.ts'
import { pathOf } from '../../core/request-target.ts'
import { encodedSlash, findNamespace } from '../files/repo-names.ts'
import { describeNotEmulated, isOwnWord, missingRepo } from '../not-emulated.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { sendRedirect } from '../../web/send-redirect.ts'
import { missingUser } from './principal-of-request.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Action on the repo of the URL. */
    repoAction?: RepoAction
    /** Action of the request itself, where the `repoAction` includes others: a refusal for scopes is this action's. */
    requestedAction?: (request: FastifyRequest) => RepoAction
    /** Type of the repo if the URL has no parameter for it. Default: model. */
    repoType?: AnyRepoType
  }
  interface FastifyRequest {
    /** Repo of the URL, on a route with a `repoAction`. */
    repo: Repo
  }
}

/** Types of repos by their word in URLs. */
export const typeOfWord: ReadonlyMap<string, RepoType> = new Map(
  repoTypes.map((type) => [`${type}s`, type]),
)

interface RepoParams {
  types?: string
  namespace?: string
  name?: string
}

/**
 * Finds the repo of each route that has a `repoAction`, and checks the caller's right, before anything else of the request is
 * read. A former name of the repo, or one in another letter case, redirects to the current name by a relative URL: clients
 * drop their token at any other redirect.
 * @param options `ignoresCase`: accepts another letter case without a redirect, as git does
 */
export function registerRepoOfRoute(
  app: FastifyInstance,
  deps: Deps,
  { ignoresCase = false } = {},
): void {
  // Set for each request by the hook below; Fastify refuses an object here that all requests would share.
  app.decorateRequest('repo', undefined as never)
  app.addHook(
    'preValidation',
    // An async hook would cost a turn of the event loop for every request.
    (request, reply, done) => {
      try {
        if (findRepoOf(request)) done()
        else redirectToName(request, reply)
      } catch (error) {
        done(error as Error)
      }
    },
  )

  /** @returns whether the URL has its name */
  function findRepoOf(request: FastifyRequest): boolean {
    const { repoAction: action, repoType = 'model' } = request.routeOptions.config
    if (action === undefined) return true
    const { types, namespace, name } = request.params as RepoParams
    for (const part of [namespace, name]) {
      if (part?.includes('/') === true) throw encodedSlash(encodeText(part))
    }
    const type = typeOfWord.get(types ?? '') ?? repoType
    requireNamespaceIn(request, namespace)
    const fullName = `${namespace}/${isApi(request.url) ? name : withoutGit(name)}`
    const found = openNamed(request, { type, name: fullName, action })
    request.repo = found.repo
    if (found.moved || (!ignoresCase && found.repo.name !== fullName)) return false
    const refusal = missingUser(request)
    if (refusal !== undefined) throw refusal
    return true
  }

  /** @throws {Refusal} `not_emulated` for a word of the hub, which is nobody's repo */
  function requireNamespaceIn({ method, url }: FastifyRequest, namespace = ''): void {
    const path = pathOf(url)
    if (!isOwnWord(path) || findNamespace(deps.state, namespace) !== undefined) return
    const { code, message } = describeNotEmulated(method, path) ?? missingRepo
    throw new Refusal(code, message)
  }

  function openNamed(
    request: FastifyRequest,
    named: { type: AnyRepoType; name: string; action: RepoAction },
  ): ReturnType<typeof openRepo> {
    const { principal, root, routeOptions } = request
    const open = (action: RepoAction) => openRepo(deps, principal, { ...named, action, root })
    try {
      return open(named.action)
    } catch (error) {
      const requested = routeOptions.config.requestedAction?.(request)
      // Scopes for the wider action may not be what this request lacks.
      if (requested !== undefined && lacksScope(error)) open(requested)
      throw error
    }
  }
}

/**
 * Returns the repo of a request as it is after a wait, in which it may have been changed or deleted, and checks the caller's
 * right again.
 * @throws {Refusal} `not_found` for a deleted repo, or the refusal
 */
export function presentRepo(
  deps: Deps,
  { repo: begun, principal, root, routeOptions: { config } }: FastifyRequest,
): Repo {
  const repo = deps.state.repos.get(begun.id)
  if (repo === undefined) {
    const { code, message, hubError } = missingRepo
    throw new Refusal(code, message, { hubError, detail: 'it was deleted meanwhile' })
  }
  const { repoAction: action } = config
  if (action !== undefined) permit(deps, principal, { action, repo, root })
  return repo
}

function lacksScope(error: unknown): boolean {
  return error instanceof Refusal && error.scope !== undefined
}

function redirectToName({ url, repo }: FastifyRequest, reply: FastifyReply): void {
  sendRedirect(reply, 307, underOtherName(url, repo.name))
}

function isApi(address: string): boolean {
  return address.startsWith('/api/')
}

/** Removes the `.git` that git and Git LFS may add. */
function withoutGit(name = ''): string {
  return name.replace(/\.git$/, '')
}

/**
 * Returns the URL with another name of the repo. The name follows `/api/models/`, `/api/resolve-cache/models/`,
 * `/datasets/`, `/spaces/`, `/buckets/`, `/v2/` or `/`; git adds `.git` to it.
 */
export function underOtherName(address: string, name: string): string {
  const [, before = '', rest = ''] =
    /^(\/api\/(?:resolve-cache\/)?[^/]+\/|\/(?:datasets|spaces|buckets|v2)\/|\/)[^/?]+\/[^/?]+?((?:\.git)?(?:[/?].*)?)$/s.exec(
      address,
    ) ?? []
  return `${before}${name}${rest}`
}
