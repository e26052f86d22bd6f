import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { encodeText } from '../../core/encode-text.ts'
import { avatarAddress } from '../access/account-facts.ts'
import { requireNamespace } from '../access/namespaces.ts'
import { follow, followedBy, isFollowing, unfollow } from './follows.ts'
import { marksOn, usersOf } from './marks.ts'
import { describeMember, listMembers } from './organization-members.ts'
import { describeOrganization, describeUser } from './people-overviews.ts'
import { describePerson } from './person-view.ts'
import type { Organization, User } from '../../store/entities/account-entities.ts'
import { requireOrganization, requireUser } from '../../store/lookups.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { sendListPage } from '../http/next-page.ts'
import { registerPrincipal, signedIn } from '../http/principal-of-request.ts'
import { sendRedirect } from '../../web/send-redirect.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'

/** Users, organizations, their followers and members. */
export const peopleRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)

  hub(app, 'GET /api/users/:username/overview', (request) =>
    describeUser(deps, request.principal, userOf(request)),
  )

  hub(app, 'GET /api/organizations/:name/overview', (request) =>
    describeOrganization(deps, request.principal, organizationOf(request)),
  )

  hub(app, 'GET /api/users/:username/socials', (request) => {
    const { id, username } = userOf(request)
    return { _id: id, user: username, socialHandles: {} }
  })

  hub(app, 'GET /api/organizations/:name/socials', (request) => {
    const { id, name } = organizationOf(request)
    return { _id: id, org: name, socialHandles: {} }
  })

  hub(app, 'GET /api/users/:username/following', (request, reply) =>
    sendPeople(request, reply, followedBy(deps, userOf(request).id).users),
  )

  hub(app, 'GET /api/organizations/:name/members', (request, reply) => {
    const { principal, query } = request
    const organization = organizationOf(request)
    const members = listMembers(deps, principal, organization, query)
    return sendListPage(request, reply, members, describeMember(deps, principal, organization), 500)
  })

  const accounts = [
    ['/api/users/:username', userOf],
    ['/api/organizations/:name', organizationOf],
  ] as const
  for (const [path, find] of accounts) {
    hub(app, `GET ${path}/followers`, (request, reply) =>
      sendPeople(request, reply, usersOf(deps, marksOn(deps, 'follow', find(request).id))),
    )

    hub(app, `POST ${path}/follow`, (request) => {
      follow(deps, { userId: signedIn(request).user.id, targetId: find(request).id })
      return {}
    })

    hub(app, `DELETE ${path}/follow`, (request) => {
      unfollow(deps, { userId: signedIn(request).user.id, targetId: find(request).id })
      return {}
    })

    hub(app, `GET ${path}/avatar`, (request, reply) => {
      const avatarUrl = avatarOf(find(request))
      const isForImage = request.headers['sec-fetch-dest'] === 'image'
      if (isForImage || request.query.redirect === true) {
        return sendRedirect(reply, 302, encodedLocation(avatarUrl))
      }
      return { avatarUrl }
    })
  }

  hub(app, 'GET /api/avatars/:namespace', (request, reply) => {
    const { id } = requireNamespace(deps, request.params.namespace)
    const account = deps.state.users.get(id) ?? deps.state.organizations.get(id)
    return sendRedirect(reply, 302, encodedLocation(avatarOf(account as User | Organization)))
  })

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
