import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isInstalled } from '../../../server/tools/launch/install.mjs'

const elsewhere = process.platform === 'win32' ? 'linux' : 'win32'
const locked = {
  '': { version: '0.1.0' },
  'node_modules/tool': { version: '1.2.0' },
  'node_modules/tool-here': { version: '1.2.0', optional: true, os: [process.platform] },
  'node_modules/tool-elsewhere': { version: '1.2.0', optional: true, os: [elsewhere] },
}

/** A repository with that lock file in which npm has installed these packages. */
function clone(installed?: Record<string, { version: string }>) {
  const root = mkdtempSync(join(tmpdir(), 'hub-sandbox-install-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  lock(root, locked)
  if (installed) {
    mkdirSync(join(root, 'node_modules'))
    const record = join(root, 'node_modules', '.package-lock.json')
    writeFileSync(record, JSON.stringify({ packages: installed }))
  }
  return root
}

const lock = (root: string, packages: object) =>
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }))

const complete = {
  'node_modules/tool': { version: '1.2.0' },
  'node_modules/tool-here': { version: '1.2.0' },
}

describe('telling whether the packages are installed', () => {
  test('is not on a fresh clone', () => {
    expect(isInstalled(clone())).toBe(false)
  })

  test('accepts what npm installed by hand, without the binaries of other platforms', () => {
    expect(isInstalled(clone(complete))).toBe(true)
  })

  test('asks for a package that is missing, or there in another version', () => {
    const { 'node_modules/tool': tool, ...rest } = complete
    expect(isInstalled(clone(rest))).toBe(false)
    expect(
      isInstalled(clone({ ...rest, 'node_modules/tool': { ...tool, version: '1.1.0' } })),
    ).toBe(false)
  })

  test('asks for the binary of this platform when the folder came from another', () => {
    const root = clone({
      'node_modules/tool': { version: '1.2.0' },
      'node_modules/tool-elsewhere': { version: '1.2.0' },
    })
    expect(isInstalled(root)).toBe(false)
  })

  test('asks again once the lock file has moved on', () => {
    const root = clone(complete)
    expect(isInstalled(root)).toBe(true)
    lock(root, { ...locked, 'node_modules/tool': { version: '1.3.0' } })
    expect(isInstalled(root)).toBe(false)
  })
})
