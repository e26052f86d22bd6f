import type { Deps } from '../events/deps.ts'
import { suggestion } from '../core/suggestion.ts'
import { findNamespace } from '../hub/repo-names.ts'
import type { Webhook } from '../state/entities/webhooks.ts'

/**
 * What a webhook watches in vain at present: accounts that are not there, or are of the other kind. It may be what its
 * owner wants, an account that comes later, so it is no mistake.
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
    const isAccount = type === 'user' || type === 'org'
    if (!isAccount || found.kind === type) return []
    return [
      `${account} is ${found.kind === 'org' ? 'an organization' : 'a user'}: watch it as ${found.kind}.`,
    ]
  })
}

function* accountNames(state: Deps['state']): Generator<string> {
  for (const { username } of state.users.values()) yield username
  for (const { name } of state.organizations.values()) yield name
}
