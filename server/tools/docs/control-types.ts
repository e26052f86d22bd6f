import type { JsonSchema } from '../../core/json-schema.ts'
import { renderMembers, renderType, sentenceOf, type TypeStyle } from './schema-types.ts'

const header = `// Generated from the schemas of the control API by \`npm run docs\`. It exists because the package's
// public types must not need typebox.
`

/** What stands for schemas that only name another document: its types are generated from that. */
const elsewhere: Readonly<Record<string, string>> = {
  LoadedFixtures: 'Fixtures',
  ExportedFixtures: 'FixturesFile',
}

/**
 * TypeScript of the bodies and queries of the control API, by their names in the contract. Whoever makes a request may
 * give lists that cannot be changed.
 * @param schemas by name; what is of the same form as an earlier one is written as that one's name
 * @returns source text, not formatted
 */
export function renderControlTypes(schemas: ReadonlyMap<string, JsonSchema>): string {
  const names = new Map<string, string>()
  for (const [name, schema] of schemas) {
    const key = identityOf(schema)
    if (!names.has(key)) names.set(key, elsewhere[name] ?? name)
  }
  const types = [...schemas]
    .filter(([name]) => elsewhere[name] === undefined)
    .map(([name, schema]) => renderNamed(name, schema, names))
  return [header, ...types].join('\n')
}

function renderNamed(name: string, schema: JsonSchema, names: ReadonlyMap<string, string>): string {
  const style: TypeStyle = {
    // Not itself: its members are written here.
    nameOf: (part) => (part === schema ? undefined : names.get(identityOf(part))),
    documentation,
    readonlyLists: /(Request|Query)$/.test(name),
  }
  const said = documentation(schema)
  const body =
    schema.properties === undefined
      ? `export type ${name} = ${renderType(schema, style)}`
      : `export interface ${name} ${renderMembers(schema, style)}`
  return [...(said === '' ? [] : [`/** ${said} */`]), body, ''].join('\n')
}

/** What a schema is, whatever it was called where it is used. */
function identityOf(schema: JsonSchema): string {
  return JSON.stringify(schema)
}

function documentation(schema: JsonSchema): string {
  const said = sentenceOf(schema)
  if (schema.format === 'date-time') return said.replace(/\.$/, ' (ISO 8601).')
  return schema['x-longest-ms'] === undefined ? said : said.replace(/\.$/, ' (90s, 15m, 8h).')
}
