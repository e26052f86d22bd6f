import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { importedModules, nodeOptions } from '../../../../server/cli/exec/node-options.ts'
import { temporaryDirectory } from '../../../helpers/temporary-directory.ts'
import { bareEnvironment } from '../../../helpers/programs.ts'

describe('NODE_OPTIONS', () => {
  test('keeps its content and lets Node load modules from any path', () => {
    const folder = join(temporaryDirectory(), `it's a "strange" 100% folder`)
    mkdirSync(folder)
    const module = join(folder, 'setup #1.mjs')
    writeFileSync(module, 'console.log(`loaded by ${process.title}`)')
    const options = nodeOptions('--title="my program"', [module, pathToFileURL(module).href])
    expect(options).toMatch(/^--title="my program" --import=file:\S+ --import=file:\S+$/)
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', ''], {
      env: bareEnvironment({ NODE_OPTIONS: options }),
      encoding: 'utf8',
    })
    expect({ stdout, stderr }).toEqual({ stdout: 'loaded by my program\n', stderr: '' })
  })

  test.each([undefined, '', '  '])('starts without a gap after %j', (existing) => {
    expect(nodeOptions(existing, ['file:///a.mjs'])).toBe('--import=file:///a.mjs')
  })

  test('refuses a folder and a missing file as a module', () => {
    const folder = temporaryDirectory()
    for (const path of [folder, join(folder, 'x.mjs')]) {
      expect(() => importedModules([path])).toThrow(`--import: file ${path} not found.`)
    }
  })
})
