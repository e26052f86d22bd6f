import { isObject } from '../../core/is-object.ts'
import { own } from '../../core/own.ts'

/** A JSON Schema as it stands in a document, its references not followed. */
export type Schema = Readonly<Record<string, unknown>>

/** A parameter of the query, or of the headers or path. */
export interface Parameter {
  name: string
  in: string
  required: boolean
  schema: Schema
}

/** A method at a path, with its requests and responses. */
export interface Operation {
  /** Method and path, such as `GET /api/models/{namespace}/{repo}/refs`. */
  key: string
  method: string
  path: string
  parameters: readonly Parameter[]
  /** Shape of a JSON body; absent if it takes none. */
  body?: Schema
  bodyIsRequired: boolean
  /** Shapes of JSON responses by status; undefined for a status whose body is not described as JSON. */
  responses: ReadonlyMap<string, Schema | undefined>
  /** Paths of requests that it handles, and paths that name the same operation elsewhere. */
  patterns: { requests: RegExp; counterparts: RegExp }
}

/** An OpenAPI document (3.0 or 3.1) by its operations. */
export interface OpenApiDocument {
  title: string
  operations: readonly Operation[]
  /** Follows the references of a schema to its own text. */
  resolve: (schema: unknown) => Schema
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head'] as const

/**
 * Reads an OpenAPI document.
 * @throws {Error} whose message completes "the document: …"
 */
export function readOpenApi(text: string): OpenApiDocument {
  const root = parse(text)
  const { openapi, paths, info } = root
  if (typeof openapi !== 'string' || !openapi.startsWith('3.') || !isObject(paths)) {
    throw new Error('it is no OpenAPI document of version 3: it needs "openapi": "3.…" and "paths"')
  }
  const resolve = (schema: unknown) => follow(root, schema)
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const described = isObject(item) ? own(item, method) : undefined
      return isObject(described) ? [readOperation(method, path, described, resolve)] : []
    }),
  )
  if (operations.length === 0) throw new Error('it has no operations')
  const title = isObject(info) && typeof info['title'] === 'string' ? info['title'] : ''
  return { title, operations, resolve }
}

function parse(text: string): Record<string, unknown> {
  try {
    const root: unknown = JSON.parse(text)
    if (isObject(root)) return root
  } catch (error) {
    const looksLikeHtml = /^\s*</.test(text)
    const what = looksLikeHtml ? 'it is a page in HTML' : 'it is not JSON'
    throw new Error(`${what}; an OpenAPI document in JSON is needed`, { cause: error })
  }
  throw new Error('it is JSON, but no object')
}

function readOperation(
  method: string,
  path: string,
  described: Record<string, unknown>,
  resolve: OpenApiDocument['resolve'],
): Operation {
  const body = resolve(described['requestBody'])
  const schema = jsonSchemaOf(body, resolve)
  const { responses } = described
  const parameters = listOf(described['parameters']).map((one) => readParameter(resolve(one)))
  return {
    key: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    parameters,
    ...(schema !== undefined && { body: schema }),
    bodyIsRequired: body['required'] === true,
    responses: new Map(
      Object.entries(isObject(responses) ? responses : {}).map(([status, response]) => [
        status,
        jsonSchemaOf(resolve(response), resolve),
      ]),
    ),
    patterns: {
      requests: patternOf(path, parameters, '[^/]+'),
      counterparts: patternOf(path, parameters, anyName),
    },
  }
}

function readParameter(given: Schema): Parameter {
  return {
    name: String(given['name']),
    in: String(given['in']),
    required: given['required'] === true,
    schema: isObject(given['schema']) ? given['schema'] : {},
  }
}

/** Returns the shape of the JSON content of a body or response. */
function jsonSchemaOf(holder: Schema, resolve: OpenApiDocument['resolve']): Schema | undefined {
  const { content } = holder
  const media = Object.entries(isObject(content) ? content : {}).find(([type]) =>
    /^application\/([\w.-]+\+)?json\b/.test(type),
  )?.[1]
  return isObject(media) && 'schema' in media ? resolve(media['schema']) : undefined
}

/** Follows a chain of references within the document; a broken or endless one allows anything. */
function follow(root: Schema, schema: unknown): Schema {
  let found: unknown = schema
  for (let steps = 0; steps < 50; steps++) {
    if (!isObject(found)) return {}
    const { $ref: reference } = found
    if (typeof reference !== 'string') return found
    found = reference
      .replace(/^#\//, '')
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((place, part) => (isObject(place) ? own(place, part) : undefined), root)
  }
  return {}
}

/** Returns the members of a list, or none of anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/**
 * Finds the operations of a request by its method and path: those with the most fixed segments. A document may describe
 * one path twice, such as `{slug}-{id}` and `{slug}`. A last `{path}` may be empty.
 */
export function operationsAt(
  operations: readonly Operation[],
  method: string,
  path: string,
): readonly Operation[] {
  const fitting = operations.filter((one) => {
    const { requests } = one.patterns
    const mayBeShort = one.path.endsWith('/{path}')
    return (
      one.method === method && (requests.test(path) || (mayBeShort && requests.test(`${path}/-`)))
    )
  })
  const most = Math.max(...fitting.map(fixedSegments))
  return fitting.filter((one) => fixedSegments(one) === most)
}

/** Segment of a path that stands for any name. */
const anyName = '~'

/** Finds the operation of another document that is the same one: fixed segments meet fixed ones, names meet names. */
export function counterpartOf(
  { method, path, parameters }: Operation,
  operations: readonly Operation[],
): Operation | undefined {
  const filled = (fill: (values: readonly unknown[]) => unknown) =>
    path.replaceAll(parameter, (_, name: string) => String(fill(valuesIn(parameters, name))))
  const examples = [filled(([first = anyName]) => first), filled(() => anyName)]
  return operations
    .filter(
      (one) =>
        one.method === method &&
        examples.some((example) => one.patterns.counterparts.test(example)),
    )
    .toSorted((one, other) => fixedSegments(other) - fixedSegments(one))[0]
}

/** A parameter, or several with hyphens between them: `{slug}-{id}`. */
const parameter = /\{(\w+)\}(?:-\{\w+\})*/g

/** Returns the only values of a parameter of the path; none = any. */
function valuesIn(parameters: readonly Parameter[], name: string): readonly unknown[] {
  return listOf(parameters.find((one) => one.in === 'path' && one.name === name)?.schema['enum'])
}

function fixedSegments({ path }: Operation): number {
  return path.split('/').filter((segment) => !segment.includes('{')).length
}

/** Returns the paths of an operation: a last parameter `path` takes several segments, others one of their values. */
function patternOf(path: string, parameters: readonly Parameter[], name: string): RegExp {
  const parts = path.split(/(\{\w+\})/)
  const source = parts.map((part, index) => {
    const [, named] = /^\{(\w+)\}$/.exec(part) ?? []
    if (named === undefined) return escaped(part)
    if (named === 'path' && index >= parts.length - 2) return '.+'
    const values = valuesIn(parameters, named)
    return values.length === 0 ? name : `(?:${values.map(String).map(escaped).join('|')})`
  })
  return new RegExp(`^${source.join('')}$`)
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
