import { describe, expect, test } from 'vitest'
import type { Difference } from '../../../../server/lab/drift/difference.ts'
import { judge } from '../../../../server/lab/drift/known-differences.ts'
import {
  counterpartOf,
  operationsAt,
  readOpenApi,
} from '../../../../server/lab/drift/openapi-document.ts'
import { openApiDrift } from '../../../../server/lab/drift/openapi-drift.ts'
import type { Visit } from '../../../../server/lab/drift/tour.ts'

type Json = Record<string, unknown>

const text = { type: 'string' }
const query = (name: string, schema: Json, more: Json = {}) => ({
  name,
  in: 'query',
  schema,
  ...more,
})
const json = (schema: Json) => ({ content: { 'application/json': { schema } } })
const object = (properties: Json, more: Json = {}) => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
})

/** A document of one operation. */
const documentOf = (operation: Json, { path = '/api/things', method = 'get', more = {} } = {}) =>
  readOpenApi(
    JSON.stringify({ openapi: '3.1.0', paths: { [path]: { [method]: operation } }, ...more }),
  )

const responding = (body: unknown, status = 200, type = 'application/json'): Visit => ({
  step: { call: 'GET /api/things' },
  sent: { method: 'GET', path: '/api/things?limit=1', headers: {}, as: 'owner' },
  status,
  headers: new Headers({ 'content-type': type }),
  body,
  text: JSON.stringify(body),
})

/** Differences of the inputs, one a line: kind, place, what the Hub and the sandbox do. */
function inputs(hub: Json, here: Json): readonly string[] {
  const described = { responses: { 200: {} } }
  const documents = {
    hub: documentOf({ ...described, ...hub }),
    here: documentOf({ ...described, ...here }),
  }
  return lines(openApiDrift(documents, [responding({})]).differences)
}

/** Differences of a response. */
function responses(schema: Json, ...visits: Visit[]): readonly string[] {
  const hub = documentOf({ responses: { 200: json(schema) } })
  return lines(openApiDrift({ hub, here: hub }, visits).differences)
}

const lines = (differences: readonly Difference[]) =>
  differences.map(({ kind, member, hub, here }) => `${kind} ${member}: ${hub} / ${here}`)

describe('what an operation takes', () => {
  const cases: readonly [title: string, hub: Json, here: Json, found: readonly string[]][] = [
    ['the same', { minimum: 1, maximum: 5 }, { minimum: 1, maximum: 5 }, []],
    [
      'a lower bound',
      { type: 'integer', maximum: 5000 },
      { type: 'integer', maximum: 1000 },
      ['narrower ?it: at most 5000 / at most 1000'],
    ],
    [
      'no bound',
      { type: 'integer', minimum: 10 },
      { type: 'integer' },
      ['wider ?it: at least 10 / no bound'],
    ],
    [
      'a bound of all numbers of a language',
      { type: 'integer', maximum: Number.MAX_SAFE_INTEGER },
      { type: 'integer' },
      [],
    ],
    [
      'an exclusive bound that means the same',
      { type: 'integer', exclusiveMinimum: 0 },
      { type: 'integer', minimum: 1 },
      [],
    ],
    [
      'fewer and further values',
      { enum: ['a', 'b'] },
      { enum: ['b', 'c'] },
      ['narrower ?it: takes "a" / refuses it', 'wider ?it: refuses it / takes "c"'],
    ],
    [
      'values in alternatives',
      { anyOf: [{ const: false }, { enum: ['auto'] }] },
      { enum: [false, 'auto'] },
      [],
    ],
    ['any value', { enum: ['a'] }, text, ['wider ?it: only "a" / any value']],
    [
      'another default',
      { type: 'integer', default: 10 },
      { type: 'integer', default: 100 },
      ['default ?it: 10 / 100'],
    ],
    [
      'a length that the pattern has',
      { type: 'string', minLength: 3, maxLength: 3, pattern: '^[a-z]{3}$' },
      { type: 'string', pattern: '^[a-z]{3}$' },
      [],
    ],
    ['another pattern', { type: 'string', pattern: '^a' }, text, ['wider ?it: /^a/ / any text']],
    ['another type', { type: 'number' }, text, ['narrower ?it: number / string']],
    [
      'one of two types',
      { anyOf: [text, { type: 'array', items: text }] },
      text,
      ['narrower ?it: string, array / string', 'missing input ?it[]: string / not read'],
    ],
  ]
  test.each(cases)('%s', (_, hub, here, found) => {
    const parameters = (schema: Json) => ({ parameters: [query('it', schema)] })
    expect(inputs(parameters(hub), parameters(here))).toEqual(found)
  })

  test('a parameter that one of them lacks, and one that one of them requires', () => {
    const hub = { parameters: [query('a', text), query('both', text, { required: true })] }
    const here = { parameters: [query('b', text), query('both', text)] }
    expect(inputs(hub, here)).toEqual([
      'missing input ?a: string / not read',
      'extra input ?b: not in the document / string',
      'wider ?both: required / optional',
    ])
  })

  test('members of a body, at any depth, and nothing below one that is missing', () => {
    const body = (schema: Json) => ({ requestBody: json(schema) })
    const hub = body(
      object(
        {
          users: { type: 'array', items: object({ role: { enum: ['read', 'write'] } }) },
          spec: object({ a: text }),
        },
        { required: ['users'] },
      ),
    )
    const here = body(
      object({ users: { type: 'array', items: object({ role: { enum: ['read'] } }) } }),
    )
    expect(inputs(hub, here)).toEqual([
      'wider body: required / optional',
      'missing input body.spec: object / not read',
      'wider body.users: required / optional',
      'narrower body.users[].role: takes "write" / refuses it',
    ])
  })

  test('a body that refers to itself ends', () => {
    const more = {
      components: {
        schemas: {
          Tree: object({
            children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
          }),
        },
      },
    }
    const tree = {
      requestBody: json({ $ref: '#/components/schemas/Tree' }),
      responses: { 200: {} },
    }
    const documents = { hub: documentOf(tree, { more }), here: documentOf(tree, { more }) }
    expect(openApiDrift(documents, [responding({})]).differences).toEqual([])
  })
})

