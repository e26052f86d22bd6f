import { Refusal } from '../../core/refusal.ts'
import { suggestion } from '../../contract/suggestion.ts'

/** Users, apps and organizations that a script can use. */
export interface Cast {
  readonly users: readonly CastUser[]
  readonly apps: readonly CastApp[]
  readonly organizations: readonly CastOrganization[]
}

export interface CastUser {
  readonly username: string
  readonly email: string
  readonly emailVerified: boolean
  readonly hasPassword: boolean
  /** Absent if unknown. */
  readonly password?: string
}

export interface CastApp {
  readonly clientId: string
  readonly name: string
  /** Absent: a public app. */
  readonly clientSecret?: string
  readonly redirectUris: readonly string[]
  readonly scopes: readonly string[]
  /** Organization that it is bound to, by name. */
  readonly organization?: string
  readonly mayExchange: boolean
  /** Names of the organizations whose members may sign in; empty = no user may. Absent: every user may. */
  readonly onlyFor?: readonly string[]
}

export interface CastOrganization {
  readonly name: string
  readonly plan: string
  /** Usernames. */
  readonly members: readonly string[]
}

/** Requirements on the app of a script, in code and in words. */
export interface Part {
  readonly fits: (app: CastApp) => boolean
  /** With its article: `an app with a redirect URI`. */
  readonly what: string
  /** Entry of `apps` in the fixtures that meets them. */
  readonly fixture: Readonly<Record<string, unknown>>
}

/**
 * @param clientId requested app; absent = the first that fits
 * @throws {Refusal} `invalid` when no app fits, or not the requested one; the message shows the missing fixtures
 */
export function pickApp({ apps }: Cast, { fits, what, fixture }: Part, clientId?: string): CastApp {
  if (clientId === undefined) {
    const found = apps.find(fits)
    if (found !== undefined) return found
    throw lacking(what, 'apps', fixture)
  }
  const wanted = apps.find((app) => app.clientId === clientId)
  if (wanted === undefined) {
    const known = apps.map((app) => app.clientId)
    refuse('app', `There is no app ${clientId}${suggestion(clientId, known)}.`)
  }
  if (!fits(wanted)) refuse('app', `${wanted.name} does not suit this demo, which needs ${what}.`)
  return wanted
}

/**
 * @throws {Refusal} `invalid` when there is no such user
 */
export function findUser({ users }: Cast, username: string): CastUser {
  const found = users.find((user) => user.username.toLowerCase() === username.toLowerCase())
  if (found !== undefined) return found
  const known = users.map((user) => user.username)
  return refuse('user', `There is no user ${username}${suggestion(username, known)}.`)
}

/**
 * Chooses the owner of a webhook.
 * @throws {Refusal} `invalid` without users
 */
export function pickOwner({ users }: Pick<Cast, 'users'>, wanted?: CastUser): CastUser {
  const owner = wanted ?? users[0]
  if (owner === undefined) throw lacking('a user', 'users', { username: 'alice' })
  return owner
}

/**
 * Chooses the user who signs in to the app: the hub allows it, and any password is known.
 * @param wanted requested user; absent = the first suitable one
 * @throws {Refusal} `invalid`, with the reason why the user cannot sign in
 */
export function pickUser(cast: Cast, app: CastApp, wanted?: CastUser): CastUser {
  if (wanted !== undefined) {
    const bar = barOf(cast, app, wanted)
    if (bar !== undefined) refuse('user', bar)
    return wanted
  }
  const found = cast.users.find((user) => barOf(cast, app, user) === undefined)
  if (found !== undefined) return found
  throw lacking(`a user who may sign in to ${app.name}`, 'users', { username: 'alice' })
}

function barOf({ organizations }: Cast, app: CastApp, user: CastUser): string | undefined {
  const { username } = user
  if (!user.emailVerified) return `The e-mail address of ${username} is not verified.`
  if (user.hasPassword && user.password === undefined) {
    return `${username} has a password that the sandbox does not know; choose another user.`
  }
  const { onlyFor } = app
  if (onlyFor === undefined) return undefined
  if (onlyFor.length === 0)
    return `${app.name} admits only members of organizations that do not exist.`
  const isMember = organizations.some(
    ({ name, members }) => onlyFor.includes(name) && members.includes(username),
  )
  return isMember
    ? undefined
    : `${app.name} admits only members of ${onlyFor.join(', ')}, and ${username} is not a member.`
}

/** Returns the refusal for a missing app, user or organization, with an entry for the fixtures. */
export function lacking(what: string, section: keyof Cast | 'repos', entry: unknown): Refusal {
  return new Refusal(
    'invalid',
    `The demo needs ${what}, and the sandbox has none. Add to "${section}" in the fixtures: ${JSON.stringify(entry)}`,
  )
}

export function refuse(path: string, message: string): never {
  throw new Refusal('invalid', message, { issues: [{ path, message }] })
}
