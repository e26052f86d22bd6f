import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { validateConfiguration } from 'app-builder-lib/out/util/config/config.js'
import { DebugLogger } from 'builder-util'
import { describe, expect, test } from 'vitest'
import { fixturesExtension } from '../../../electron/arguments.ts'
import { linkScheme } from '../../../electron/links.ts'
import configuration from '../../../electron/builder.ts'

describe('the configuration of electron-builder', () => {
  test('is valid for electron-builder', async () => {
    await expect(
      validateConfiguration(configuration, new DebugLogger(false)),
    ).resolves.toBeUndefined()
  })

  test('is actually checked', async () => {
    const mistaken = { ...configuration, appID: 'typo' }
    await expect(validateConfiguration(mistaken, new DebugLogger(false))).rejects.toThrow('appID')
  })

  test('packs the build, starting at the main process', () => {
    expect(configuration.extraMetadata).toMatchObject({ main: 'dist/electron/main.js' })
    for (const pattern of configuration.files as string[]) {
      expect(pattern).toMatch(
        /^(dist\/(electron|renderer)|fixtures|!\*\*\/\.vite|!node_modules)\/\*\*$|^LICENSE$/,
      )
    }
  })

  test('closes ways to run other code than the app', () => {
    expect(configuration.electronFuses).toMatchObject({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    })
    // Validation of the archive is without effect where there is none.
    expect(configuration.asar).toBe(true)
  })

  test('associates the file types of the app', () => {
    expect(configuration.fileAssociations).toMatchObject([{ ext: fixturesExtension.slice(1) }])
  })

  test('opens the links of the app', () => {
    expect(configuration.protocols).toMatchObject([{ schemes: [linkScheme] }])
  })

  test.each([configuration.mac, configuration.win, configuration.linux])(
    'has its icon %#',
    (target) => {
      const folder = configuration.directories?.buildResources ?? ''
      expect(existsSync(resolve(folder, String(target?.icon)))).toBe(true)
    },
  )
})