describe('what an operation responds', () => {
  const thing = object(
    {
      id: { type: 'string', pattern: '^[0-9a-f]{4}$' },
      kind: { enum: ['a', 'b'] },
      note: { anyOf: [text, { type: 'null' }] },
    },
    { required: ['id', 'kind'] },
  )
  const cases: readonly [title: string, body: unknown, found: readonly string[]][] = [
    ['as described', { id: '00ff', kind: 'a', note: null }, []],
    ['a missing member', { id: '00ff' }, ['missing member kind: always sent / not sent']],
    [
      'a further member',
      { id: '00ff', kind: 'a', size: 1 },
      ['extra member size: not in the document / number'],
    ],
    ['another type', { id: '00ff', kind: 'a', note: 1 }, ['type note: string / number']],
    ['another value', { id: '00ff', kind: 'c' }, ['type kind: "a", "b" / "c"']],
    ['another form', { id: 'acme/x', kind: 'a' }, ['type id: /^[0-9a-f]{4}$/ / "acme/x"']],
    ['another type as a whole', [], ['type : object / array']],
  ]
  test.each(cases)('%s', (_, body, found) => {
    expect(responses(thing, responding(body))).toEqual(found)
  })

  test('a member that is required and has no shape', () => {
    const bare = object({}, { required: ['bare'] })
    expect(responses(bare, responding({ bare: 1 }))).toEqual([])
    expect(responses(bare, responding({}))).toEqual(['missing member bare: always sent / not sent'])
  })

  test('a place once, whatever the number of its items', () => {
    const list = { type: 'array', items: thing }
    const bodies = [[{ id: '00ff' }, { id: '00fe' }], [{ id: '00ff', kind: 'a' }]]
    expect(responses(list, ...bodies.map((body) => responding(body)))).toEqual([
      'missing member [].kind: always sent / not sent',
    ])
  })

  test('the alternative of the same kind, even where another one lacks less', () => {
    const user = object(
      { type: { const: 'user' }, isPro: text, plan: text, age: text },
      { required: ['type', 'isPro', 'plan', 'age'] },
    )
    const organization = object({ type: { const: 'org' } }, { required: ['type'] })
    expect(
      responses({ anyOf: [organization, user] }, responding({ type: 'user', isPro: 'x' })),
    ).toEqual([
      'missing member plan: always sent / not sent',
      'missing member age: always sent / not sent',
    ])
  })

  test('parts of a whole, tables, and objects that may have any member', () => {
    const whole = { allOf: [object({ a: text }, { required: ['a'] }), object({ b: text })] }
    expect(responses(whole, responding({ a: 'x', b: 'y' }))).toEqual([])
    const table = { type: 'object', additionalProperties: { type: 'number' } }
    expect(responses(table, responding({ x: 1, y: 'two' }))).toEqual(['type *: number / string'])
    expect(responses({ type: 'object' }, responding({ any: 1 }))).toEqual([])
  })

  test('another status; but no refusals, and no text', () => {
    expect(responses(thing, responding({}, 201))).toEqual(['status : 200 / 201'])
    expect(responses(thing, responding({}, 404))).toEqual(['not called : has it / status 404'])
    expect(responses(thing)).toEqual(['not called : has it / no call of the tour'])
    expect(responses(thing, responding('a file', 200, 'text/plain'))).toEqual([])
  })
})

