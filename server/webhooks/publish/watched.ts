import type { Deps } from '../../events/deps.ts'
import { suggestion } from '../../core/suggestion.ts'
import type { RepoType } from '../../contract/words/hub.ts'
import { findNamespace } from '../../hub/files/repo-names.ts'
import { findRepo } from '../../hub/access/find-repo.ts'
import type { Webhook } from '../../state/entities/webhooks.ts'

/**
 * What a webhook watches in vain at present: accounts and repos that are not there, accounts of the other kind, and what
 * the sandbox does not have. It may be what its owner wants, a repo that comes later, so it is no mistake.
 * @returns a sentence for each
 */
export function warnOfWatched(
  { state }: Pick<Deps, 'state'>,
  { watched }: Pick<Webhook, 'watched'>,
): string[] {
  return watched.flatMap(({ type, name }) => {
    const account = name.split('/')[0] ?? ''
    const found = findNamespace(state, account)
    if (found === undefined) {
      const near = suggestion(account, accountNames(state))
      return [
        `${account} is neither a user nor an organization${near}: nothing is delivered for it.`,
      ]
    }
    if (type === 'user' || type === 'org') {
      if (found.kind === type) return []
      return [
        `${account} is ${found.kind === 'org' ? 'an organization' : 'a user'}: watch it as ${found.kind}.`,
      ]
    }
    if (type === 'bucket' || type === 'kernel') {
      return [`The sandbox has no ${type}s: nothing is delivered for ${name}.`]
    }
    if (findRepo({ state }, type, name) !== undefined) return []
    const near = suggestion(name, repoNames(state, type))
    return [`There is no ${type} ${name}${near}: nothing is delivered for it.`]
  })
}

function* repoNames(state: Deps['state'], type: RepoType): Generator<string> {
  for (const repo of state.repos.values()) if (repo.type === type) yield repo.name
}

function* accountNames(state: Deps['state']): Generator<string> {
  for (const { username } of state.users.values()) yield username
  for (const { name } of state.organizations.values()) yield name
}
