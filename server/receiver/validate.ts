import type { UpdatedFiles, WebhookPayload } from './payload.ts'

/** One mistake in a payload; `path` is dotted, empty for the body as a whole. */
export interface PayloadIssue {
  path: string
  message: string
}

// A field check returns a description of the expected value, or undefined for a valid one. Nested shapes report their own
// issues, each with its path, and count as valid.
type Check = (value: unknown, path: string, issues: PayloadIssue[]) => string | undefined

interface Field {
  check: Check
  /** Handling of an invalid value: an issue, or treated as absent. */
  misfit: 'refused' | 'dropped'
  optional: boolean
}

const required = (check: Check): Field => ({ check, misfit: 'refused', optional: false })
const optional = (check: Check): Field => ({ check, misfit: 'refused', optional: true })
// The Python helper does not check these, so any value is accepted.
const unheeded = (check: Check): Field => ({ check, misfit: 'dropped', optional: true })

const text: Check = (value) => (typeof value === 'string' ? undefined : 'a string')
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'true or false')
const textOrNull: Check = (value) =>
  value === null || typeof value === 'string' ? undefined : 'a string or null'
const whole: Check = (value) => (Number.isInteger(value) ? undefined : 'a whole number')
const oneOf =
  (...allowed: readonly (string | number)[]): Check =>
  (value) =>
    allowed.includes(value as string | number) ? undefined : `one of ${allowed.join(', ')}`

const shape =
  (fields: Record<string, Field>): Check =>
  (value, path, issues) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'an object'
    for (const [key, field] of Object.entries(fields)) {
      const at = path === '' ? key : `${path}.${key}`
      for (const issue of settle(value as Record<string, unknown>, key, field, at)) {
        issues.push(issue)
      }
    }
    return undefined
  }

function settle(
  owner: Record<string, unknown>,
  key: string,
  { check, misfit, optional: mayMiss }: Field,
  at: string,
): PayloadIssue[] {
  const member = Object.hasOwn(owner, key) ? owner[key] : undefined
  if (member === undefined) return mayMiss ? [] : [{ path: at, message: 'is missing' }]
  const issues: PayloadIssue[] = []
  const expected = check(member, at, issues)
  if (expected !== undefined) issues.push({ path: at, message: `must be ${expected}` })
  if (issues.length === 0) return []
  if (misfit === 'refused' && !(mayMiss && member === null)) return issues
  delete owner[key]
  return []
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

const person = required(shape({ id: required(text) }))
const pageAndApi = required(shape({ web: required(text), api: optional(text) }))

const parts: Partial<Record<keyof WebhookPayload | keyof UpdatedFiles, Field>> = {
  movedTo: optional(shape({ name: required(text), owner: person })),
  updatedRefs: optional(
    listOf(
      shape({ ref: required(text), oldSha: optional(textOrNull), newSha: optional(textOrNull) }),
    ),
  ),
  updatedFiles: optional(
    listOf(
      shape({
        path: required(text),
        action: required(oneOf('add', 'delete')),
        xetHash: optional(text),
        size: optional(whole),
      }),
    ),
  ),
  updatedFilesTruncated: unheeded(flag),
  updatedConfig: unheeded(shape({ private: optional(flag) })),
  discussion: optional(
    shape({
      id: required(text),
      num: required(whole),
      title: required(text),
      url: pageAndApi,
      status: required(oneOf('draft', 'open', 'closed', 'merged')),
      author: person,
      isPullRequest: required(flag),
      changes: optional(shape({ base: required(text), mergeCommitId: optional(text) })),
      pinned: optional(flag),
    }),
  ),
  comment: optional(
    shape({
      id: required(text),
      author: person,
      content: optional(text),
      hidden: required(flag),
      url: pageAndApi,
    }),
  ),
}

const payload = shape({
  event: required(
    shape({
      action: required(oneOf('create', 'delete', 'move', 'update')),
      scope: required(text),
    }),
  ),
  repo: required(
    shape({
      type: required(oneOf('model', 'dataset', 'space', 'bucket')),
      name: required(text),
      id: required(text),
      private: required(flag),
      url: pageAndApi,
      owner: person,
      headSha: unheeded(text),
      subdomain: optional(text),
      tags: optional(listOf(text)),
    }),
  ),
  webhook: required(shape({ id: required(text), version: required(oneOf(3)) })),
  ...parts,
})

/**
 * Checks a parsed body against version 3 of the payload, as strictly as the Hub's Python helper. A null in an optional member
 * counts as absent and is removed. Unknown members and scopes are kept.
 * @param body changed in place
 * @returns all mistakes with their paths; without any, the body is a `WebhookPayload`
 */
export function settlePayload(body: unknown): PayloadIssue[] {
  const issues: PayloadIssue[] = []
  const expected = payload(body, '', issues)
  return expected === undefined ? issues : [{ path: '', message: `must be ${expected}` }]
}
