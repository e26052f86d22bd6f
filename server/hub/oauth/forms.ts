import { isObject } from '../../core/is-object.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Settings } from '../../core/settings.ts'
import type { TokenParameters } from './grants/grant-request.ts'
import { own, setOwn } from '../../core/own.ts'

/**
 * Reads a form: keeps unknown parameters (grants ignore them), drops empty ones, and refuses repeated ones.
 * @throws {Refusal} `invalid_request` for a body that is not a form, or a repeated parameter
 * @see RFC 6749 §3.1, §3.2
 */
export function readForm(body: unknown): TokenParameters {
  if (body === undefined || body === null) return {}
  const { values, repeated } = collectParameters(requireForm(body))
  for (const name of repeated) refuseRepeated(name)
  return Object.fromEntries(values)
}

/**
 * Reads the form of a page of the sandbox. No body counts as an empty form; other content types are refused, because
 * their parameters would be ignored.
 * @throws {Refusal} `invalid_request` for a body that is not a form
 */
export function readPageForm(body: unknown): URLSearchParams {
  // Some programs send a content type with an empty body.
  return body === undefined || body === '' ? new URLSearchParams() : requireForm(body)
}

function requireForm(body: unknown): URLSearchParams {
  if (body instanceof URLSearchParams) return body
  throw new Refusal(
    'invalid_request',
    'Send the parameters as application/x-www-form-urlencoded in the body.',
  )
}

/** Like {@link readForm}, but also accepts a JSON object of strings. */
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

/** Parameters that may be repeated: RFC 8707 §2, RFC 8693 §2.1, and the Hub's own. */
const repeatable = new Set(['resource', 'audience', 'orgIds'])

/** Returns the non-empty parameters by name, and the names that must not be repeated but were. */
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

/** Reads the distinct target servers of a token from the repeatable parameter `resource` (RFC 8707 §2). */
export function readResources(parameters: unknown): string[] {
  if (!(parameters instanceof URLSearchParams)) {
    const value = isObject(parameters) ? own(parameters, 'resource') : undefined
    return typeof value === 'string' && value !== '' ? [value] : []
  }
  return [...new Set(parameters.getAll('resource'))].filter((value) => value !== '')
}

/**
 * Checks the resources of a request, where the sandbox is to require them (`--require-resource`).
 * @throws {Refusal} `invalid_target` when there is none, or one is not an absolute URI without a fragment
 * @see RFC 8707 §2, MCP 2025-11-25, Authorization, Resource Parameter Implementation
 */
export function checkResources(
  { requireResource }: Pick<Settings, 'requireResource'>,
  resources: readonly string[],
): void {
  if (!requireResource) return
  if (resources.length === 0) {
    throw new Refusal(
      'invalid_target',
      'The parameter resource is missing: send the URL of the server that the token is for.',
    )
  }
  for (const uri of resources) {
    if (URL.canParse(uri) && !uri.includes('#')) continue
    throw new Refusal(
      'invalid_target',
      `resource ${JSON.stringify(uri)} is invalid: use an absolute URI without a fragment.`,
    )
  }
}

/** @throws {Refusal} `invalid_request` */
export function refuseRepeated(name: string): never {
  throw new Refusal('invalid_request', `The parameter ${name} was sent more than once.`)
}
