import type { TSchema } from 'typebox'
import { suggestion } from '../../core/suggestion.ts'
import { parsePath } from '../../core/payload-path.ts'

/** The parts of JSON Schema that the payloads are written with. */
interface PayloadSchema extends TSchema {
  properties?: Record<string, PayloadSchema>
  items?: PayloadSchema
}

/**
 * Why a path is no field of payloads of this shape, with the nearest that is one, as a sentence.
 * @returns `undefined` for a field that such payloads can have, and for what is no path at all
 */
export function findFieldProblem(schema: PayloadSchema, text: string): string | undefined {
  const path = parsePath(text)
  if (path === undefined || hasField(schema, path)) return undefined
  return `${text} is no field of the payload${suggestion(text, fieldsOf(schema, ''))}.`
}

function hasField(schema: PayloadSchema, path: readonly (string | number)[]): boolean {
  let current: PayloadSchema | undefined = schema
  for (const key of path) {
    if (typeof key === 'number') current = current?.items
    else {
      const { properties = {} }: PayloadSchema = current ?? {}
      current = Object.hasOwn(properties, key) ? properties[key] : undefined
    }
  }
  return current !== undefined
}

/** Every path there is; the items of a list are told of its first. */
function fieldsOf({ properties = {}, items }: PayloadSchema, prefix: string): string[] {
  const ofItems = items === undefined ? [] : [`${prefix}[0]`, ...fieldsOf(items, `${prefix}[0]`)]
  const own = Object.entries(properties).flatMap(([name, property]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    return [path, ...fieldsOf(property, path)]
  })
  return [...own, ...ofItems]
}
