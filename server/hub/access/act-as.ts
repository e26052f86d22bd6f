import { Refusal } from '../../core/refusal.ts'
import type { Deps } from '../deps.ts'
import { type AccessQuestion, decide } from './access.ts'
import { findNamespace, type NamespaceOwner } from '../files/repo-names.ts'
import type { User } from '../../store/entities/account-entities.ts'
import { requireUser } from '../../store/lookups.ts'

// Who acts when the developer does something on the Hub by hand.

type ActDeps = Pick<Deps, 'state' | 'settings'>

/**
 * Checks that a user may do something. Adds the reason to the Hub's refusal, because the caller is the developer.
 * @throws {Refusal} of the Hub
 */
export function permitAs(deps: ActDeps, user: User, question: AccessQuestion): void {
  const decision = decide(deps, { kind: 'session', user }, question)
  if (decision.allowed) return
  const { code, message, options } = decision
  const reason = options.detail === undefined ? '' : ` ${user.username}: ${options.detail}.`
  throw new Refusal(code, message + reason, options)
}

/** Returns the id of the acting user: the named one, else the owner, else an admin of the organization. */
export function actorOf(
  deps: ActDeps,
  username: string | undefined,
  ownerId: string | undefined,
): string | undefined {
  if (username !== undefined) return requireUser(deps, username, 'user').id
  if (ownerId === undefined || deps.state.users.has(ownerId)) return ownerId
  const members = deps.state.organizations.get(ownerId)?.members ?? []
  return members.find(({ role }) => role === 'admin')?.userId
}

/** @throws {Refusal} `invalid` without a user if the organization has no admin */
export function requireActor(deps: ActDeps, username: string | undefined, ownerId: string): User {
  const user = deps.state.users.get(actorOf(deps, username, ownerId) ?? '')
  if (user !== undefined) return user
  throw invalid('user', 'The organization has no admin: name a user.')
}

/** @throws {Refusal} `invalid`, at the field that names the namespace */
export function requireOwner(
  { state }: Pick<Deps, 'state'>,
  namespace: string,
  field: string,
): NamespaceOwner {
  const owner = findNamespace(state, namespace)
  if (owner !== undefined) return owner
  throw invalid(field, `There is no user or organization ${namespace}.`)
}

function invalid(path: string, message: string): Refusal {
  return new Refusal('invalid', message, { issues: [{ path, message }] })
}
