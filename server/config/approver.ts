import { suggestion } from '../core/suggestion.ts'

/**
 * Why nobody can approve, if so.
 * @param wanted as `autoApprove` says it: a username, or `true` for the first user
 * @param names of the users that there are
 */
export function approverProblem(
  wanted: string | boolean | undefined,
  names: readonly string[],
): string | undefined {
  if (wanted === undefined || wanted === false) return undefined
  if (wanted === true) return names.length === 0 ? 'needs a user, and there is none' : undefined
  const isThere = names.some((name) => name.toLowerCase() === wanted.toLowerCase())
  return isThere
    ? undefined
    : `there is no user ${JSON.stringify(wanted)}${suggestion(wanted, names)}`
}
