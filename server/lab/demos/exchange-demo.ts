import { documentedScopes } from '../../contract/scopes.ts'
import { tokenExchangeGrant } from '../../contract/words/oauth-words.ts'
import type { DemoVariant } from '../../contract/words/sandbox-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
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

/** E-mail address of no user, for a cast in which every user is a member. */
const stranger = 'nobody@example.com'

function hasExchange(plan: string): boolean {
  return plan === 'enterprise' || plan === 'plus'
}

function missingScope({ scopes }: CastApp): string | undefined {
  return documentedScopes.find((scope) => !scopes.includes(scope))
}

function partOf({ organizations }: Cast, mistake: ExchangeMistake | undefined): Part {
  const isLimited = mistake === 'scope'
  return {
    fits: (app) =>
      app.mayExchange &&
      app.clientSecret !== undefined &&
      organizations.some(({ name, plan }) => name === app.organization && hasExchange(plan)) &&
      (!isLimited || missingScope(app) !== undefined),
    what: `an app with a secret and the privilege token-exchange, of an organization on the plan enterprise${isLimited ? ', that is not configured with every scope' : ''}`,
    fixture: {
      name: 'My pipeline',
      clientSecret: 'sandbox_secret',
      organization: organizations[0]?.name ?? 'acme',
      privileges: ['token-exchange'],
      scopes: ['openid', 'read-repos'],
    },
  }
}

/** Mistake in a token exchange: the subject is not a member, or the app requests a scope beyond its settings. */
export type ExchangeMistake = Extract<DemoVariant, 'not-a-member' | 'scope'>

/** Token exchange (RFC 8693): an organization's app requests the token of a member. */
export async function* exchange(scene: Scene, mistake?: ExchangeMistake): Script {
  const app = pickApp(scene.cast, partOf(scene.cast, mistake), scene.clientId)
  const forMember = mistake !== 'not-a-member'
  const user = subjectOf(scene, app, forMember)
  scene.plays(app, user)
  const who = user?.username ?? stranger
  const { organization = '' } = app
  const scope = mistake === 'scope' ? missingScope(app) : undefined
  yield {
    name: 'token exchange',
    explanation: forMember
      ? `The backend of ${organization} requests a token for its member ${who}${scope === undefined ? '' : ` with the scope ${scope}`}, without consent of the user.`
      : `The backend of ${organization} requests a token for ${who}, who is not a member.`,
  }
  const answer = await postAs(scene, app, '/oauth/token', {
    grant_type: tokenExchangeGrant,
    subject_token: user?.email ?? stranger,
    subject_token_type: 'urn:service:token-type:user-email',
    ...omitUndefined({ scope }),
  })
  const refused = refusalOf(answer)
  if (refused !== undefined) {
    const fix = scope === undefined ? memberFix(organization, who) : scopeFix(app, scope)
    return { ...refused, fix }
  }
  const token = requireText(answer, 'access_token')
  yield {
    name: 'API request',
    explanation: `The app looks up the owner of the token: ${who}. The token is limited to resources of ${organization}.`,
  }
  const unreadable = refusalOf(await getWith(scene, token, '/api/whoami-v2'))
  if (unreadable !== undefined) return unreadable
  return {
    outcome: 'completed',
    explanation: `${app.name} has a token for ${who}, and the audit log of ${organization} records it.`,
  }
}

function memberFix(organization: string, who: string): string {
  return `Request a token for a member with a verified e-mail address, or make ${who} a member: in the fixtures, add {"user":${JSON.stringify(who)}} to the "members" of ${organization}; on the Hub, an administrator of ${organization} invites the user. The audit log records the refusal.`
}

function scopeFix({ name }: CastApp, scope: string): string {
  return `Request only scopes of the app, or add this one: in the fixtures, add ${JSON.stringify(scope)} to the "scopes" of the app ${name}; on the Hub, change the settings of the app. A sign-in can request more scopes from its user; an exchange cannot.`
}

/** @returns `undefined` for a user unknown to the sandbox */
function subjectOf(
  { cast, user }: Scene,
  { organization }: CastApp,
  forMember: boolean,
): CastUser | undefined {
  const members = cast.organizations.find(({ name }) => name === organization)?.members ?? []
  if (user !== undefined) {
    if (!forMember && members.includes(user.username)) {
      refuse(
        'user',
        `${user.username} is a member of ${organization}, so the exchange would succeed: choose another user.`,
      )
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
