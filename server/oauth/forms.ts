import { Refusal } from '../core/refusal.ts'
import type { TokenParameters } from './grants/grant-request.ts'
import { setOwn } from '../core/own.ts'

/**
 * Reads a form: unknown parameters stay (a grant ignores them), empty ones count as absent, and none may come twice.
 * @throws {Refusal} `invalid_request` for a body that is no form, or a repeated parameter
 * @see RFC 6749 §3.1, §3.2
 */
export function readForm(body: unknown): TokenParameters {
  if (body === undefined || body === null) return {}
  const { values, repeated } = collectParameters(requireForm(body))
  for (const name of repeated) refuseRepeated(name)
  return Object.fromEntries(values)
}

/**
 * Reads what a page of ours posts, or a program in its place: no body is an empty form, and any other than a form is
 * refused, since an answer in it would go unheard.
 * @throws {Refusal} `invalid_request` for a body that is no form
 */
export function readPageForm(body: unknown): URLSearchParams {
  // Programs that post an empty text send its content type, too.
  return body === undefined || body === '' ? new URLSearchParams() : requireForm(body)
}

function requireForm(body: unknown): URLSearchParams {
  if (body instanceof URLSearchParams) return body
  throw new Refusal(
    'invalid_request',
    'Send the parameters as application/x-www-form-urlencoded in the body.',
  )
}

/** Like {@link readForm}, for an endpoint that takes a JSON object of strings, too. */
export function readFormOrJson(body: unknown): TokenParameters {
  if (typeof body !== 'object' || body === null || body instanceof URLSearchParams) {
    return readForm(body)
  }
  const parameters: Record<string, string> = {}
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== 'string') {
      throw new Refusal('invalid_request', `The parameter ${name} must be a string.`)
    }
    if (value !== '') setOwn(parameters, name, value)
  }
  return parameters
}

/** May come several times: RFC 8707 §2, RFC 8693 §2.1, and the hub's own. */
const repeatable = new Set(['resource', 'audience', 'orgIds'])

/** Parameters by name, empty ones left out, and the names that came more often than they may. */
export function collectParameters(parameters: URLSearchParams): {
  values: Map<string, string>
  repeated: Set<string>
} {
  const values = new Map<string, string>()
  const repeated = new Set<string>()
  for (const [name, value] of parameters) {
    if (value === '') continue
    if (!values.has(name)) values.set(name, value)
    else if (!repeatable.has(name)) repeated.add(name)
  }
  return { values, repeated }
}

/** Servers that a client names as the target of its token, once each; the parameter may be repeated (RFC 8707 §2). */
export function readResources(parameters: unknown): string[] {
  if (!(parameters instanceof URLSearchParams)) return []
  return [...new Set(parameters.getAll('resource'))].filter((value) => value !== '')
}

/** @throws {Refusal} `invalid_request` */
export function refuseRepeated(name: string): never {
  throw new Refusal('invalid_request', `The parameter ${name} was sent more than once.`)
}
