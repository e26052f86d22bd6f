import { OAuthError } from './errors.ts'
import type { TokenParameters } from './grants/grant-request.ts'

/**
 * Reads a form: unknown parameters stay (a grant ignores them), empty ones count as absent, and none may come twice.
 * @throws {OAuthError} `invalid_request` for a body that is no form, or a repeated parameter
 * @see RFC 6749 §3.1, §3.2
 */
export function readForm(body: unknown): TokenParameters {
  if (body === undefined || body === null) return {}
  if (!(body instanceof URLSearchParams)) {
    throw new OAuthError(
      'invalid_request',
      'Send the parameters as application/x-www-form-urlencoded in the body.',
    )
  }
  return singleParameters(body)
}

/** Like {@link readForm}, for an endpoint that takes a JSON object of strings, too. */
export function readFormOrJson(body: unknown): TokenParameters {
  if (typeof body !== 'object' || body === null || body instanceof URLSearchParams) {
    return readForm(body)
  }
  const parameters: Record<string, string> = {}
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== 'string') {
      throw new OAuthError('invalid_request', `The parameter ${name} must be a string.`)
    }
    if (value !== '') parameters[name] = value
  }
  return parameters
}

function singleParameters(form: URLSearchParams): TokenParameters {
  const parameters = new Map<string, string>()
  for (const [name, value] of form) {
    if (value === '') continue
    if (parameters.has(name)) {
      throw new OAuthError('invalid_request', `The parameter ${name} was sent more than once.`)
    }
    parameters.set(name, value)
  }
  return Object.fromEntries(parameters)
}
