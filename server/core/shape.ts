import { isObject } from './is-object.ts'
import { parseDuration } from '../contract/durations.ts'
import { formatDuration, requireDuration } from './duration.ts'
import { beginningOf } from './encode-text.ts'
import { suggestion } from '../contract/suggestion.ts'
import { type Issue, joinPath } from './config-error.ts'
import type { JsonSchema } from './json-schema.ts'
import { own } from './own.ts'

/**
 * Checks a value against a schema and reports every issue. typebox's `Value.Errors` would add 8 ms and 65 KB to a start,
 * its compiler 29 ms, and both would need a translation of paths and messages for users.
 */
export function checkShape(schema: JsonSchema, value: unknown, path = ''): Issue[] {
  if (schema.anyOf !== undefined) return checkAlternatives(schema, schema.anyOf, value, path)
  const problem = scalarProblem(schema, value)
  if (problem !== undefined) {
    const detail =
      schema.writeOnly === true
        ? `must be ${nameOfType(schema.type)}, not ${nameOfType(typeOf(value))}`
        : problem
    return [{ path, message: `${detail}${meaning(schema)}` }]
  }
  if (isObject(value)) return checkObject(schema, value, path)
  if (Array.isArray(value)) return checkArray(schema, value, path)
  return []
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
      // Appended one by one: a list can have more issues than a call can have arguments.
      const found = entry === undefined ? [] : checkShape(known, entry, joinPath(path, key))
      for (const issue of found) issues.push(issue)
    } else if (schema.additionalProperties === false) {
      const message = `is an unknown key${keysHint(key, Object.keys(properties))}`
      issues.push({ path: joinPath(path, key), message })
    }
  }
  if (issues.length === 0) {
    const problem = sizeProblem(schema, Object.keys(value))
    if (problem !== undefined) issues.push({ path, message: `${problem}${meaning(schema)}` })
  }
  return issues
}

function keysHint(key: string, known: readonly string[]): string {
  if (known.length === 0) return '; no keys are allowed here'
  return suggestion(key, known) || `; known keys: ${known.join(', ')}`
}

function sizeProblem(
  { properties = {}, minProperties = 0, maxProperties = Infinity }: JsonSchema,
  keys: readonly string[],
): string | undefined {
  if (keys.length >= minProperties && keys.length <= maxProperties) return undefined
  const known = Object.keys(properties).join(', ')
  if (keys.length < minProperties) return `needs one of ${known}`
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
  const issues: Issue[] = []
  for (const [index, item] of value.entries()) {
    for (const issue of checkShape(items, item, joinPath(path, index))) {
      issues.push(issue)
    }
  }
  return issues
}

/** The alternative with the value's own type has the useful message. */
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
  const hint = suggestion(value, constants)
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
    return `must be one of ${values.join(', ')}, not ${show(value)}${suggestion(value, values)}`
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
  // JSON has numbers that are invalid here: 1e999, and inexact integers.
  if (!Number.isFinite(value)) return `must be a finite number, not ${value}`
  if (type === 'integer' && !Number.isSafeInteger(value)) {
    return `must be between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}, not ${value}`
  }
  if (maximum !== undefined && value > maximum) return `must be at most ${maximum}, not ${value}`
  return undefined
}

function textProblem(
  {
    pattern,
    format,
    minLength,
    maxLength,
    'x-longest-ms': longestMs,
    'x-shortest-ms': shortestMs,
  }: JsonSchema,
  value: string,
): string | undefined {
  if (minLength !== undefined && value.length < minLength) {
    return `must have at least ${minLength} ${minLength === 1 ? 'character' : 'characters'}`
  }
  if (maxLength !== undefined && value.length > maxLength) {
    return `must have at most ${maxLength} characters, and has ${value.length}`
  }
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) {
    return `has an invalid format: ${show(value)}`
  }
  // The pattern has matched, so an unreadable duration is too large.
  if (longestMs !== undefined && (parseDuration(value) ?? Infinity) > longestMs) {
    return `must be at most ${formatDuration(longestMs)}, not ${show(value)}`
  }
  if (shortestMs !== undefined && requireDuration(value) < shortestMs) {
    return `must be at least ${formatDuration(shortestMs)}, not ${show(value)}`
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
    string: 'a string',
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
  if (isObject(value)) return 'an object'
  const text = JSON.stringify(value) ?? typeof value
  return text.length > 60 ? `${beginningOf(text, 57)}…"` : text
}
