import * as fc from 'fast-check'
import type { JsonSchema } from '../../server/core/json-schema.ts'

/** Values that fit a schema. */
export function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(fitting))
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'string':
      return fittingText(schema)
    case 'integer':
    case 'number': {
      const { minimum = -1000, exclusiveMinimum = minimum - 1, maximum = 1_000_000 } = schema
      const min = Math.max(Math.ceil(minimum), Math.floor(exclusiveMinimum) + 1)
      return fc.integer({ min, max: Math.floor(maximum) })
    }
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(fitting(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, (schema.minItems ?? 0) + 4),
      })
    case 'object':
      return fittingObject(schema)
    default:
      return fc.jsonValue({ maxDepth: 1 })
  }
}

function fittingText({ pattern, format, minLength = 0, maxLength = 20 }: JsonSchema) {
  if (format === 'uuid') return fc.uuid()
  if (format === 'date-time') return fc.constant('2026-01-31T12:00:00Z')
  const text = fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 20) })
  if (pattern === undefined) return text
  // fast-check makes nothing that looks ahead: such a text fits most of the time.
  const plain = pattern.replaceAll(/\(\?<?[!=](?:[^()]|\([^()]*\))*\)/g, '')
  const matching = fc.stringMatching(new RegExp(plain))
  return fc.oneof({ weight: 5, arbitrary: matching }, { weight: 1, arbitrary: text })
}

function fittingObject({ properties = {}, patternProperties = {}, required = [] }: JsonSchema) {
  const [entry] = Object.values(patternProperties)
  if (entry !== undefined)
    return fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fitting(entry), {
      noNullPrototype: true,
    })
  const members = Object.entries(properties).map(([name, member]) => [name, fitting(member)])
  return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: [...required],
    noNullPrototype: true,
  })
}

/** Values that hardly any schema expects. */
export const strange = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 2 ** 53, '', ' ', 'x', '5', 'true', 'a/b'),
  fc.constantFrom<unknown>([], ['x'], [1], {}, { x: 1 }, 'x'.repeat(3000), 'Infinity', '1e3'),
  fc.jsonValue({ maxDepth: 1 }),
)

/** Values that fit but for one place: something else stands there, nothing, or something is added. */
export function nearlyFitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  const act = fc.constantFrom('replace' as const, 'remove' as const, 'add' as const)
  return fc.tuple(fitting(schema), fc.nat(), strange, act).map(([value, place, other, how]) => {
    const copy = structuredClone(value)
    const places = placesOf(copy)
    const [holder, key] = places[place % places.length] ?? []
    if (holder === undefined || key === undefined) return other
    if (how === 'add') holder[`${key}x`] = other
    else if (how === 'replace' || Array.isArray(holder)) holder[key] = other
    else delete holder[key]
    return copy
  })
}

type Holder = Record<string, unknown>

function placesOf(value: unknown): (readonly [holder: Holder, key: string])[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Holder
  return Object.keys(holder).flatMap((key) => [[holder, key] as const, ...placesOf(holder[key])])
}
