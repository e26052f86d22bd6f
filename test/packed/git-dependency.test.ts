import { spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { npm, outputOf, root } from '../helpers/packed.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

/** npm clones, installs the development packages and builds: minutes, and packages of the registry. */
const patience = 900_000

test('a dependency from git is built when it is installed', { timeout: patience }, ({ skip }) => {
  const head = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  skip(head.status !== 0, 'there is no git repository to install from')
  const folder = temporaryDirectory()
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const source = `git+${pathToFileURL(root).href.replace(/\/$/, '')}#${head.stdout.trim()}`
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', source]
  outputOf(npm(args, folder, patience))
  const parts = readdirSync(join(folder, 'node_modules/hub-sandbox/dist'))
  expect(parts).toEqual(expect.arrayContaining(['library', 'renderer', 'server', 'types']))
  const called = spawnSync('npx', ['--no', '--', 'hub-sandbox', '--version'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  expect(called.stdout).toMatch(/^\d+\.\d+\.\d+/)
})
