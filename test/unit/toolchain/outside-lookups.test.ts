import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ElementAccessExpression, type Node, SyntaxKind } from 'typescript/unstable/ast'
import { API, type Checker } from 'typescript/unstable/sync'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const projects = ['server', 'server/contract', 'renderer', 'electron']

let api: API
beforeAll(() => {
  api = new API({ cwd: root })
})
afterAll(() => api.close())

/** Accesses by a computed key, which may be any text, to an object that is used as a table. */
function findLookups(source: Node, text: string, checker: Checker): string[] {
  const accesses: ElementAccessExpression[] = []
  const visit = (node: Node): void => {
    // A deletion finds nothing that was not put there.
    const isDeleted = node.parent?.kind === SyntaxKind.DeleteExpression
    if (node.kind === SyntaxKind.ElementAccessExpression && !isDeleted) {
      accesses.push(node as ElementAccessExpression)
    }
    node.forEachChild(visit)
  }
  visit(source)
  const textOf = ({ pos, end }: Node) => text.slice(pos, end).trim()
  return accesses
    .filter(({ expression, argumentExpression }) => {
      const [table, key] = [expression, argumentExpression].map((node) =>
        checker.getTypeAtLocation(node),
      )
      if (table === undefined || key === undefined) return false
      const isAnyText = checker.isTypeAssignableTo(checker.getStringType(), key)
      const isTemplate = checker.typeToString(key).startsWith('`')
      if (!isAnyText && !isTemplate) return false
      const present = checker.getNonNullableType(table) ?? table
      if (checker.getIndexInfosOfType(present).length === 0) return false
      const asked = `Object.hasOwn(${textOf(expression)}, ${textOf(argumentExpression)})`
      return !text.includes(asked)
    })
    .map((access) => textOf(access).replaceAll(/\s+/g, ' '))
}

function lookupsIn(config: string): string[] {
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
  if (project === undefined) throw new Error(`${config} is no project`)
  const { program, checker } = project
  const names = program
    .getSourceFileNames()
    // A build hears of no name from outside.
    .filter((name) => !/node_modules|\.d\.ts$|vite\.config\.ts$/.test(name))
  expect(names).not.toEqual([])
  return names.flatMap((name) => {
    const file = program.getSourceFile(name)
    if (file === undefined) return []
    const found = findLookups(file, file.text, checker)
    return found.map((lookup) => `${name.slice(root.length)}: ${lookup}`)
  })
}

// `constructor`, `__proto__` and `toString` are in every object: whoever sends such a name must not find them. Tables
// are Maps, or are read by `own` and written by `setOwn`.
// A compiler looks at a whole project, beside whatever else is running.
test.each(projects)(
  '%s looks nothing up in a plain object by a name from outside',
  { timeout: 180_000 },
  (project) => {
    expect(lookupsIn(join(root, project, 'tsconfig.json'))).toEqual([])
  },
)

test.each([
  ['const found = (key: string) => table[key]', ['table[key]']],
  ['const set = (key: string) => (table[`${key}`] = 1)', ['table[`${key}`]']],
  ['const found = (key: string) => Object.hasOwn(table, key) && table[key]', []],
  ["const found = table['known']", []],
  ['const found = (key: number) => [1, 2][key]', []],
])('of %s it says %j', (code, found) => {
  const folder = temporaryDirectory()
  const table = 'const table: Record<string, number> = {}'
  writeFileSync(join(folder, 'a.ts'), `${table}\nexport ${code}\n`)
  const config = { compilerOptions: { strict: true, target: 'es2023' }, include: ['a.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const lookups = lookupsIn(join(folder, 'tsconfig.json'))
  expect(lookups.map((lookup) => lookup.replace(/^.*?: /, ''))).toEqual(found)
})
