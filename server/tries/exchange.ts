import { tokenExchangeGrant } from '../contract/words/oauth.ts'
import {
  type Cast,
  type CastApp,
  type CastUser,
  lacking,
  type Part,
  pickApp,
  refuse,
} from './cast.ts'
import { getWith, postAs, refusalOf, requireText } from './client.ts'
import type { Scene, Script } from './scene.ts'

/** Of nobody, wherever everybody is a member. */
const stranger = 'nobody@example.com'

function hasExchange(plan: string): boolean {
  return plan === 'enterprise' || plan === 'plus'
}

function partOf({ organizations }: Cast): Part {
  return {
    fits: ({ mayExchange, clientSecret, organization }) =>
      mayExchange &&
      clientSecret !== undefined &&
      organizations.some(({ name, plan }) => name === organization && hasExchange(plan)),
    what: 'an app with a secret and the privilege token-exchange, of an organization on the plan enterprise',
    fixture: {
      name: 'My pipeline',
      clientSecret: 'sandbox_secret',
      organization: organizations[0]?.name ?? 'acme',
      privileges: ['token-exchange'],
      scopes: ['openid', 'read-repos'],
    },
  }
}

/**
 * Token exchange (RFC 8693): an organization's app gets the token of a member, or asks for somebody who is none.
 */
export async function* exchange(scene: Scene, { forMember }: { forMember: boolean }): Script {
  const app = pickApp(scene.cast, partOf(scene.cast), scene.clientId)
  const user = subjectOf(scene, app, forMember)
  scene.plays(app, user)
  const who = user?.username ?? stranger
  const { organization = '' } = app
  yield {
    name: 'token exchange',
    explanation: forMember
      ? `The backend of ${organization} asks for a token of its member ${who}; nobody is asked to consent.`
      : `The backend of ${organization} asks for a token of ${who}, who is not a member.`,
  }
  const answer = await postAs(scene, app, '/oauth/token', {
    grant_type: tokenExchangeGrant,
    subject_token: user?.email ?? stranger,
    subject_token_type: 'urn:service:token-type:user-email',
  })
  const refused = refusalOf(answer)
  if (refused !== undefined) return { ...refused, mend: mendOf(organization, who) }
  const token = requireText(answer, 'access_token')
  yield {
    name: 'API request',
    explanation: `With the token the app asks whose it is: ${who}’s, bound to what belongs to ${organization}.`,
  }
  await getWith(scene, token, '/api/whoami-v2')
  return {
    outcome: 'completed',
    explanation: `${app.name} has a token of ${who}, and the audit log of ${organization} a row about it.`,
  }
}

function mendOf(organization: string, who: string): string {
  return `Ask for a member whose e-mail address is verified, or make ${who} one: in the fixtures, {"user":${JSON.stringify(who)}} among the "members" of ${organization}; on the hub, the administrators of ${organization} invite. The refusal stands in its audit log.`
}

/** @returns `undefined` for somebody whom the sandbox does not know */
function subjectOf(
  { cast, user }: Scene,
  { organization }: CastApp,
  forMember: boolean,
): CastUser | undefined {
  const members = cast.organizations.find(({ name }) => name === organization)?.members ?? []
  if (user !== undefined) {
    if (!forMember && members.includes(user.username)) {
      refuse('user', `${user.username} is a member of ${organization}, and would not be refused.`)
    }
    return user
  }
  const found = cast.users.find(
    ({ username, emailVerified }) =>
      members.includes(username) === forMember && (emailVerified || !forMember),
  )
  if (found !== undefined || !forMember) return found
  throw lacking(`a member of ${organization} with a verified e-mail address`, 'organizations', {
    name: organization,
    members: [{ user: 'alice' }],
  })
}
