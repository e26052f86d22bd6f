import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
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

test('the build makes the command executable, even if npm linked it before', ({ skip }) => {
  skip(process.platform === 'win32', 'Windows has no such permission')
  const folder = temporaryDirectory()
  const build = ['build', '--config', 'server/vite.config.ts', '--mode', 'command']
  execFileSync(
    process.execPath,
    ['node_modules/vite/bin/vite.js', ...build, '--outDir', folder, '--logLevel', 'warn'],
    { stdio: 'pipe' },
  )
  expect(statSync(join(folder, 'cli.cjs')).mode & 0o111).toBe(0o111)
})
