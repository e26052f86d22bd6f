import { isKnownScope, requiredParts } from './events.ts'
import type { WebhookPayload } from './payload.ts'

/** One mistake in a payload; `path` is dotted, empty for the body as a whole. */
export interface PayloadIssue {
  path: string
  message: string
}

// A field check answers what it expected, or undefined when the value fits. Nested shapes report
// their own issues, each with its path, and count as fitting.
type Check = (value: unknown, path: string, issues: PayloadIssue[]) => string | undefined

interface Field {
  check: Check
  optional: boolean
}

const required = (check: Check): Field => ({ check, optional: false })
const optional = (check: Check): Field => ({ check, optional: true })

const text: Check = (value) => (typeof value === 'string' ? undefined : 'a string')
const filled: Check = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'a string that is not empty'
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'true or false')
const textOrNull: Check = (value) =>
  value === null || typeof value === 'string' ? undefined : 'a string or null'
const ordinal: Check = (value) =>
  Number.isInteger(value) && (value as number) >= 1 ? undefined : 'a whole number from 1'
const oneOf =
  (...allowed: readonly (string | number)[]): Check =>
  (value) =>
    allowed.includes(value as string | number) ? undefined : `one of ${allowed.join(', ')}`

const shape =
  (fields: Record<string, Field>): Check =>
  (value, path, issues) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'an object'
    for (const [key, { check, optional: mayMiss }] of Object.entries(fields)) {
      const member = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
      const at = path === '' ? key : `${path}.${key}`
      if (member === undefined) {
        if (!mayMiss) issues.push({ path: at, message: 'is missing' })
        continue
      }
      const expected = check(member, at, issues)
      if (expected !== undefined) issues.push({ path: at, message: `must be ${expected}` })
    }
    return undefined
  }

const listOf =
  (check: Check): Check =>
  (value, path, issues) => {
    if (!Array.isArray(value)) return 'a list'
    for (const [index, item] of value.entries()) {
      const at = `${path}[${index}]`
      const expected = check(item, at, issues)
      if (expected !== undefined) issues.push({ path: at, message: `must be ${expected}` })
    }
    return undefined
  }

const person = required(shape({ id: required(filled) }))
const pageAndApi = required(shape({ web: required(text), api: required(text) }))

const repo = shape({
  type: required(oneOf('model', 'dataset', 'space')),
  name: required(filled),
  id: required(filled),
  private: required(flag),
  url: pageAndApi,
  owner: person,
  headSha: optional(text),
  subdomain: optional(text),
  tags: optional(listOf(text)),
})

const parts = {
  movedTo: shape({ name: required(text), owner: person }),
  updatedRefs: listOf(
    shape({ ref: required(text), oldSha: required(textOrNull), newSha: required(textOrNull) }),
  ),
  updatedConfig: shape({ private: optional(flag) }),
  discussion: shape({
    id: required(filled),
    num: required(ordinal),
    title: required(text),
    url: pageAndApi,
    status: required(oneOf('draft', 'open', 'closed', 'merged')),
    author: person,
    isPullRequest: required(flag),
    changes: optional(shape({ base: required(text), mergeCommitId: optional(text) })),
    pinned: optional(flag),
  }),
  comment: shape({
    id: required(filled),
    author: person,
    content: optional(text),
    hidden: required(flag),
    url: required(shape({ web: required(text) })),
  }),
} satisfies Partial<Record<keyof WebhookPayload, Check>>

function scopeAndAction(body: unknown): [scope: string, action: string] {
  const event = (body as { event?: { scope?: unknown; action?: unknown } | null } | null)?.event
  return [String(event?.scope), String(event?.action)]
}

/**
 * Checks a parsed body against the payload of its event, version 3. Fields that are not known are
 * left alone, and so are scopes that are not known: receivers have to take both.
 * @returns every mistake with its path; none means that the body is a `WebhookPayload`
 */
export function payloadIssues(body: unknown): PayloadIssue[] {
  const [scope, action] = scopeAndAction(body)
  const needed: readonly string[] = requiredParts(scope, action)
  const fields: Record<string, Field> = {
    event: required(
      shape({
        action: required(oneOf('create', 'delete', 'move', 'update')),
        scope: required(filled),
      }),
    ),
    repo: required(repo),
    webhook: required(shape({ id: required(filled), version: required(oneOf(3)) })),
  }
  for (const [part, check] of Object.entries(parts)) {
    if (needed.includes(part)) fields[part] = required(check)
    else if (!isKnownScope(scope)) fields[part] = optional(check)
  }
  const issues: PayloadIssue[] = []
  const expected = shape(fields)(body, '', issues)
  return expected === undefined ? issues : [{ path: '', message: `must be ${expected}` }]
}
