import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildStamp } from '../../../server/tools/launch/build.mjs'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

test('a changed source needs a build, a changed page of the documentation does not', () => {
  const root = temporaryDirectory()
  mkdirSync(join(root, 'server'))
  for (const name of ['tsconfig.json', 'package-lock.json']) writeFileSync(join(root, name), '{}')
  const before = buildStamp(root, 'server')
  writeFileSync(join(root, 'server/README.md'), '# The server')
  expect(buildStamp(root, 'server')).toBe(before)
  writeFileSync(join(root, 'server/index.ts'), 'export {}')
  expect(buildStamp(root, 'server')).not.toBe(before)
})
