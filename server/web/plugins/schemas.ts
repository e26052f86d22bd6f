import { isObject } from '../../core/is-object.ts'
import type {
  FastifySchemaCompiler,
  FastifySerializerCompiler,
  FastifyServerOptions,
} from 'fastify'
import { checkShape } from '../../core/shape.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import type { Issue } from '../../core/config-error.ts'
import { Refusal } from '../../core/refusal.ts'
import { own, setOwn } from '../../core/own.ts'

const createValidator: FastifySchemaCompiler<unknown> = ({ schema, httpPart, url }) => {
  const shape = schema as JsonSchema
  // The hub says what is wrong alone; the control API also what a member is for.
  const isOfControl = url.startsWith('/_sandbox/')
  const isOptional = '~optional' in shape
  const read = httpPart === 'body' ? undefined : textReader(shape)
  const fits = httpPart === 'body' ? undefined : textFitter(shape)
  return (data: unknown): { value: unknown } | { error: Error } => {
    // Fastify passes null for a missing body.
    if (data === null && isOptional) return { value: undefined }
    if (fits !== undefined && isObject(data) && fits(data)) return { value: data }
    const value = read === undefined ? data : read(data as Record<string, unknown>)
    const issues = checkShape(shape, value)
    if (issues.length === 0) return { value }
    const told = isOfControl ? issues : checkShape(withoutDescriptions(shape), value)
    return { error: refuse(told, httpPart) }
  }
}

/**
 * Returns a fast check that accepts most paths and queries without reading the whole schema: most parameters are any text
 * or one of a few, and most queries are empty.
 * @returns `undefined` for a schema that needs the full check
 */
function textFitter(shape: JsonSchema): ((data: Record<string, unknown>) => boolean) | undefined {
  const { type, properties = {}, required = [], additionalProperties } = shape
  const asksMore = Object.keys(shape).some((key) => !keysOfTexts.has(key))
  if (type !== 'object' || asksMore || additionalProperties === false) return undefined
  if (required.length === 0) return (data) => Object.keys(data).length === 0
  const asked = Object.entries(properties)
  if (required.length < asked.length || !asked.every(([, schema]) => isText(schema))) {
    return undefined
  }
  return (data) =>
    asked.every(([name, { enum: among }]) => {
      const text = own(data, name)
      return typeof text === 'string' && (among === undefined || among.includes(text))
    })
}

const keysOfTexts: ReadonlySet<string> = new Set([
  'type',
  'description',
  'properties',
  'required',
  'additionalProperties',
])
const keysOfText: ReadonlySet<string> = new Set(['type', 'description', 'enum'])

function isText(schema: JsonSchema): boolean {
  return schema.type === 'string' && Object.keys(schema).every((key) => keysOfText.has(key))
}

/** Copies a schema without what describes its members, which {@link checkShape} would add to an issue. */
function withoutDescriptions(shape: JsonSchema): JsonSchema {
  return JSON.parse(
    JSON.stringify(shape, (key, value: unknown) =>
      key === 'description' && typeof value === 'string' ? undefined : value,
    ),
  ) as JsonSchema
}

/** The parts of a request as a message calls them, by Fastify's name. */
const partNames: ReadonlyMap<string, string> = new Map([
  ['querystring', 'query'],
  ['params', 'path'],
  ['headers', 'header'],
])

function refuse(issues: readonly Issue[], httpPart = 'body'): Refusal {
  const list = issues.map(({ path, message }) => (path === '' ? message : `${path} ${message}`))
  const where = partNames.get(httpPart) ?? httpPart
  return new Refusal('invalid_shape', `Invalid ${where}: ${list.join('; ')}.`, { issues })
}

/**
 * Returns a function that converts the text of numbers and booleans in a query, path or headers.
 * @returns `undefined` for a schema without any
 */
function textReader({
  properties = {},
}: JsonSchema): ((data: Record<string, unknown>) => unknown) | undefined {
  const read = new Map<string, (text: string) => unknown>()
  for (const [name, { type }] of Object.entries(properties)) {
    if (type === 'integer' || type === 'number') read.set(name, readNumber)
    else if (type === 'boolean') read.set(name, readTruth)
  }
  if (read.size === 0) return undefined
  return (data) =>
    Object.fromEntries(
      Object.entries(data).map(([name, value]) => [
        name,
        typeof value === 'string' && value.trim() !== ''
          ? (read.get(name)?.(value) ?? value)
          : value,
      ]),
    )
}

function readNumber(text: string): unknown {
  const number = Number(text)
  return Number.isNaN(number) ? text : number
}

/** Python writes `True`, as the Hub's client did in every query before 1.0; people write `1`. */
const truthOf: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

function readTruth(text: string): unknown {
  return truthOf.get(text.toLowerCase()) ?? text
}

const createSerializer: FastifySerializerCompiler<unknown> =
  ({ schema }) =>
  (data) =>
    JSON.stringify(pickDeclared(schema as JsonSchema, data))

/** Returns the members that the schema declares, and no others of the object. */
function pickDeclared(schema: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema
    return items === undefined ? value : value.map((item) => pickDeclared(items, item))
  }
  const { properties } = schema
  if (properties === undefined || typeof value !== 'object' || value === null) return value
  const source = value as Record<string, unknown>
  const picked: Record<string, unknown> = schema.additionalProperties === true ? { ...source } : {}
  for (const [name, property] of Object.entries(properties)) {
    const member = own(source, name)
    if (member !== undefined) setOwn(picked, name, pickDeclared(property, member))
  }
  return picked
}

/**
 * Checks requests and shapes responses by reading the schema each time. Compiling the schemas of all routes would take longer
 * than the rest of the start, and a run uses few of them; routes that are called often have no schema.
 */
export const schemaController = {
  compilersFactory: {
    buildValidator: () => createValidator,
    buildSerializer: () => createSerializer,
  },
  // Fastify types these factories as those of its own two compilers.
} as unknown as NonNullable<FastifyServerOptions['schemaController']>
