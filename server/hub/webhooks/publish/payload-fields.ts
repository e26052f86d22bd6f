import type { TSchema } from 'typebox'
import { suggestion } from '../../../contract/suggestion.ts'
import { parsePath } from '../../../core/payload-path.ts'

/** Parts of JSON Schema that the payload schemas use. */
interface PayloadSchema extends TSchema {
  properties?: Record<string, PayloadSchema>
  items?: PayloadSchema
}

/**
 * Checks that a path is a field of the payload.
 * @returns a sentence with the nearest field; `undefined` for a valid field, and for text that is not a path
 */
export function findFieldProblem(schema: PayloadSchema, text: string): string | undefined {
  const path = parsePath(text)
  if (path === undefined || hasField(schema, path)) return undefined
  return `${text} is not a field of the payload${suggestion(text, fieldsOf(schema, ''))}.`
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

/** Returns the paths of all fields; for a list, those of its first item. */
function fieldsOf({ properties = {}, items }: PayloadSchema, prefix: string): string[] {
  const ofItems = items === undefined ? [] : [`${prefix}[0]`, ...fieldsOf(items, `${prefix}[0]`)]
  const own = Object.entries(properties).flatMap(([name, property]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    return [path, ...fieldsOf(property, path)]
  })
  return [...own, ...ofItems]
}
