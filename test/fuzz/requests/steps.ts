import * as fc from 'fast-check'
import type { JsonSchema } from '../../../server/core/json-schema.ts'
import { fitting, nearlyFitting, strange } from '../../helpers/schema-values.ts'
import { text } from '../inputs.ts'
import type { Operation } from './operations.ts'

/** A request of a sequence, as JSON. A text `{{name}}` in it stands for what earlier answers called so. */
export interface Step {
  operation: string
  path: Record<string, string>
  query: [name: string, value: string][]
  headers: [name: string, value: string][]
  /** Caller, or a string for the Authorization header. */
  as: string
  body?: { type: string; value: unknown; change?: Change }
}

/** Mutation of a body: none, truncated, nested in lists, or doubled. */
export type Change =
  | { kind: 'cut'; at: number }
  | { kind: 'deep'; levels: number }
  | { kind: 'twice' }

/** Values that a fuzzed request finds by itself only when it is told them. */
const usual: Readonly<Record<string, readonly string[]>> = {
  user: ['alice', 'bob', 'carol'],
  username: ['alice', 'bob'],
  owner: ['alice', 'acme'],
  name: ['alice', 'acme', 'corpus', 'tagger'],
  namespace: ['alice', 'acme'],
  organization: ['acme'],
  type: ['model', 'dataset', 'models', 'datasets'],
  repo: ['acme/corpus', 'acme/tagger'],
  path: ['README.md', 'dataset/acme/corpus'],
  client_id: ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'],
  clientId: ['11111111-1111-4111-8111-111111111111'],
  client_secret: ['sandbox_first_secret'],
  redirect_uri: ['http://localhost/callback'],
  code_verifier: ['v'.repeat(43)],
  code_challenge: ['1'.repeat(43)],
  response_type: ['code'],
  url: ['http://localhost:9/hook', 'http://127.0.0.1:9/'],
  revision: ['main', 'HEAD', 'refs/pr/1'],
  event: ['repo.content', 'discussion.create'],
  num: ['1'],
  by: ['1h', '-1d', '9999999d'],
}

/** Made once: what fast-check makes a text of takes longer than the text. */
const anyText = text()

const otherName = text('cursor', 'limit', '__proto__')
const otherCredentials = text('Bearer ', 'Basic ', 'hf_', '=')

const reference = (name: string) => fc.constant(`{{${name}}}`)

/** Value of a member: from the schema, from an earlier response, or arbitrary. */
function valueOf(name: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 3, arbitrary: named(name, schema) },
    { weight: 1, arbitrary: fitting(schema) },
    { weight: 1, arbitrary: fc.oneof(anyText, strange, nearlyFitting(schema)) },
  )
}

function named(name: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  const words = usual[name] ?? []
  const isText = schema.type === 'string' && schema.enum === undefined
  if (!isText) return fitting(schema)
  return words.length === 0 ? reference(name) : fc.oneof(reference(name), fc.constantFrom(...words))
}

const asText = fc.oneof(anyText, fc.constantFrom('null', '[]', '1e9', '-1', 'true'))
const textOf = (name: string, schema: JsonSchema) =>
  valueOf(name, schema).map((value) =>
    typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
  )

/** An object whose members are each as their names have them; now and then something else stands there. */
function bodyValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { properties, required = [] } = schema
  if (properties === undefined) return fc.oneof(fitting(schema), nearlyFitting(schema))
  const members = Object.entries(properties).map(([name, member]) => [name, valueOf(name, member)])
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>, {
        requiredKeys: [...required],
        noNullPrototype: true,
      }),
    },
    { weight: 2, arbitrary: fitting(schema) },
    { weight: 2, arbitrary: nearlyFitting(schema) },
  )
}

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.nat(200).map((at) => ({ kind: 'cut' as const, at })),
  fc.integer({ min: 2, max: 5000 }).map((levels) => ({ kind: 'deep' as const, levels })),
  fc.constant({ kind: 'twice' as const }),
)

function bodyOf({ requestBody }: Operation): fc.Arbitrary<Step['body']> {
  const contents = Object.entries(requestBody?.content ?? {})
  const types = fc.constantFrom(
    'text/plain',
    'application/octet-stream',
    'multipart/form-data',
    'a',
    '',
  )
  if (contents.length === 0) return fc.constant(undefined)
  return fc.constantFrom(...contents).chain(([type, { schema }]) =>
    fc
      .record(
        {
          type: fc.oneof({ weight: 20, arbitrary: fc.constant(type) }, types),
          value: bodyValue(schema),
          change: fc.option(change, { freq: 12, nil: undefined }),
        },
        { noNullPrototype: true },
      )
      .map(({ type: sent, value, change: changed }) => ({
        type: sent,
        value,
        ...(changed === undefined ? {} : { change: changed }),
      })),
  )
}

const header = fc.tuple(
  fc.constantFrom(
    'host',
    'origin',
    'cookie',
    'accept',
    'idempotency-key',
    'sec-fetch-dest',
    'sec-fetch-site',
    'if-match',
    'x-forwarded-for',
    'accept-language',
    'referer',
    'prefer',
  ),
  fc.oneof(
    text('localhost', 'http://localhost', '*', '=', ';', 'document', 'same-origin', 'null'),
    fc.constantFrom('{{cookie}}', 'evil.example'),
  ),
)

function stepOf(operation: Operation): fc.Arbitrary<Step> {
  const { name, parameters = [] } = operation
  const path = parameters.filter((parameter) => parameter.in === 'path')
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const pairs = query.map((parameter) =>
    fc.option(
      textOf(parameter.name, parameter.schema).map(
        (value) => [parameter.name, value] as [string, string],
      ),
      { freq: parameter.required === true ? 20 : 2, nil: undefined },
    ),
  )
  const other = fc.tuple(otherName, asText)
  return fc
    .record(
      {
        path: fc.record(
          Object.fromEntries(
            path.map((parameter) => [parameter.name, textOf(parameter.name, parameter.schema)]),
          ),
          { noNullPrototype: true },
        ),
        query: fc.tuple(...pairs),
        others: fc.oneof(
          { weight: 8, arbitrary: fc.constant<Step['headers']>([]) },
          fc.array(other, { maxLength: 2 }),
        ),
        headers: fc.oneof(
          { weight: 4, arbitrary: fc.constant<Step['headers']>([]) },
          fc.array(header, { maxLength: 2 }),
        ),
        as: fc.oneof(
          fc.constantFrom('', 'Bearer hf_sandbox_alice', 'session'),
          fc.constantFrom(
            'Bearer {{access_token}}',
            'Basic MjIyMjIyMjItMjIyMi00MjIyLTgyMjItMjIyMjIyMjIyMjIyOnNhbmRib3hfZmlyc3Rfc2VjcmV0',
          ),
          otherCredentials,
        ),
        body: bodyOf(operation),
      },
      { noNullPrototype: true },
    )
    .map(({ query: asked, others, body, ...step }) => ({
      operation: name,
      ...step,
      query: [...asked.filter((pair) => pair !== undefined), ...others],
      ...(body === undefined ? {} : { body }),
    }))
}

/** Sequences of requests. What makes those of an operation is made when the first comes: there are many. */
export function sequences(operations: readonly Operation[]): fc.Arbitrary<Step[]> {
  const made = new Map<Operation, fc.Arbitrary<Step>>()
  const step = fc.constantFrom(...operations).chain((operation) => {
    const arbitrary = made.get(operation) ?? stepOf(operation)
    made.set(operation, arbitrary)
    return arbitrary
  })
  return fc.array(step, { minLength: 1, maxLength: 25 })
}
