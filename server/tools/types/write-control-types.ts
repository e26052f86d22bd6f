import type { JsonSchema } from '../../core/json-schema.ts'
import { renderMembers, renderType, sentenceOf, type TypeStyle } from './schema-types.ts'

const header = `// Written out from the schemas of the control API when the package is built.
`

/** Aliases of the fixtures schema, whose types are rendered separately. */
const ofFixtures: readonly string[] = ['LoadedFixtures', 'ExportedFixtures']

/**
 * Renders TypeScript types of the bodies and queries of the control API. Lists in requests are read-only.
 * @param schemas schemas by name; one equal to an earlier schema becomes a reference to it
 * @returns source text, not formatted
 */
export function renderControlTypes(schemas: ReadonlyMap<string, JsonSchema>): string {
  const own = [...schemas].filter(([name]) => !ofFixtures.includes(name))
  const names = new Map<string, string>()
  for (const [name, schema] of own) {
    const key = identityOf(schema)
    if (!names.has(key)) names.set(key, name)
  }
  const types = own.map(([name, schema]) => renderNamed(name, schema, names))
  return [header, ...types].join('\n')
}

function renderNamed(name: string, schema: JsonSchema, names: ReadonlyMap<string, string>): string {
  const style: TypeStyle = {
    // The type itself is written out here.
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

/** Key of equal schemas. */
function identityOf(schema: JsonSchema): string {
  return JSON.stringify(schema)
}

function documentation(schema: JsonSchema): string {
  const said = sentenceOf(schema)
  if (schema.format === 'date-time') return said.replace(/\.$/, ' (ISO 8601).')
  return schema['x-longest-ms'] === undefined ? said : said.replace(/\.$/, ' (90s, 15m, 8h).')
}
