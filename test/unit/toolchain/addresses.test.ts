import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../../server', import.meta.url))
/** What writes texts from outside into addresses; a name of half a character is no failure of the sandbox. */
const rooms = /^(?:http|fixtures|fixes|triggers|tries|faults|requests|webhooks|jobs|oauth|hub)[\\/]/

test('texts from outside are written into addresses by what does not throw at them', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => rooms.test(path) && path.endsWith('.ts'),
  )
  const found = files.filter((path) =>
    /\bencodeURI(?:Component)?\b/.test(readFileSync(join(folder, path), 'utf8')),
  )
  expect(files.length).toBeGreaterThan(300)
  expect(found).toEqual([])
})
