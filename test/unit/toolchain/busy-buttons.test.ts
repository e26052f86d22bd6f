import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../../renderer', import.meta.url))
const files = readdirSync(folder, { recursive: true })
  .map((path) => join(folder, String(path)))
  .filter((path) => path.endsWith('.tsx'))

/** An attribute that follows an action which runs. */
const following = /\b(disabled|busy)=\{[^}]*\b(?:busy|is(?:Pending|Fetching)\w*)\b[^}]*\}/g

// What is disabled loses the focus: whoever works by keyboard begins at the top of the page again.
test('a control whose action runs is busy, not disabled', () => {
  const found = files.flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').matchAll(following), ([text, name]) => ({
      name,
      where: `${file.slice(folder.length + 1)}: ${text}`,
    })),
  )
  expect(found.filter(({ name }) => name === 'busy').length).toBeGreaterThan(30)
  expect(found.filter(({ name }) => name === 'disabled')).toEqual([])
})
