import { readFileSync } from 'node:fs'
import { parseAst } from 'vite'
import { describe, expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)

/** Rows of the table "Where is …" in the server's README. */
function rowsOfTable(): { question: string; file: string; name: string }[] {
  const readme = readFileSync(new URL('server/README.md', root), 'utf8')
  const [, section = ''] = readme.split('## Where is …')
  return [...section.matchAll(/^\| ([^|]+) \| `([^`]+)` \| `([^`]+)` \|$/gm)].map(
    ([, question = '', file = '', name = '']) => ({ question, file, name }),
  )
}

function exportsOf(file: string): string[] {
  const { body } = parseAst(readFileSync(new URL(file, root), 'utf8'), { lang: 'ts' })
  return body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration') return []
    const { declaration } = node
    if (declaration === null) return []
    if (declaration.type === 'VariableDeclaration') {
      return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? id.name : []))
    }
    return 'id' in declaration && declaration.id?.type === 'Identifier' ? [declaration.id.name] : []
  })
}

describe('the table "Where is …"', () => {
  test('has at least forty questions, each once', () => {
    const questions = rowsOfTable().map(({ question }) => question)
    expect(questions.length).toBeGreaterThanOrEqual(40)
    expect(new Set(questions).size).toBe(questions.length)
  })

  test.each(rowsOfTable())('$question: $name in $file', ({ file, name }) => {
    expect(exportsOf(file)).toContain(name)
  })
})
