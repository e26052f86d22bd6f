import { suggestion } from '../../contract/suggestion.ts'

/**
 * Returns the problem with `autoApprove`, if any.
 * @param wanted value of `autoApprove`: a username, or `true` for the first user
 * @param names of the existing users
 */
export function approverProblem(
  wanted: string | boolean | undefined,
  names: readonly string[],
): string | undefined {
  if (wanted === undefined || wanted === false) return undefined
  if (wanted === true)
    return names.length === 0 ? 'requires a user, but there are no users' : undefined
  const isThere = names.some((name) => name.toLowerCase() === wanted.toLowerCase())
  return isThere ? undefined : `unknown user ${JSON.stringify(wanted)}${suggestion(wanted, names)}`
}
