import { suggestion } from '../../contract/suggestion.ts'
import { refuseIssues } from '../../core/refusal.ts'
import { organizationNames, usernames } from '../../store/names-of-accounts.ts'
import type { State } from '../../store/state.ts'
import { findNamespace } from '../files/repo-names.ts'

/**
 * @param path name of the filter
 * @throws {Refusal} `invalid` for an unknown user or organization
 */
export function checkNamespaceFilter(
  state: Pick<State, 'users' | 'organizations'>,
  path: string,
  name: string | undefined,
): void {
  if (name === undefined || findNamespace(state, name) !== undefined) return
  const names = [...usernames(state), ...organizationNames(state)]
  const message = `There is no user or organization ${name}${suggestion(name, names)}.`
  refuseIssues([{ path, message }])
}
