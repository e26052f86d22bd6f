import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../../server', import.meta.url))
/** What refuses apps and programs: their texts go out as error_description, or in a header. */
const rooms = ['oauth', 'hub', 'accounts', 'jobs', 'webhooks', 'http/plugins', 'http/routes/oauth']
/** Texts of the dashboard and of pages, which may hold any character. */
const shown = new Set(['avatar.ts', 'token-rights.ts', 'secret-values.ts', 'control-guard.ts'])

// Both hold printable ASCII alone (RFC 6749 §5.2, RFC 9110 §5.5): anything else goes out as a question mark.
test('texts that go out in headers and redirects are ASCII', () => {
  const files = rooms.flatMap((room) =>
    readdirSync(join(folder, room), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !shown.has(path))
      .map((path) => join(folder, room, path)),
  )
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      // A detail is for the log and the dashboard.
      .filter((line) => !/^\s*(?:\*|\/\*|\/\/|detail:)/.test(line))
      .map((line) => line.replace(/ \/(?:\/|\*\*) .*/, ''))
      .filter((line) => /\P{ASCII}/u.test(line))
      .map((line) => `${file.slice(folder.length + 1)}: ${line.trim()}`),
  )
  expect(files.length).toBeGreaterThan(150)
  expect(found).toEqual([])
})
