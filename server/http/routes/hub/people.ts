import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AvatarQuery, MembersQuery, PageQuery } from '../../../contract/hub-people.ts'
import { encodeText } from '../../../core/encode-text.ts'
import { avatarAddress } from '../../../hub/access/account-facts.ts'
import { requireNamespace } from '../../../hub/access/namespaces.ts'
import { follow, followedBy, isFollowing, unfollow } from '../../../hub/people/follows.ts'
import { marksOn, usersOf } from '../../../hub/people/marks.ts'
import { describeMember, listMembers } from '../../../hub/people/members.ts'
import { describeOrganization, describeUser } from '../../../hub/people/overviews.ts'
import { describePerson } from '../../../hub/people/person-view.ts'
import type { Organization, User } from '../../../state/entities/accounts.ts'
import { requireOrganization, requireUser } from '../../../state/lookups.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { sendListPage } from '../../plugins/next-page.ts'
import { registerPrincipal, signedIn } from '../../plugins/principal.ts'
import { sendRedirect } from '../../send-redirect.ts'
import type { HubServices } from '../../hub-services.ts'

const tags = ['people']
const ofUser = Type.Object({ username: Type.String({ description: 'User name or id' }) })
const ofOrganization = Type.Object({ name: Type.String({ description: 'Name or id' }) })
const ofNamespace = Type.Object({
  namespace: Type.String({ description: 'User or organization' }),
})

/** Users, organizations, their followers and members. */
export const peopleRoutes: FastifyPluginAsyncTypebox<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)

  app.get(
    '/api/users/:username/overview',
    {
      config: { actions: ['account.view'] },
      schema: { summary: 'Get a user', tags, params: ofUser },
    },
    (request) => describeUser(deps, request.principal, userOf(request)),
  )

  app.get(
    '/api/organizations/:name/overview',
    {
      config: { actions: ['account.view'] },
      schema: { summary: 'Get an organization', tags, params: ofOrganization },
    },
    (request) => describeOrganization(deps, request.principal, organizationOf(request)),
  )

  app.get(
    '/api/users/:username/following',
    {
      config: { actions: ['account.view'] },
      schema: {
        summary: 'List the users that a user follows',
        tags,
        params: ofUser,
        querystring: PageQuery,
      },
    },
    (request, reply) => sendPeople(request, reply, followedBy(deps, userOf(request).id).users),
  )

  app.get(
    '/api/organizations/:name/members',
    {
      config: { actions: ['account.view', 'roles.read', 'organization.manage'] },
      schema: {
        summary: 'List the members of an organization',
        tags,
        params: ofOrganization,
        querystring: MembersQuery,
      },
    },
    (request, reply) => {
      const { principal, query } = request
      const organization = organizationOf(request)
      const members = listMembers(deps, principal, organization, query)
      return sendListPage(request, reply, members, describeMember(deps, principal, organization))
    },
  )

  const accounts = [
    { path: '/api/users/:username', kind: 'user', params: ofUser, find: userOf },
    {
      path: '/api/organizations/:name',
      kind: 'organization',
      params: ofOrganization,
      find: organizationOf,
    },
  ]
  for (const { path, kind, params, find } of accounts) {
    app.get(
      `${path}/followers`,
      {
        config: { actions: ['account.view'] },
        schema: {
          summary: `List the followers of the ${kind}`,
          tags,
          params,
          querystring: PageQuery,
        },
      },
      (request, reply) =>
        sendPeople(request, reply, usersOf(deps, marksOn(deps, 'follow', find(request).id))),
    )

    app.post(
      `${path}/follow`,
      {
        config: { accountAction: 'account' },
        schema: { summary: `Follow the ${kind}`, tags, params },
      },
      (request) => {
        follow(deps, { userId: signedIn(request).user.id, targetId: find(request).id })
        return {}
      },
    )

    app.delete(
      `${path}/follow`,
      {
        config: { accountAction: 'account' },
        schema: { summary: `Stop following the ${kind}`, tags, params },
      },
      (request) => {
        unfollow(deps, { userId: signedIn(request).user.id, targetId: find(request).id })
        return {}
      },
    )

    app.get(
      `${path}/avatar`,
      {
        config: { actions: ['account.view'] },
        schema: {
          summary: `Get the picture of the ${kind}`,
          tags,
          params,
          querystring: AvatarQuery,
        },
      },
      (request, reply) => {
        const avatarUrl = avatarOf(find(request))
        const isForImage = request.headers['sec-fetch-dest'] === 'image'
        if (isForImage || request.query.redirect === true) {
          return sendRedirect(reply, 302, encodedLocation(avatarUrl))
        }
        return reply.send({ avatarUrl })
      },
    )
  }

  app.get(
    '/api/avatars/:namespace',
    {
      config: { actions: ['account.view'] },
      schema: { summary: 'Redirect to the picture of an account', tags, params: ofNamespace },
    },
    (request, reply) => {
      const { id } = requireNamespace(deps, request.params.namespace)
      const account = deps.state.users.get(id) ?? deps.state.organizations.get(id)
      return sendRedirect(reply, 302, encodedLocation(avatarOf(account as User | Organization)))
    },
  )

  /** @throws {Refusal} `not_found` */
  function userOf(request: FastifyRequest): User {
    const { username } = request.params as { username: string }
    return deps.state.users.get(username) ?? requireUser(deps, username)
  }

  /** @throws {Refusal} `not_found` */
  function organizationOf(request: FastifyRequest): Organization {
    const { name } = request.params as { name: string }
    return deps.state.organizations.get(name) ?? requireOrganization(deps, name)
  }

  function sendPeople(request: FastifyRequest, reply: FastifyReply, users: readonly User[]) {
    const { principal } = request
    const isSignedIn = principal.kind !== 'anonymous'
    return sendListPage(request, reply, users, (user) => ({
      ...describePerson(user),
      ...(isSignedIn && { isFollowing: isFollowing(deps, principal, user.id) }),
    }))
  }
}

function avatarOf(account: User | Organization): string {
  const name = 'username' in account ? account.username : account.name
  return avatarAddress(name, account.avatarUrl)
}

/** Encodes the characters that a header cannot have: the picture of an account can be any text. */
function encodedLocation(address: string): string {
  const here = 'http://localhost'
  if (!URL.canParse(address, here)) return encodeText(address)
  const { origin, href } = new URL(address, here)
  return origin === here ? href.slice(here.length) : href
}
