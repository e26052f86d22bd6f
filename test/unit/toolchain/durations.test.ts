import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../../server', import.meta.url))

// Too long a duration is none that can be read: taken for nothing it passes every bound, and means the contrary.
test('what is no duration is not taken for one of no length', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  )
  const found = files.filter((path) =>
    /parseDuration\([^)]*\)\s*\?\?\s*0/.test(readFileSync(join(folder, path), 'utf8')),
  )
  expect(files.length).toBeGreaterThan(500)
  expect(found).toEqual([])
})
