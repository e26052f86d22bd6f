import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../../server/http', import.meta.url))
const files = readdirSync(folder, { recursive: true })
  .map((path) => join(folder, String(path)))
  .filter((path) => /\.tsx?$/.test(path))

const capital = /[A-Z]/
const single = /\.header\(\s*'([^']+)'/g
const several = /\.headers\(\{([^}]*)\}/g
const key = /(?:^|[{,\s])'?([\w-]+)'?:\s/g

/** Names of the headers that answers get in a file. */
function namesIn(text: string): string[] {
  const lists = Array.from(text.matchAll(several), ([, list = '']) => list)
  return [
    ...Array.from(text.matchAll(single), ([, name = '']) => name),
    ...lists.flatMap((list) => Array.from(list.matchAll(key), ([, name = '']) => name)),
  ]
}

// Fastify makes lower case of all others, for each answer: a twenty-fifth of what a HEAD of a file costs.
test('headers of answers are named as Fastify keeps them, in lower case', () => {
  const named = files.flatMap((file) =>
    namesIn(readFileSync(file, 'utf8')).map((name) => `${file.slice(folder.length + 1)}: ${name}`),
  )
  expect(named.length).toBeGreaterThan(50)
  const wrong = named.filter((line) => capital.test(line.slice(line.indexOf(': ') + 2)))
  expect(wrong).toEqual([])
})
