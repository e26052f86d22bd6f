import type { FormNonces } from '../oauth/form-nonce.ts'

/** Name of the parameter; values from clients are dropped. */
const parameter = 'signed_in='
const endpoint = '/oauth/authorize?'

/** Removes the mark from a raw query, which leaves the client's own request. */
export function readSignInMark(rawQuery: string): { query: string; mark?: string } {
  const pairs = rawQuery.split('&')
  const mark = pairs.findLast((pair) => pair.startsWith(parameter))?.slice(parameter.length)
  const query = pairs.filter((pair) => !pair.startsWith(parameter)).join('&')
  return mark === undefined ? { query } : { query, mark }
}

/**
 * Marks the way from the login page back to an authorization request, so that what asks for a sign-in asks once. Only
 * the login page can make the mark, since it holds for the session that began there and for this very request.
 * @param path any path of the sandbox; others than requests stay as they are
 */
export function addSignInMark(nonces: FormNonces, sessionId: string, path: string): string {
  if (!path.startsWith(endpoint)) return path
  const { query } = readSignInMark(path.slice(endpoint.length))
  return `${endpoint}${query}&${parameter}${nonces.seal(sessionId, subjectOf(query))}`
}

export function isSignInMark(
  nonces: FormNonces,
  mark: string | undefined,
  sessionId: string,
  query: string,
): boolean {
  return nonces.isSeal(mark, sessionId, subjectOf(query))
}

function subjectOf(query: string): string {
  return `signed in for ${query}`
}
