import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonSchema } from '../../../server/core/json-schema.ts'

interface Content {
  [type: string]: { schema: JsonSchema }
}

/** An operation of the OpenAPI document. */
export interface Operation {
  /** `POST /oauth/token` */
  name: string
  method: string
  path: string
  parameters?: readonly {
    name: string
    in: 'path' | 'query' | 'header'
    required?: boolean
    schema: JsonSchema
  }[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Omit<Operation, 'name' | 'method' | 'path'>>>
}

/** Ends the sandbox, which no later request could be sent to. */
const notAsked = new Set(['POST /_sandbox/api/stop'])

export function operationsOf({ paths }: OpenApiDocument): Operation[] {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([verb, operation]) => {
        const method = verb.toUpperCase()
        return { ...operation, name: `${method} ${path}`, method, path }
      }),
    )
    .filter(({ name }) => !notAsked.has(name))
}

// Not the sandbox's own reader of schemas, which made the answers.
const ajv = addFormats.default(new Ajv2020({ strict: false }))
const compiled = new WeakMap<object, (value: unknown) => boolean>()

/** Returns the difference of a response from the document; `undefined` = as described. */
export function deviationOf(
  { responses }: Pick<Operation, 'responses'>,
  answer: { statusCode: number; type: string; body: string },
): string | undefined {
  const { statusCode, type, body } = answer
  const described =
    responses[statusCode] ?? responses[`${Math.floor(statusCode / 100)}XX`] ?? responses['default']
  if (described === undefined) {
    return statusCode < 400 ? `the document has no answer ${statusCode}` : undefined
  }
  const schema = described.content?.[type]?.schema
  if (schema === undefined || body === '' || !type.endsWith('json')) return undefined
  const isFitting = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, isFitting)
  return isFitting(JSON.parse(body))
    ? undefined
    : `its body is not as the document says: ${JSON.stringify((isFitting as { errors?: unknown }).errors)}`
}
