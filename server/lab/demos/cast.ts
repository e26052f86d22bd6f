import { Refusal } from '../../core/refusal.ts'
import { suggestion } from '../../core/suggestion.ts'

/** Who could take part: as much as a script needs to know. */
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
  /** Absent where it is not known. */
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
  /** Only members of these organizations may sign in, by name; none = nobody may. Absent: everybody may. */
  readonly onlyFor?: readonly string[]
}

export interface CastOrganization {
  readonly name: string
  readonly plan: string
  /** Usernames. */
  readonly members: readonly string[]
}

/** What an app must be to play a part, in code and in words. */
export interface Part {
  readonly fits: (app: CastApp) => boolean
  /** With its article: `an app with a redirect URI`. */
  readonly what: string
  /** The entry of `apps` in the fixtures that would fit. */
  readonly fixture: Readonly<Record<string, unknown>>
}

/**
 * @param clientId asked for; absent = the first that fits
 * @throws {Refusal} `invalid` when there is none, or the one asked for does not fit; with the fixtures that fix it
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
  if (!fits(wanted)) refuse('app', `${wanted.name} cannot play this: it takes ${what}.`)
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
 * Who signs in to the app: one whom the hub lets, and whose password, if any, is known.
 * @param wanted asked for; absent = the first who can
 * @throws {Refusal} `invalid`, saying what keeps them from it
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
    return `${username} has a password that is not known here; choose another user.`
  }
  const { onlyFor } = app
  if (onlyFor === undefined) return undefined
  if (onlyFor.length === 0) return `${app.name} is for members of organizations that do not exist.`
  const isMember = organizations.some(
    ({ name, members }) => onlyFor.includes(name) && members.includes(username),
  )
  return isMember
    ? undefined
    : `${app.name} is for members of ${onlyFor.join(', ')} only, and ${username} is not one.`
}

/** What is missing, and the entry of the fixtures that would be there. */
export function lacking(what: string, section: keyof Cast, entry: unknown): Refusal {
  return new Refusal(
    'invalid',
    `This takes ${what}, and the sandbox has none. In the fixtures, under "${section}": ${JSON.stringify(entry)}`,
  )
}

export function refuse(path: string, message: string): never {
  throw new Refusal('invalid', message, { issues: [{ path, message }] })
}
