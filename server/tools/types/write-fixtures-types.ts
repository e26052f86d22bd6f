import type { JsonSchema } from '../../core/json-schema.ts'
import { own } from '../../core/own.ts'
import { renderMembers, sentenceOf, type TypeStyle } from './schema-types.ts'

const header = `// Written out from the fixtures schema when the package is built.
`

/** Titles of objects with different names before and after defaults are filled in. */
const rootNames = { FixturesFile: { input: 'FixturesFile', complete: 'Fixtures' } } as Record<
  string,
  { input: string; complete: string }
>

type Variant = 'input' | 'complete'

/**
 * Renders TypeScript interfaces of the fixtures file: as written (`…Input`), and with defaults filled in.
 * @returns source text, not formatted
 */
export function renderFixturesTypes(root: JsonSchema): string {
  const titled = new Map<string, JsonSchema>()
  collect(root, titled)
  const interfaces = [...titled.values()]
    .toReversed()
    .flatMap((schema) => [renderInterface(schema, 'input'), renderInterface(schema, 'complete')])
  return [header, ...interfaces].join('\n')
}

function collect(schema: JsonSchema, titled: Map<string, JsonSchema>): void {
  for (const part of children(schema)) collect(part, titled)
  if (schema.title === undefined) return
  titled.delete(schema.title)
  titled.set(schema.title, schema)
}

function children({ properties, patternProperties, items, anyOf }: JsonSchema): JsonSchema[] {
  return [
    ...Object.values(properties ?? {}).toReversed(),
    ...Object.values(patternProperties ?? {}),
    ...(items === undefined ? [] : [items]),
    ...(anyOf ?? []),
  ]
}

function interfaceName(title: string, variant: Variant): string {
  return own(rootNames, title)?.[variant] ?? (variant === 'input' ? `${title}Input` : title)
}

function renderInterface(schema: JsonSchema, variant: Variant): string {
  const explanation = variant === 'input' ? schema.description : `${schema.description}, complete`
  return [
    `/** ${explanation}. */`,
    `export interface ${interfaceName(schema.title ?? '', variant)} ${renderMembers(schema, styles[variant])}`,
    '',
  ].join('\n')
}

function nameOf({ title }: JsonSchema, variant: Variant): string | undefined {
  return title === undefined ? undefined : interfaceName(title, variant)
}

const styles: Record<Variant, TypeStyle> = {
  input: { nameOf: (schema) => nameOf(schema, 'input'), documentation, readonlyLists: true },
  complete: {
    nameOf: (schema) => nameOf(schema, 'complete'),
    isFilledIn: (member) => 'default' in member || 'x-derived' in member,
    documentation,
    readonlyMembers: true,
    readonlyLists: true,
  },
}

function documentation(schema: JsonSchema): string {
  const fallback = defaultOf(schema)
  return `${sentenceOf(schema)}${fallback === undefined ? '' : ` Default: ${fallback}.`}`
}

/** Describes the default of a field; `undefined` if it is obvious. */
export function defaultOf(schema: JsonSchema): string | undefined {
  if (schema['x-derived'] !== undefined) return `from ${schema['x-derived']}`
  const value = schema.default
  if (value === undefined || value === '') return undefined
  if (typeof value === 'object' && Object.keys(value ?? {}).length === 0) return undefined
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}
