import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { isGitDependency } from '../../../server/tools/launch/git-dependency.mjs'
import { bareEnvironment } from '../../helpers/programs.ts'

const launch = fileURLToPath(new URL('../../../server/launch.mjs', import.meta.url))

describe('the prepare script', () => {
  test('builds in a folder that npm has cloned to install it from', () => {
    const cloned = '/home/ada/.npm/_cacache/tmp/git-cloneQ2hkZW'
    expect(isGitDependency(cloned, {})).toBe(true)
    const resolved = 'git+ssh://git@github.com/hub-sandbox/hub-sandbox.git#0c1d2e'
    expect(isGitDependency('/tmp/anything', { _PACOTE_NO_PREPARE_: resolved })).toBe(true)
    expect(isGitDependency('/home/ada/hub-sandbox', {})).toBe(false)
  })

  test('does nothing in a checkout, where npm ci and npm pack run it as well', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [launch, 'prepare'], {
      env: bareEnvironment(),
      encoding: 'utf8',
    })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  })
})
