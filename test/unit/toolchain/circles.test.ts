import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { rooms } from '../../../server/tools/rooms.ts'

const server = fileURLToPath(new URL('../../../server/', import.meta.url))

interface Import {
  from: string
  to: string
  isType: boolean
}

/** Every import of a file by its path: static, of types, re-exported or at run time. */
function importsOf(path: string, code: string): Import[] {
  const found = code.matchAll(
    /(?:^(?:import|export)(?<type>\s+type)?\b[^'"]*?from\s+|^import\s+|\bimport\()['"](?<target>\.[^'"]+)['"]/gm,
  )
  return Array.from(found, ({ groups }) => ({
    from: path,
    to: resolve(dirname(path), groups?.['target'] ?? ''),
    isType: groups?.['type'] !== undefined,
  }))
}

/** The first way round that leads back to where it began; `undefined` when there is none. */
function findCircle(edges: readonly (readonly [string, string])[]): string[] | undefined {
  const next = new Map<string, Set<string>>()
  for (const [from, to] of edges) next.set(from, (next.get(from) ?? new Set()).add(to))
  const done = new Set<string>()
  function walk(node: string, way: readonly string[]): string[] | undefined {
    const start = way.indexOf(node)
    if (start >= 0) return [...way.slice(start), node]
    if (done.has(node)) return undefined
    for (const target of next.get(node) ?? []) {
      const circle = walk(target, [...way, node])
      if (circle !== undefined) return circle
    }
    done.add(node)
    return undefined
  }
  for (const node of next.keys()) {
    const circle = walk(node, [])
    if (circle !== undefined) return circle
  }
  return undefined
}

const roomOf = (path: string) => {
  const [first = '', ...rest] = relative(server, path).split(sep)
  return rest.length === 0 ? 'entries' : first
}

const files = readdirSync(server, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(server, name))
const imports = files.flatMap((path) => importsOf(path, readFileSync(path, 'utf8')))
const short = (path: string) => relative(server, path)

describe('imports of the server', () => {
  test('are found, whatever their form', () => {
    const code = [
      `import './a.ts'`,
      `import type { B } from './b.ts'`,
      `import {\n  c,\n} from '../c.ts'`,
      `export type * from './d.ts'`,
      `const { e } = await import('./e.ts')`,
      `const text = "import { f } from './f.ts'"`,
    ].join('\n')
    const found = importsOf(join(server, 'hub/x.ts'), code)
    expect(found.map(({ to, isType }) => [short(to), isType])).toEqual([
      [join('hub', 'a.ts'), false],
      [join('hub', 'b.ts'), true],
      ['c.ts', false],
      [join('hub', 'd.ts'), true],
      [join('hub', 'e.ts'), false],
    ])
  })

  test('lead in a circle where there is one', () => {
    expect(
      findCircle([
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'b'],
      ]),
    ).toEqual(['b', 'c', 'b'])
    expect(
      findCircle([
        ['a', 'b'],
        ['b', 'c'],
        ['a', 'c'],
      ]),
    ).toBeUndefined()
  })

  test('form no circle between files, types left aside', () => {
    const values = imports.filter(({ isType }) => !isType)
    expect(findCircle(values.map(({ from, to }) => [short(from), short(to)]))).toBeUndefined()
  })

  test('form no circle between rooms, types and imports at run time included', () => {
    const between = imports
      .map(({ from, to }): [string, string] => [roomOf(from), roomOf(to)])
      .filter(([from, to]) => from !== to)
    expect(between.length).toBeGreaterThan(300)
    expect(findCircle(between)).toBeUndefined()
  })
})

test('every folder of the server is a room with a place in the list', () => {
  const folders = readdirSync(server, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )
  expect(folders.map(({ name }) => name).toSorted()).toEqual(
    [...rooms.map(({ name }) => name), 'tools'].toSorted(),
  )
})
