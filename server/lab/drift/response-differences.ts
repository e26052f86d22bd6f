import { isObject } from '../../core/is-object.ts'
import { own } from '../../core/own.ts'
import type { Difference } from './difference.ts'
import { formsOf, typeOf, typesOf, valuesOf } from './input-shape.ts'
import { listOf, type OpenApiDocument, type Schema } from './openapi-document.ts'

type Found = Pick<Difference, 'kind' | 'member' | 'hub' | 'here'>

/** Shapes may refer to themselves, and bodies may be deep. */
const deepest = 24

/**
 * Compares the body of a response with its shape in the document: missing, further and differently typed members.
 * If the document allows several shapes for a value, the one with the fewest differences is used. All items of a list are one
 * place: `[].name`.
 */
export function responseDifferences(
  body: unknown,
  schema: Schema,
  resolve: OpenApiDocument['resolve'],
): readonly Found[] {
  const found = new Map<string, Found>()
  for (const one of compare(body, schema, { resolve, place: '', depth: 0 })) {
    found.set(`${one.kind} ${one.member}`, one)
  }
  return [...found.values()]
}

interface At {
  resolve: OpenApiDocument['resolve']
  place: string
  depth: number
}

function compare(value: unknown, schema: unknown, at: At): readonly Found[] {
  if (at.depth > deepest) return []
  let best: { found: readonly Found[]; weight: number } | undefined
  for (const form of formsOf(schema, at.resolve)) {
    const found = compareForm(value, form, at)
    const weight = weightOf(found, at.place)
    if (best === undefined || weight < best.weight) best = { found, weight }
    if (weight === 0) break
  }
  return best?.found ?? []
}

/** A form of another type, or of another constant such as `"type": "org"`, is farther away than one that lacks members. */
function weightOf(found: readonly Found[], place: string): number {
  return found.reduce((sum, { kind, member }) => {
    const isNear = member.replace(place, '').split('.').length <= 2
    return sum + (kind === 'type' && isNear ? 1000 : 1)
  }, 0)
}

function compareForm(value: unknown, form: Schema, at: At): readonly Found[] {
  const types = typesOf(form)
  const type = typeOf(value)
  if (
    types.length > 0 &&
    !types.some((one) => one === type || (one === 'integer' && type === 'number'))
  ) {
    return [{ kind: 'type', member: at.place, hub: types.join(' or '), here: type }]
  }
  const values = valuesOf(form)
  const written = JSON.stringify(value)
  if (values !== undefined && !values.has(written)) {
    return [{ kind: 'type', member: at.place, hub: [...values].join(', '), here: written }]
  }
  if (Array.isArray(value)) return compareItems(value, form, at)
  if (isObject(value)) return compareMembers(value, form, at)
  const { pattern } = form
  if (typeof pattern !== 'string' || typeof value !== 'string' || fits(pattern, value)) return []
  return [{ kind: 'type', member: at.place, hub: `/${pattern}/`, here: written }]
}

/** A pattern of another dialect says nothing. */
function fits(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  }
}

function compareItems(value: readonly unknown[], form: Schema, at: At): readonly Found[] {
  const { items, prefixItems } = form
  const places = listOf(prefixItems)
  return value.flatMap((item, index) => {
    const schema = places[index] ?? items
    return isObject(schema)
      ? compare(item, schema, { ...at, place: `${at.place}[]`, depth: at.depth + 1 })
      : []
  })
}

function compareMembers(
  value: Readonly<Record<string, unknown>>,
  form: Schema,
  at: At,
): readonly Found[] {
  const properties = isObject(form['properties']) ? form['properties'] : {}
  const { additionalProperties: others } = form
  // An object without any named member may have every member.
  const isOpen = Object.keys(properties).length === 0 && others !== false
  const placeOf = (name: string) => (at.place === '' ? name : `${at.place}.${name}`)
  const required = listOf(form['required'])
  const missing = required.flatMap((name): Found[] =>
    Object.hasOwn(value, String(name))
      ? []
      : [
          {
            kind: 'missing member',
            member: placeOf(String(name)),
            hub: 'always sent',
            here: 'not sent',
          },
        ],
  )
  const members = Object.entries(value).flatMap(([name, member]): readonly Found[] => {
    const schema = own(properties, name) ?? (isObject(others) ? others : undefined)
    if (schema !== undefined) {
      // Members of a table are one place.
      const place = Object.hasOwn(properties, name) ? placeOf(name) : placeOf('*')
      return compare(member, schema, { ...at, place, depth: at.depth + 1 })
    }
    // A member can be required, and have no shape.
    if (isOpen || others === true || required.includes(name)) return []
    return [
      {
        kind: 'extra member',
        member: placeOf(name),
        hub: 'not in the document',
        here: typeOf(member),
      },
    ]
  })
  return [...missing, ...members]
}
