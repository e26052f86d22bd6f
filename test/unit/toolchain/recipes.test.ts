import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readSamples } from '../../../server/tools/docs/recipes.ts'
import { renderSampleTable } from '../../../server/tools/docs/tables.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

/** Lays out `test/` with these files. */
function samples(files: Record<string, string>): URL {
  const directory = temporaryDirectory()
  for (const [name, text] of Object.entries({ 'kits/.keep': '', 'recipes/.keep': '', ...files })) {
    const path = join(directory, 'test', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return pathToFileURL(`${directory}/`)
}

describe('the tables of samples', () => {
  test('have the folders, by the headings of their README.md', () => {
    const read = readSamples(
      samples({
        'kits/vitest/README.md': '# How do I test with Vitest?\n\nLike this.\n',
        'recipes/hono/README.md': "# How do I test my friend's app?\n",
        'recipes/hono.test.ts': '',
        'recipes/express/README.md': '# How do I test mine | yours?\n',
        'recipes/express.test.ts': '',
        'recipes/README.md': '# Samples\n',
      }),
    )
    expect(renderSampleTable(read, 'recipes').split('\n').slice(2)).toEqual([
      String.raw`| How do I test mine \| yours? | [express](../recipes/express/) |`,
      `| How do I test my friend's app? | [hono](../recipes/hono/) |`,
    ])
    expect(renderSampleTable(read, 'kits').split('\n').slice(2)).toEqual([
      '| How do I test with Vitest? | [vitest](../kits/vitest/) |',
    ])
  })

  test.each([
    [
      'a recipe that no test runs',
      { 'recipes/hono/README.md': '# How?\n' },
      'test/recipes/hono has no test',
    ],
    ['a test without its recipe', { 'recipes/hono.test.ts': '' }, 'the folder hono is missing'],
    ['a sample without a page', { 'kits/vitest/app.js': '' }, 'test/kits/vitest has no README.md'],
    [
      'a page without a question',
      { 'kits/vitest/README.md': '# Vitest\n' },
      "must begin with the user's question",
    ],
  ])('refuse %s', (_name, files, message) => {
    expect(() => readSamples(samples(files))).toThrow(message)
  })
})
