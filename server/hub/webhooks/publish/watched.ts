import type { Deps } from '../../deps.ts'
import { type Effort, effortOfSearch, suggestion } from '../../../contract/suggestion.ts'
import type { AnyRepoType } from '../../../contract/words/hub-words.ts'
import { findNamespace } from '../../files/repo-names.ts'
import { findRepo } from '../../access/find-repo.ts'
import type { Webhook } from '../../../store/entities/webhook-entities.ts'

/**
 * Warns about watched items without deliveries at present: unknown accounts and repos, accounts of the other kind, and
 * types that the sandbox does not emulate.
 * @returns a sentence for each item
 */
export function warnOfWatched(
  { state }: Pick<Deps, 'state'>,
  { watched }: Pick<Webhook, 'watched'>,
): string[] {
  const effort = effortOfSearch()
  return watched.flatMap((item) => problemOfWatched(state, item, effort) ?? [])
}

/** Returns why an item of `watched` causes no deliveries at present. */
export function problemOfWatched(
  state: Deps['state'],
  { type, name }: Webhook['watched'][number],
  effort: Effort,
): string | undefined {
  const account = name.split('/')[0] ?? ''
  const found = findNamespace(state, account)
  if (found === undefined) {
    const near = suggestion(account, accountNames(state), effort)
    return `Unknown user or organization ${account}${near}: it causes no deliveries.`
  }
  if (type === 'user' || type === 'org') {
    if (found.kind === type) return undefined
    return `${account} is ${found.kind === 'org' ? 'an organization' : 'a user'}: watch it as ${found.kind}.`
  }
  if (type === 'kernel') {
    return `The sandbox does not emulate ${type}s: ${name} causes no deliveries.`
  }
  if (findRepo({ state }, type, name) !== undefined) return undefined
  const near = suggestion(name, repoNames(state, type), effort)
  return `Unknown ${type} ${name}${near}: it causes no deliveries.`
}

function* repoNames(state: Deps['state'], type: AnyRepoType): Generator<string> {
  for (const repo of state.repos.values()) if (repo.type === type) yield repo.name
}

function* accountNames(state: Deps['state']): Generator<string> {
  for (const { username } of state.users.values()) yield username
  for (const { name } of state.organizations.values()) yield name
}
