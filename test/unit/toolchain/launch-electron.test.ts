import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { provideElectron } from '../../../server/tools/launch/electron.mjs'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

/** A repository in which Electron's package is installed, with this in place of what fetches the program. */
function clone(installer: string) {
  const root = temporaryDirectory()
  const folder = join(root, 'node_modules/electron')
  mkdirSync(join(folder, 'dist'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{}')
  writeFileSync(join(folder, 'install.js'), installer)
  return { root, folder }
}

const fails = 'process.exit(1)'
const fetches = `
  const { writeFileSync } = require('node:fs')
  writeFileSync(__dirname + '/dist/electron', '')
  writeFileSync(__dirname + '/path.txt', 'electron')
`

describe("Electron's program", () => {
  test('is fetched when it is not there, and only then', async () => {
    const { root, folder } = clone(fetches)
    await provideElectron(root, {})
    writeFileSync(join(folder, 'install.js'), fails)
    await expect(provideElectron(root, {})).resolves.toBeUndefined()
  })

  test('is fetched again when only its name was left behind', async () => {
    const { root, folder } = clone(fails)
    writeFileSync(join(folder, 'path.txt'), 'electron')
    await expect(provideElectron(root, {})).rejects.toThrow('could not be fetched')
  })

  test('may lie elsewhere', async () => {
    const { root } = clone(fails)
    const env = { ELECTRON_OVERRIDE_DIST_PATH: '/opt/electron' }
    await expect(provideElectron(root, env)).resolves.toBeUndefined()
  })

  test('cannot be fetched: one message says what to do instead', async () => {
    const { root } = clone(fails)
    await expect(provideElectron(root, {})).rejects.toThrow(
      /could not be fetched.*ELECTRON_MIRROR.*ELECTRON_OVERRIDE_DIST_PATH.*`npm start`/,
    )
  })
})

describe('the desktop app on an older Node', () => {
  const launch = fileURLToPath(new URL('../../../server/launch.mjs', import.meta.url))

  test.each(['desktop', 'dev:desktop'])('%s says which one it needs and does nothing', (mode) => {
    const asNode20 = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.19.0'})`
    const { status, stderr } = spawnSync(process.execPath, ['--import', asNode20, launch, mode], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('hub-sandbox: Electron needs Node 22.12 or newer, this is 20.19.0\n')
    expect(status).toBe(1)
  })
})
