import type { JsonSchema } from '../../core/json-schema.ts'
import { defaultOf } from '../types/write-fixtures-types.ts'
import { markdownTable } from './tables.ts'

/** Renders all keys of the fixtures file: a table of its sections and a table for each of them. */
export function renderFixturesKeys(root: JsonSchema): string {
  const parts = keysOf(root, '')
  const sections = parts.flatMap((part) => {
    const below = keysBelow(part.schema, part.path)
    if (below.length === 0) return []
    const path = part.schema.items === undefined ? part.path : `${part.path}[]`
    return [
      `<details>
<summary>Every key of <code>${path}</code></summary>

${renderKeys(below)}

</details>`,
    ]
  })
  return [renderKeys(parts), ...sections].join('\n\n')
}

interface Key {
  /** Path such as `users[].tokens[].name`; `*` matches any name. */
  path: string
  schema: JsonSchema
  isNeeded: boolean
}

function keysOf({ properties = {}, required = [] }: JsonSchema, path: string): Key[] {
  return Object.entries(properties).map(([name, schema]) => ({
    path: path === '' ? name : `${path}.${name}`,
    schema,
    isNeeded: required.includes(name),
  }))
}

/** Returns all keys below a key, parents first. */
function keysBelow(schema: JsonSchema, path: string): Key[] {
  return [
    ...keysOf(schema, path).flatMap((key) => [key, ...keysBelow(key.schema, key.path)]),
    ...(schema.items === undefined ? [] : keysBelow(schema.items, `${path}[]`)),
    ...(schema.anyOf ?? []).flatMap((part) => keysBelow(part, path)),
    ...Object.values(schema.patternProperties ?? {}).flatMap((part) =>
      keysBelow(part, `${path}.*`),
    ),
  ]
}

function renderKeys(keys: readonly Key[]): string {
  const rows = keys.map(({ path, schema, isNeeded }) => [
    `\`${path}\``,
    typeOf(schema),
    schema.description ?? '',
    defaultOf(schema) ?? (isNeeded ? 'required' : ''),
  ])
  return markdownTable(['Key', 'Type', 'Description', 'Default'], rows)
}

/**
 * Describes the type of a value; for a choice, its options.
 * @param plural suffix of the plural
 */
function typeOf(schema: JsonSchema, plural = ''): string {
  const { anyOf, const: only, enum: choices, items, patternProperties = {}, type = '' } = schema
  if (anyOf !== undefined) return anyOf.map((part) => typeOf(part, plural)).join(' or ')
  if (only !== undefined) return codeOf(only)
  if (choices !== undefined) return choices.map(codeOf).join(', ')
  if (items !== undefined) return `list${plural} of ${typeOf(items, 's')}`
  const values = Object.values(patternProperties).map((part) => typeOf(part, 's'))
  return [type + plural + limitsOf(schema), ...values.filter((words) => words !== 's')].join(' of ')
}

function codeOf(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

function limitsOf({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined) return ''
  return ` from ${minimum}${maximum === undefined ? '' : ` to ${maximum}`}`
}
