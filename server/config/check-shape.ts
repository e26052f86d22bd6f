import { formatDuration, parseDuration } from '../core/duration.ts'
import { suggestion } from '../core/suggestion.ts'
import { type Issue, joinPath } from './issues.ts'
import type { JsonSchema } from './json-schema.ts'
import { own } from '../core/own.ts'

/**
 * Checks a value against a schema and reports every mistake. typebox's own `Errors` stops at a set
 * number of them, names neither paths nor meanings a user knows, and takes longer to load than a
 * whole start.
 */
export function checkShape(schema: JsonSchema, value: unknown, path = ''): Issue[] {
  if (schema.anyOf !== undefined) return checkAlternatives(schema, schema.anyOf, value, path)
  const problem = scalarProblem(schema, value)
  if (problem !== undefined) {
    return [{ path, message: `${problem}${meaning(schema)}` }]
  }
  if (isRecord(value)) return checkObject(schema, value, path)
  if (Array.isArray(value)) return checkArray(schema, value, path)
  return []
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function checkObject(schema: JsonSchema, value: Record<string, unknown>, path: string): Issue[] {
  const { properties = {}, patternProperties = {}, required = [] } = schema
  const [entrySchema] = Object.values(patternProperties)
  const issues: Issue[] = required
    .filter((key) => own(value, key) === undefined)
    .map((key) => ({
      path: joinPath(path, key),
      message: `is missing${meaning(properties[key] ?? {})}`,
    }))
  for (const [key, entry] of Object.entries(value)) {
    const known = Object.hasOwn(properties, key) ? properties[key] : entrySchema
    if (known !== undefined) {
      if (entry !== undefined) issues.push(...checkShape(known, entry, joinPath(path, key)))
    } else if (schema.additionalProperties === false) {
      const hint = suggestion(key, Object.keys(properties))
      const keys = hint === '' ? `; known here: ${Object.keys(properties).join(', ')}` : hint
      issues.push({ path: joinPath(path, key), message: `is not a known key${keys}` })
    }
  }
  if (issues.length === 0) {
    const problem = sizeProblem(schema, Object.keys(value))
    if (problem !== undefined) issues.push({ path, message: `${problem}${meaning(schema)}` })
  }
  return issues
}

function sizeProblem(
  { properties = {}, minProperties = 0, maxProperties = Infinity }: JsonSchema,
  keys: readonly string[],
): string | undefined {
  const known = Object.keys(properties).join(', ')
  if (keys.length < minProperties) return `needs one of ${known}`
  if (keys.length <= maxProperties) return undefined
  return `takes ${maxProperties === 1 ? 'one' : maxProperties} of ${known}, not ${keys.join(', ')}`
}

function checkArray(schema: JsonSchema, value: unknown[], path: string): Issue[] {
  const { items, minItems = 0, maxItems = Infinity } = schema
  if (value.length < minItems) {
    return [{ path, message: `needs at least ${minItems}${meaning(schema)}` }]
  }
  if (value.length > maxItems) {
    return [{ path, message: `takes at most ${maxItems}, not ${value.length}${meaning(schema)}` }]
  }
  if (items === undefined) return []
  return value.flatMap((item, index) => checkShape(items, item, joinPath(path, index)))
}

/** Of several alternatives that of the value's own type has the useful message. */
function checkAlternatives(
  schema: JsonSchema,
  alternatives: readonly JsonSchema[],
  value: unknown,
  path: string,
): Issue[] {
  const results = alternatives.map((alternative) => checkShape(alternative, value, path))
  if (results.some((issues) => issues.length === 0)) return []
  const ofItsType = alternatives.findIndex(
    ({ type, const: constant }) => constant === undefined && type === typeOf(value),
  )
  if (ofItsType !== -1) return results[ofItsType] ?? []
  const wanted = alternatives.map((alternative) =>
    'const' in alternative ? JSON.stringify(alternative.const) : nameOfType(alternative.type),
  )
  const constants = alternatives.flatMap((alternative) =>
    typeof alternative.const === 'string' ? [alternative.const] : [],
  )
  const hint = typeof value === 'string' ? suggestion(value, constants) : ''
  return [
    {
      path,
      message: `must be ${wanted.join(' or ')}, not ${show(value)}${hint}${meaning(schema)}`,
    },
  ]
}

function scalarProblem(schema: JsonSchema, value: unknown): string | undefined {
  if ('const' in schema && value !== schema.const) {
    return `must be ${JSON.stringify(schema.const)}, not ${show(value)}`
  }
  if (schema.type !== undefined && !hasType(value, schema.type)) {
    return `must be ${nameOfType(schema.type)}, not ${show(value)}`
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    const values = schema.enum.map(String)
    return `must be one of ${values.join(', ')}, not ${show(value)}${suggestion(String(value), values)}`
  }
  if (typeof value === 'number') return numberProblem(schema, value)
  if (typeof value === 'string') return textProblem(schema, value)
  return undefined
}

function numberProblem(
  { type, minimum, exclusiveMinimum, maximum }: JsonSchema,
  value: number,
): string | undefined {
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    return `must be more than ${exclusiveMinimum}, not ${value}`
  }
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}, not ${value}`
  // JSON has numbers that are none here: 1e999, and integers that are not kept exactly.
  if (!Number.isFinite(value)) return `must be a finite number, not ${value}`
  if (type === 'integer' && !Number.isSafeInteger(value)) {
    return `must be at most ${Number.MAX_SAFE_INTEGER} either way, not ${value}`
  }
  if (maximum !== undefined && value > maximum) return `must be at most ${maximum}, not ${value}`
  return undefined
}

function textProblem(
  { pattern, format, minLength, maxLength, 'x-longest-ms': longestMs }: JsonSchema,
  value: string,
): string | undefined {
  if (minLength !== undefined && value.length < minLength) {
    return `must have at least ${minLength} ${minLength === 1 ? 'character' : 'characters'}`
  }
  if (maxLength !== undefined && value.length > maxLength) {
    return `must have at most ${maxLength} characters, and has ${value.length}`
  }
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) {
    return `has not the right form: ${show(value)}`
  }
  if (longestMs !== undefined && (parseDuration(value) ?? 0) > longestMs) {
    return `must be at most ${formatDuration(longestMs)}, not ${show(value)}`
  }
  const known = format === undefined ? undefined : own(formats, format)
  if (known !== undefined && !known.test(value)) return `must be ${known.name}, not ${show(value)}`
  return undefined
}

const formats: Record<string, { name: string; test(text: string): boolean }> = {
  'date-time': {
    name: 'a time such as 2026-01-31T12:00:00Z',
    test: (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text)),
  },
  uuid: {
    name: 'a UUID',
    test: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  },
}

function hasType(value: unknown, type: string): boolean {
  return type === 'integer' ? Number.isSafeInteger(value) : typeOf(value) === type
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function nameOfType(type = 'value'): string {
  const names: Record<string, string> = {
    string: 'a text',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
  }
  return own(names, type) ?? type
}

function meaning({ description }: JsonSchema): string {
  return description === undefined ? '' : `. ${description}`
}

function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isRecord(value)) return 'an object'
  const text = JSON.stringify(value) ?? typeof value
  return text.length > 60 ? `${text.slice(0, 57)}…"` : text
}