describe('operations', () => {
  const ofPaths = (...paths: string[]) =>
    readOpenApi(
      JSON.stringify({
        openapi: '3.0.3',
        paths: Object.fromEntries(
          paths.map((path) => [
            path,
            {
              get: {
                parameters: path.includes('{types}')
                  ? [{ name: 'types', in: 'path', schema: { enum: ['models', 'spaces'] } }]
                  : [],
                responses: {},
              },
            },
          ]),
        ),
      }),
    ).operations

  test.each([
    [
      '/api/models/{namespace}/{repo}/tree/{rev}/{path}',
      '/api/{types}/{namespace}/{name}/tree/{path}',
    ],
    ['/api/collections/{namespace}/{slug}-{id}', '/api/collections/{namespace}/{slug}'],
    ['/api/kernels/{namespace}/{repo}', undefined],
    ['/api/notifications', undefined],
  ])('%s is %s here', (path, expected) => {
    const [operation] = ofPaths(path)
    const here = ofPaths(
      '/{namespace}/{name}',
      '/api/{types}/{namespace}/{name}',
      '/api/{types}/{namespace}/{name}/tree/{path}',
      '/api/collections/{namespace}/{slug}',
    )
    expect(operation && counterpartOf(operation, here)?.path).toBe(expected)
  })

  test('are counted, and told where one side lacks them', () => {
    const documents = {
      hub: { title: '', operations: ofPaths('/api/a', '/api/b'), resolve: () => ({}) },
      here: {
        title: '',
        operations: ofPaths('/api/a', '/api/c', '/_sandbox/api/clock'),
        resolve: () => ({}),
      },
    }
    const { operations, emulated, differences } = openApiDrift(documents, [])
    expect({ operations, emulated }).toEqual({ operations: 2, emulated: 1 })
    expect(differences.map(({ operation, kind }) => `${operation} ${kind}`)).toEqual([
      'GET /api/b missing operation',
      'GET /api/c extra operation',
      'GET /api/a not called',
    ])
  })

  test('a request belongs to each path that describes it as exactly as the others', () => {
    const operations = ofPaths(
      '/api/collections/{namespace}/{slug}-{id}',
      '/api/collections/{namespace}/{slug}',
      '/api/collections/{any}/one',
      '/api/things/{path}',
    )
    const at = (path: string) => operationsAt(operations, 'GET', path).map((one) => one.path)
    expect(at('/api/collections/alice/tour-1')).toEqual([
      '/api/collections/{namespace}/{slug}-{id}',
      '/api/collections/{namespace}/{slug}',
    ])
    expect(at('/api/collections/alice/one')).toEqual(['/api/collections/{any}/one'])
    expect(at('/api/things')).toEqual(['/api/things/{path}'])
    expect(at('/api/things/a/b')).toEqual(['/api/things/{path}'])
  })
})

describe('a document that cannot be read', () => {
  test.each([
    ['<!doctype html>', 'it is a page in HTML; an OpenAPI document in JSON is needed'],
    ['openapi: 3.1.0', 'it is not JSON; an OpenAPI document in JSON is needed'],
    ['[]', 'it is JSON, but no object'],
    ['{"swagger":"2.0","paths":{}}', 'it is no OpenAPI document of version 3'],
    ['{"openapi":"3.1.0","paths":{}}', 'it has no operations'],
    ['{"openapi":"3.1.0","paths":{"/a":null}}', 'it has no operations'],
  ])('%s', (content, message) => {
    expect(() => readOpenApi(content)).toThrow(message)
  })

  test('a reference that leads nowhere, or in a circle, allows anything', () => {
    for (const $ref of [
      '#/components/schemas/Gone',
      '#/components/schemas/Circle',
      '#/__proto__',
    ]) {
      const more = { components: { schemas: { Circle: { $ref: '#/components/schemas/Circle' } } } }
      const hub = documentOf({ responses: { 200: json({ $ref }) } }, { more })
      expect(openApiDrift({ hub, here: hub }, [responding({ any: 1 })]).differences).toEqual([])
    }
  })
})

describe('the list of known differences', () => {
  const difference: Difference = {
    operation: 'GET /api/papers',
    kind: 'missing operation',
    member: '',
    hub: 'has it',
    here: 'refuses it',
  }

  test('gives the reason of the first entry that fits', () => {
    const known = [
      { operations: ['GET /api/papers'], kinds: ['wider' as const], reason: 'another kind' },
      { operations: ['GET /api/papers'], members: ['?limit'], reason: 'another place' },
      { operations: ['* /api/papers*'], reason: 'no papers' },
      { operations: ['*'], reason: 'too late' },
    ]
    const { differences, unused } = judge([difference], known)
    expect(differences).toEqual([{ ...difference, reason: 'no papers' }])
    expect(unused.map(({ reason }) => reason)).toEqual([
      'another kind',
      'another place',
      'too late',
    ])
  })

  test('takes dots and brackets as they stand', () => {
    const fits = (members: string[], member: string) =>
      judge([{ ...difference, member }], [{ operations: ['*'], members, reason: 'x' }]).unused
        .length === 0
    expect(fits(['[].name'], '[].name')).toBe(true)
    expect(fits(['[].name'], '[]xname')).toBe(false)
    expect(fits(['*.name'], 'items[].name')).toBe(true)
  })
})
