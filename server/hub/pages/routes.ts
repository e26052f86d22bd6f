import { isoTime } from '../../core/time.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { HubServices } from '../services.ts'
import { findNamespace, repoWebPath } from '../files/repo-names.ts'
import { findRepo } from '../access/find-repo.ts'
import { measureBucket } from '../buckets/bucket-files.ts'
import { canRead, includesRight, isPrivate, rightOnRepo } from '../access/rights.ts'
import {
  type AccountLink,
  renderAccountPage,
  renderRepoPage,
  type RepoLink,
  type RepoPage,
} from './hub-page.ts'
import { sendPage, wantsPage } from '../../web/plugins/page-headers.ts'
import { cardReader } from '../http/read-card.ts'
import { underOtherName } from '../http/repo-of-route.ts'
import type { ReadCard } from '../files/repo-card.ts'
import { gateFormOf } from '../gates/gate-form.ts'
import { visitSpace } from '../spaces/space-machine.ts'
import { refNames } from '../files/revisions.ts'
import type { Organization, User } from '../../store/entities/account-entities.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { localPicture } from './local-picture.ts'
import { browserSession, pageSession } from './page-session.ts'
import { site } from '../http/site-route.ts'

const asHubPage = { config: { isHubPage: true } } as const
const repoPages = [
  ['/:namespace/:name', 'model'],
  ['/datasets/:namespace/:name', 'dataset'],
  ['/spaces/:namespace/:name', 'space'],
  ['/buckets/:namespace/:name', 'bucket'],
] as const

/** Pages of users, organizations, repos and buckets, for browsers; programs use the API. */
export const hubPageRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  const { state } = deps

  site(
    app,
    'GET /:name',
    (request, reply) => {
      const owner = findNamespace(state, request.params.name)
      const account = owner && describeAccount(owner.id)
      if (account === undefined || !wantsPage(request)) return notFound(reply)
      const viewer = browserSession(deps, request)?.user
      const repos = state.repos
        .group('owner', account.id)
        .filter((repo) => canRead(deps, viewer, repo))
        .map(repoLink)
      const session = pageSession(deps, request)
      return sendPage(reply, 200, renderAccountPage({ ...account, repos, session }))
    },
    asHubPage,
  )

  for (const [path, type] of repoPages) {
    site(
      app,
      `GET ${path}`,
      async (request, reply) => {
        const readCard = await cardReader()
        const { namespace, name } = request.params
        const { repo, moved } = findRepo(deps, type, `${namespace}/${name}`) ?? {}
        const viewer = browserSession(deps, request)?.user
        // An invisible repo looks like a missing one.
        if (repo === undefined || !wantsPage(request) || !canRead(deps, viewer, repo)) {
          return notFound(reply)
        }
        if (moved === true || repo.name !== `${namespace}/${name}`)
          return reply.redirect(underOtherName(request.url, repo.name), 307)
        if (repo.type === 'space') visitSpace(deps, repo)
        const session = pageSession(deps, request)
        return sendPage(
          reply,
          200,
          renderRepoPage({ ...repoFacts(repo), ...gateOf(repo, viewer, readCard), session }),
        )
      },
      asHubPage,
    )
  }

  function describeAccount(id: string) {
    const user = state.users.get(id)
    if (user !== undefined) {
      return {
        id,
        kind: 'user' as const,
        account: userLink(user),
        related: state.organizations.group('member', id).map(organizationLink),
        ...(user.isPro ? { badge: 'PRO' } : {}),
      }
    }
    const organization = state.organizations.get(id)
    if (organization === undefined) return undefined
    const { members, plan } = organization
    return {
      id,
      kind: 'organization' as const,
      account: organizationLink(organization),
      related: members.flatMap(({ userId }) => state.users.get(userId) ?? []).map(userLink),
      ...(plan === 'free' ? {} : { badge: plan }),
    }
  }

  function gateOf(
    repo: Repo,
    viewer: User | undefined,
    readCard: ReadCard,
  ): Pick<RepoPage, 'gate' | 'form'> {
    if (repo.gated === false) return {}
    if (viewer === undefined) return { gate: 'anonymous' }
    if (includesRight(rightOnRepo(state, viewer.id, repo), 'read')) return {}
    const request = repo.accessRequests.find(({ userId }) => userId === viewer.id)
    const status = request?.status ?? 'none'
    if (status === 'none') return { gate: status, form: gateFormOf(deps, repo, readCard) }
    return status === 'accepted' ? {} : { gate: status }
  }

  function countsOf(repo: Repo): RepoPage['counts'] {
    return {
      Branches: refNames(repo, 'refs/heads/').length,
      Tags: refNames(repo, 'refs/tags/').length,
      Discussions: state.discussions.groupSize('repo', repo.id),
    }
  }

  function countsOfBucket(bucket: Repo): RepoPage['counts'] {
    const { files, bytes } = measureBucket(deps, bucket)
    return { Files: files, Bytes: bytes }
  }

  function repoFacts(repo: Repo) {
    return {
      id: repo.id,
      repo: repoLink(repo),
      owner: describeAccount(repo.ownerId)?.account ?? unknownOwner,
      gated: repo.gated !== false,
      counts: repo.type === 'bucket' ? countsOfBucket(repo) : countsOf(repo),
      updatedAt: isoTime(repo.updatedAt).slice(0, 10),
      ...omitUndefined({ description: repo.description, sdk: repo.sdk }),
    }
  }
}

/** Owner of a repo whose account was deleted. */
const unknownOwner: AccountLink = {
  name: 'deleted',
  fullname: 'a deleted account',
  avatarUrl: localPicture(undefined, 'deleted'),
}

function userLink({ username, fullname, avatarUrl }: User): AccountLink {
  return { name: username, fullname, avatarUrl: localPicture(avatarUrl, username) }
}

function organizationLink({ name, fullname, avatarUrl }: Organization): AccountLink {
  return { name, fullname, avatarUrl: localPicture(avatarUrl, name) }
}

function repoLink(repo: Repo): RepoLink {
  const { type, name } = repo
  return { type, name, path: repoWebPath(type, name), isPrivate: isPrivate(repo) }
}

function notFound(reply: FastifyReply): FastifyReply {
  reply.callNotFound()
  return reply
}
