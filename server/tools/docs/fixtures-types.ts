import type { JsonSchema } from '../../core/json-schema.ts'
import { own } from '../../core/own.ts'

const header = `// Generated from the fixtures schema by \`npm run docs\`. It exists because the package's public
// types must not need typebox.
`

/** Titles of objects that are called differently before and after defaults were filled in. */
const rootNames = { FixturesFile: { input: 'FixturesFile', complete: 'Fixtures' } } as Record<
  string,
  { input: string; complete: string }
>

type Variant = 'input' | 'complete'

/**
 * TypeScript interfaces of the fixtures file: as it is written (`…Input`), and with its defaults
 * filled in.
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
    `export interface ${interfaceName(schema.title ?? '', variant)} ${renderProperties(schema, variant)}`,
    '',
  ].join('\n')
}

function renderProperties(schema: JsonSchema, variant: Variant): string {
  const lines = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const present =
      schema.required?.includes(name) === true ||
      (variant === 'complete' && ('default' in property || 'x-derived' in property))
    return [
      `/** ${documentation(property)} */`,
      `${variant === 'complete' ? 'readonly ' : ''}${name}${present ? '' : '?'}: ${renderType(property, variant)}`,
    ].join('\n')
  })
  return `{\n${lines.join('\n')}\n}`
}

function documentation(schema: JsonSchema): string {
  const sentence = `${(schema.description ?? schema.title ?? '').replace(/\.$/, '')}.`
  const fallback = defaultOf(schema)
  return fallback === undefined ? sentence : `${sentence} Default: ${fallback}.`
}

/** What a field is when it is left out, in words; `undefined` when that goes without saying. */
export function defaultOf(schema: JsonSchema): string | undefined {
  if (schema['x-derived'] !== undefined) return `from ${schema['x-derived']}`
  const value = schema.default
  if (value === undefined || value === '') return undefined
  if (typeof value === 'object' && Object.keys(value ?? {}).length === 0) return undefined
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

function renderType(schema: JsonSchema, variant: Variant): string {
  if (schema.title !== undefined) return interfaceName(schema.title, variant)
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((part) => renderType(part, variant)).join(' | ')
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined)
    return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.items !== undefined) return `readonly (${renderType(schema.items, variant)})[]`
  if (schema.properties !== undefined) return renderProperties(schema, variant)
  if (schema.patternProperties !== undefined) {
    const [values] = Object.values(schema.patternProperties)
    const record = `Record<string, ${values === undefined ? 'unknown' : renderType(values, variant)}>`
    return variant === 'complete' ? `Readonly<${record}>` : record
  }
  return own(scalars, schema.type ?? '') ?? 'unknown'
}

const scalars: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
}
