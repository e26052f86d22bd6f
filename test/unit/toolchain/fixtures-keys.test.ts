import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { generatedTable } from '../../helpers/documents.ts'

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

interface Schema {
  type?: string
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  patternProperties?: Record<string, Schema>
}

/** Every key that the published schema knows, with what it says of it. */
function keysOf(schema: Schema, path: string): [path: string, schema: Schema][] {
  const inside: [string, Schema][] = [
    ...(schema.anyOf ?? []).map((part): [string, Schema] => [path, part]),
    ...Object.values(schema.patternProperties ?? {}).map((part): [string, Schema] => [
      `${path}.*`,
      part,
    ]),
  ]
  if (schema.items !== undefined) inside.push([`${path}[]`, schema.items])
  const own = Object.entries(schema.properties ?? {}).map(([name, key]): [string, Schema] => [
    path === '' ? name : `${path}.${name}`,
    key,
  ])
  return [...own, ...[...own, ...inside].flatMap(([where, part]) => keysOf(part, where))]
}

describe('the documented keys of a fixtures file', () => {
  const schema = JSON.parse(read('fixtures/fixtures.schema.json')) as Schema
  const keys = new Map(keysOf(schema, ''))
  const part = generatedTable('fixtures')
  const rows = [...part.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(
    ([, path = '', rest = '']) => ({
      path,
      cells: rest.split(/(?<!\\) \| /),
    }),
  )

  test('are all there, each once', () => {
    expect(keys.size).toBeGreaterThan(180)
    expect(rows.map(({ path }) => path).toSorted()).toEqual([...keys.keys()].toSorted())
  })

  test('have a type, a description and a place for the default', () => {
    const said = rows.map(({ path, cells: [type = '', description, ...rest] }) => ({
      path,
      hasType: /^(string|boolean|integer|number|object|list|`)/.test(type),
      description: description?.replaceAll(String.raw`\|`, '|'),
      defaults: rest.length,
    }))
    expect(said).toEqual(
      rows.map(({ path }) => ({
        path,
        hasType: true,
        description: keys.get(path)?.description,
        defaults: 1,
      })),
    )
  })

  test('stand under their part of the file', () => {
    const sections = [...part.matchAll(/<code>(\w+)(?:\[\])?<\/code>(.*?)<\/details>/gs)]
    const withKeys = Object.keys(schema.properties ?? {}).filter((name) =>
      [...keys.keys()].some((path) => path.startsWith(`${name}.`) || path.startsWith(`${name}[`)),
    )
    expect(sections.map(([, name]) => name)).toEqual(withKeys)
    for (const [, name = '', table = ''] of sections) {
      const paths = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, path = '']) => path)
      expect(paths.length).toBeGreaterThan(0)
      expect(paths.filter((path) => /^\w+/.exec(path)?.[0] !== name)).toEqual([])
    }
  })
})
