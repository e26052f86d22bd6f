import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { journeys, slowTests } from '../../helpers/short-set.mjs'

const pathOf = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url))

// A test that was renamed would be missing from the short set without a word.
test.each(Object.entries(journeys))('the journey of %s is one of its tests', (name, title) => {
  const source = readFileSync(pathOf(`e2e/${name}.spec.ts`), 'utf8')
  expect(source.split(`test('${title}', `)).toHaveLength(2)
})

test('each slow test exists', () => {
  const files = Object.keys(slowTests).map((name) => pathOf(`${name}.test.ts`))
  expect(files.filter((file) => !existsSync(file))).toEqual([])
})
