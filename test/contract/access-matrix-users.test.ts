import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { callerGroups, testAccessOf } from '../helpers/access-matrix.ts'

testAccessOf('no user', 'sessions and user access tokens of each role')

test('each group of callers has its file', () => {
  const texts = readdirSync(import.meta.dirname)
    .filter((name) => name.startsWith('access-matrix'))
    .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
  const missing = Object.keys(callerGroups).filter(
    (title) => !texts.some((text) => text.includes(`'${title}'`)),
  )
  expect(missing).toEqual([])
})
