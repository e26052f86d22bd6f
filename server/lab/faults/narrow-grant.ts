import { parseScope } from '../../hub/oauth/scope.ts'
import type { State } from '../../store/state.ts'

/** Leaves some of the granted scopes to the code of a redirect, as if the user had refused the others. */
export function narrowGrant(
  { codes }: Pick<State, 'codes'>,
  location: string,
  scope: string,
): void {
  const code = codes.get(new URL(location).searchParams.get('code') ?? '')
  if (code === undefined) return
  const granted = parseScope(scope)
  codes.put({ ...code, scopes: code.scopes.filter((name) => granted.includes(name)) })
}
