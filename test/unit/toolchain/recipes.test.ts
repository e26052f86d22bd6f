import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readRecipes } from '../../../server/tools/docs/recipes.ts'
import { renderRecipeTable } from '../../../server/tools/docs/tables.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

/** Lays out `test/recipes/` with these folders and tests. */
function recipes(folders: readonly string[], tests: Record<string, string>): URL {
  const directory = temporaryDirectory()
  for (const name of folders) mkdirSync(join(directory, name))
  for (const [name, code] of Object.entries(tests)) writeFileSync(join(directory, name), code)
  return pathToFileURL(`${directory}/`)
}

const testOf = (folder: string, question: string) =>
  `recipe(\n  {\n    folder: '${folder}',\n    question: ${question},\n  },\n  () => {},\n)\n`

describe('the table of recipes', () => {
  test('are those that have a folder and a test, by the questions of the tests', () => {
    const directory = recipes(['hono', 'express'], {
      'hono.test.ts': testOf('hono', `"How do I test my friend's app?"`),
      'express.test.ts': testOf('express', `\n      'How do I test mine | yours?'`),
      'README.md': '',
    })
    expect(renderRecipeTable(readRecipes(directory)).split('\n').slice(2)).toEqual([
      String.raw`| How do I test mine \| yours? | [express](express/) | [test](express.test.ts) |`,
      `| How do I test my friend's app? | [hono](hono/) | [test](hono.test.ts) |`,
    ])
  })

  test.each([
    ['a folder that no test runs', ['hono'], {}, 'test/recipes/hono has no test'],
    ['a test without its folder', [], { 'hono.test.ts': '' }, 'the folder hono is missing'],
    [
      'a test that runs another recipe',
      ['hono'],
      { 'hono.test.ts': testOf('express', `'How?'`) },
      "with folder: 'hono'",
    ],
    [
      'a test without a question',
      ['hono'],
      { 'hono.test.ts': testOf('hono', 'questions[0]') },
      'as one literal',
    ],
  ])('refuse %s', (_name, folders, tests, message) => {
    expect(() => readRecipes(recipes(folders, tests))).toThrow(message)
  })
})
