import type { JsonSchema } from '../../core/json-schema.ts'
import { own } from '../../core/own.ts'

/** Options for rendering a schema as TypeScript. */
export interface TypeStyle {
  /** Returns the name of a type that is written elsewhere. */
  nameOf(schema: JsonSchema): string | undefined
  /** Whether an optional member is always present. */
  isFilledIn?(member: JsonSchema): boolean
  /** Returns the documentation of a member. */
  documentation(member: JsonSchema): string
  readonlyMembers?: boolean
  readonlyLists?: boolean
}

/** @returns source text of the type, not formatted */
export function renderType(schema: JsonSchema, style: TypeStyle): string {
  const name = style.nameOf(schema)
  if (name !== undefined) return name
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((part) => renderType(part, style)).join(' | ')
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) {
    return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  }
  if (schema.items !== undefined) return renderList(schema, schema.items, style)
  if (schema.properties !== undefined) return renderMembers(schema, style)
  if (schema.patternProperties !== undefined) {
    const [values] = Object.values(schema.patternProperties)
    const record = `Record<string, ${values === undefined ? 'unknown' : renderType(values, style)}>`
    return style.readonlyMembers === true ? `Readonly<${record}>` : record
  }
  return own(scalars, schema.type ?? '') ?? 'unknown'
}

/** A list of a fixed length is a tuple. */
function renderList(
  { minItems, maxItems }: JsonSchema,
  items: JsonSchema,
  style: TypeStyle,
): string {
  const item = renderType(items, style)
  const isTuple = minItems !== undefined && minItems === maxItems
  const list = isTuple
    ? `[${Array.from({ length: minItems }, () => item).join(', ')}]`
    : `(${item})[]`
  return style.readonlyLists === true ? `readonly ${list}` : list
}

/** Renders the members of an object, in braces. */
export function renderMembers(schema: JsonSchema, style: TypeStyle): string {
  const lines = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const isThere = schema.required?.includes(name) === true || style.isFilledIn?.(member) === true
    const said = style.documentation(member)
    return [
      ...(said === '' ? [] : [`/** ${said} */`]),
      `${style.readonlyMembers === true ? 'readonly ' : ''}${keyOf(name)}${isThere ? '' : '?'}: ${renderType(member, style)}`,
    ].join('\n')
  })
  return `{\n${[...lines, ...renderFurther(schema, style)].join('\n')}\n}`
}

/** Renders the index signature, which must include the types of the named members. */
function renderFurther(schema: JsonSchema, style: TypeStyle): string[] {
  const { additionalProperties: further, properties = {} } = schema
  if (typeof further !== 'object') return []
  const parts = [further, ...Object.values(properties)].flatMap((part) =>
    renderType(part, style).split(' | '),
  )
  const types = new Set(parts)
  const wide = [...types].filter((type) => !(types.has('string') && type.startsWith('"')))
  return [`[name: string]: ${[...wide, 'undefined'].join(' | ')}`]
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

/** Formats a description as a sentence; empty if there is none. */
export function sentenceOf({ description, title }: JsonSchema): string {
  const text = description ?? title ?? ''
  return text === '' ? '' : `${text.replace(/\.$/, '')}.`
}

const scalars: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}
