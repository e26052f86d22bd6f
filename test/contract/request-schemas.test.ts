import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { resolveOptions } from '../../server/app/config/resolve.ts'
import type { JsonSchema } from '../../server/core/json-schema.ts'
import { schemaController } from '../../server/web/plugins/schemas.ts'
import { type RunningSandbox, runSandbox } from '../../server/app/run-sandbox.ts'
import { controlFixtures } from '../helpers/control.ts'
import { fitting, nearlyFitting } from '../helpers/schema-values.ts'

// Requests are checked by a reader of schemas of the sandbox's own, which starts faster than any compiler of them. Here
// ajv judges the same values by the same schemas, for every route there is.

interface RequestPart {
  name: string
  schema: JsonSchema
  isText: boolean
  accepts: (value: unknown) => boolean
}

type Validator = (value: unknown) => { error?: Error }
interface RouteSchema {
  schema: JsonSchema
  method: string
  url: string
  httpPart?: string
}
const factory = schemaController.compilersFactory as unknown as {
  buildValidator(): (route: RouteSchema) => Validator
}

const parts: RequestPart[] = []
let sandbox: RunningSandbox

beforeAll(async () => {
  const compile = factory.buildValidator()
  vi.spyOn(factory, 'buildValidator').mockReturnValue((route) => {
    const { schema, method, url, httpPart = 'body' } = route
    const validate = compile(route)
    parts.push({
      name: `${method} ${url} ${httpPart}`,
      schema: JSON.parse(JSON.stringify(schema)) as JsonSchema,
      isText: httpPart !== 'body',
      accepts: (value) => validate(value).error === undefined,
    })
    return validate
  })
  sandbox = await runSandbox(await resolveOptions({ fixtures: controlFixtures, port: 0 }))
  // The control app is built when it is first asked for something.
  await sandbox.app.inject('/_sandbox/health')
})
afterAll(async () => {
  vi.restoreAllMocks()
  await sandbox.close()
})

const ajv = addFormats.default(new Ajv2020({ strict: false }))
// Of a query, path or header everything is text.
const ajvOfTexts = addFormats.default(new Ajv2020({ strict: false, coerceTypes: true }))

/** Intended differences: values for which `accepts` is true are not compared. */
const wanted: readonly { why: string; holds: (schema: JsonSchema, value: unknown) => boolean }[] = [
  {
    why: 'x-longest-ms is a word of the sandbox alone: a duration that is too long for a timer or a date',
    holds: (schema) => schema['x-longest-ms'] !== undefined,
  },
  {
    why: 'there are numbers that JavaScript does not keep exactly, or at all: they would be stored as others',
    holds: (_schema, value) =>
      (typeof value === 'number' || typeof value === 'string') &&
      Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER,
  },
  {
    why: 'a time may leave out the seconds and the zone, as people write them',
    holds: ({ format }) => format === 'date-time',
  },
  {
    why: 'a truth value may stand in a query as Python writes it, or as 1 and 0',
    holds: ({ type }, value) =>
      type === 'boolean' && typeof value === 'string' && /^(?:true|false|[01])$/i.test(value),
  },
  {
    why: 'ajv reads blanks as the number 0',
    holds: (_schema, value) => typeof value === 'string' && value.trim() === '' && value !== '',
  },
]

/**
 * A schema of what may be added stands for true: it is checked where it is used, since the refusal is told in words of
 * the protocol.
 */
function hasUncheckedAddition(
  { properties = {}, additionalProperties }: JsonSchema,
  value: object,
) {
  if (typeof additionalProperties !== 'object') return false
  return Object.keys(value).some((key) => !Object.hasOwn(properties, key))
}

/** Whether some place of a value is judged differently on purpose. */
function differsOnPurpose(schema: JsonSchema, value: unknown): boolean {
  if (wanted.some(({ holds }) => holds(schema, value))) return true
  const { anyOf = [], items, properties = {}, patternProperties = {} } = schema
  if (anyOf.some((alternative) => differsOnPurpose(alternative, value))) return true
  if (Array.isArray(value)) return value.some((item) => differsOnPurpose(items ?? {}, item))
  if (typeof value !== 'object' || value === null) return false
  if (hasUncheckedAddition(schema, value)) return true
  const [entry = {}] = Object.values(patternProperties)
  return Object.entries(value).some(([key, member]) =>
    differsOnPurpose(Object.hasOwn(properties, key) ? (properties[key] ?? {}) : entry, member),
  )
}

/** Value of a query: a string, or several for a repeated name. */
function asTexts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  const text = (member: unknown) => (typeof member === 'string' ? member : JSON.stringify(member))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      Array.isArray(member) ? member.map(text) : text(member),
    ]),
  )
}

const wordsRead = new Set(
  `type const enum anyOf items properties patternProperties required additionalProperties minProperties maxProperties
  minItems maxItems minLength maxLength pattern format minimum exclusiveMinimum maximum title description default
  x-derived x-longest-ms writeOnly`.split(/\s+/),
)

function wordsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties, patternProperties, items, anyOf, ...others } = schema as JsonSchema
  const inner = [
    ...Object.values(properties ?? {}),
    ...Object.values(patternProperties ?? {}),
    ...(anyOf ?? []),
    ...(items === undefined ? [] : [items]),
    others.additionalProperties,
  ]
  return [...Object.keys(others), ...inner.flatMap(wordsOf)]
}

describe('schemas of requests', () => {
  test('use keywords that the compiled check knows', () => {
    expect(parts.length).toBeGreaterThan(60)
    const unread = parts.flatMap(({ name, schema }) =>
      wordsOf(schema)
        .filter((word) => !wordsRead.has(word))
        .map((word) => `${name}: ${word}`),
    )
    expect(unread).toEqual([])
  })

  test('agree with ajv on valid and nearly valid input', () => {
    let [accepted, refused] = [0, 0]
    for (const { name, schema, isText, accepts } of parts) {
      const judge = (isText ? ajvOfTexts : ajv).compile(schema)
      const compare = (generated: unknown) => {
        const value = isText ? asTexts(generated) : generated
        // Fastify has null where there is no body, and some routes do without.
        if (value === null || differsOnPurpose(schema, value)) return
        const ours = accepts(structuredClone(value))
        const isFitting = judge(structuredClone(value))
        expect({ name, value, accepted: ours }).toEqual({ name, value, accepted: isFitting })
        if (ours) accepted++
        else refused++
      }
      fc.assert(fc.property(fitting(schema), compare), { numRuns: 15 })
      fc.assert(fc.property(nearlyFitting(schema), compare), { numRuns: 30 })
    }
    // Neither would say anything if the values were all of one kind.
    expect(Math.min(accepted, refused)).toBeGreaterThan(parts.length * 5)
  })
})
