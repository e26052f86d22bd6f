import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, posix } from 'node:path'
import { extractFile, listPackage } from '@electron/asar'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseAst } from 'vite'
import { root } from '../helpers/packed.ts'

const built = ['dist/electron/main.js', 'dist/electron/preload.cjs', 'dist/renderer/index.html']
const missing = built.find((part) => !existsSync(join(root, part)))
const obstacle = missing && `${missing} is not built: npm test does that`

const folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-desktop-'))
const distribution = join(folder, 'electron')
const output = join(folder, 'packages')
const unpacked = join(
  output,
  process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`,
)
const archive = join(unpacked, 'resources/app.asar')
const recorded = join(folder, 'fpm.json')

/** Lays out what electron-builder takes of Electron: its program with the fuses all on, its locales and licence. */
function layOutElectron(): void {
  for (const each of ['locales', 'resources']) {
    mkdirSync(join(distribution, each), { recursive: true })
  }
  writeFileSync(join(distribution, 'LICENSE'), '')
  writeFileSync(join(distribution, 'locales/en-US.pak'), '')
  writeFileSync(join(distribution, 'version'), '0.0.0')
  // The mark by which @electron/fuses finds the wire, then its version, its length and the fuses.
  const wire = ['dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX', '\x01\x08', '1'.repeat(8)].join('')
  writeFileSync(join(distribution, 'electron'), `#!/bin/sh\n# ${wire}\n`, { mode: 0o755 })
}

/** Lays out an `fpm`, the maker of .deb packages, that only notes what it is asked for. */
function layOutFpm(): string {
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  const program = `#!${process.execPath}
    const { readFileSync, writeFileSync } = require('node:fs')
    const args = process.argv.slice(2)
    // Files come as source=target, and are gone once the package is made.
    const files = args.flatMap((arg) => {
      const [, source, target] = /^(.*[^/])=(\\/usr\\/.*)$/.exec(arg) ?? []
      return source === undefined ? [] : [[target, readFileSync(source, 'utf8')]]
    })
    writeFileSync(${JSON.stringify(recorded)}, JSON.stringify({ args, files: Object.fromEntries(files) }))`
  writeFileSync(join(programs, 'fpm'), program)
  chmodSync(join(programs, 'fpm'), 0o755)
  return programs
}

/** Runs electron-builder as `npm run package` does, for Linux, which needs no tool of that system for a folder. */
function pack(args: readonly string[], environment: Record<string, string> = {}): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/electron-builder/cli.js'),
      '--config=electron/builder.ts',
      `-c.directories.output=${output}`,
      `--${process.arch}`,
      '--linux',
      ...args,
    ],
    {
      cwd: root,
      encoding: 'utf8',
      timeout: 240_000,
      env: {
        ...process.env,
        // It says nothing within this runner's own programs.
        VITEST: undefined,
        // Nobody is there: whatever is to be downloaded fails at once.
        ELECTRON_MIRROR: 'http://127.0.0.1:9/',
        ELECTRON_BUILDER_BINARIES_MIRROR: 'http://127.0.0.1:9/',
        ...environment,
      },
    },
  )
  const said = `${stdout}${stderr}`
  if (status !== 0) throw new Error(said)
  return said
}

let said: string

beforeAll(() => {
  if (obstacle !== undefined) return
  layOutElectron()
  said = pack(['--dir', `-c.electronDist=${distribution}`])
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(({ skip }) => skip(obstacle !== undefined, obstacle))

const packedFiles = () =>
  listPackage(archive, { isPack: false }).map((path) => path.replaceAll('\\', '/').slice(1))
const packedText = (path: string) => extractFile(archive, path).toString()

describe('the desktop app, packed', () => {
  test('downloads nothing, rebuilds nothing', () => {
    expect(said).toContain('packaging')
    expect(said).not.toMatch(/download|@electron\/rebuild/i)
  })

  test('holds what was built, the fixtures, its licence, and nothing else', () => {
    const ownFiles = (below: string) =>
      readdirSync(join(root, below), { recursive: true, encoding: 'utf8' }).map((path) =>
        posix.join(below, path.replaceAll('\\', '/')),
      )
    const isBuildNote = (path: string) => path.split('/').includes('.vite')
    const expected = ['dist/electron', 'dist/renderer', 'fixtures'].flatMap((below) => [
      below,
      ...ownFiles(below).filter((path) => !isBuildNote(path)),
    ])
    expect(packedFiles().toSorted()).toEqual(
      ['LICENSE', 'dist', 'package.json', ...expected].toSorted(),
    )
    expect(readdirSync(join(unpacked, 'resources'))).toEqual(['app.asar'])
  })

  test('starts at the main process, which finds all that it imports', () => {
    const files = new Set(packedFiles())
    const { main, type, dependencies } = JSON.parse(packedText('package.json')) as {
      [key: string]: unknown
    }
    expect({ main, type, dependencies }).toEqual({ main: 'dist/electron/main.js', type: 'module' })
    const scripts = [...files].filter((path) => /^dist\/electron\/.*\.js$/.test(path))
    expect(scripts).toContain(main)
    const imported = scripts.flatMap((script) =>
      importsOf(packedText(script)).map((path) => posix.join(posix.dirname(script), path)),
    )
    expect(imported.length).toBeGreaterThan(3)
    expect(imported.filter((path) => !files.has(path))).toEqual([])
  })

  test('is a program of its own name that runs no other code', async () => {
    const wire = await getCurrentFuseWire(join(unpacked, 'hub-sandbox'))
    const [off, on] = ['0', '1'].map((state) => state.charCodeAt(0))
    expect(wire).toMatchObject({
      [FuseV1Options.RunAsNode]: off,
      [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: off,
      [FuseV1Options.EnableNodeCliInspectArguments]: off,
      [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: on,
      [FuseV1Options.OnlyLoadAppFromAsar]: on,
      [FuseV1Options.GrantFileProtocolExtraPrivileges]: off,
    })
  })
})

// electron-builder takes an fpm of the system only where that is no batch file.
describe.skipIf(process.platform === 'win32')('the .deb package', () => {
  let args: readonly string[]
  let files: Readonly<Record<string, string>>
  const option = (name: string) => args[args.indexOf(name) + 1]

  beforeAll(() => {
    if (obstacle !== undefined) return
    pack(['deb', '--prepackaged', unpacked], {
      USE_SYSTEM_FPM: 'true',
      PATH: [layOutFpm(), process.env['PATH']].join(delimiter),
    })
    ;({ args, files } = JSON.parse(readFileSync(recorded, 'utf8')) as {
      args: string[]
      files: Record<string, string>
    })
  }, 300_000)

  // Debian Policy 5.6.2, 5.6.13 and 5.6.23.
  test('says whose it is, where it lives and what it is', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      version: string
    }
    expect(option('--name')).toBe('hub-sandbox')
    expect(option('--version')).toBe(version)
    expect(option('--license')).toBe('MIT')
    expect(option('--maintainer')).toMatch(/^hub-sandbox contributors <[^\s@<>]+@[^\s@<>]+>$/)
    expect(option('--url')).toBe('https://github.com/hub-sandbox/hub-sandbox')
    const [synopsis = '', ...description] = option('--description')?.split('\n') ?? []
    expect(synopsis).toMatch(/^\S.{10,78}$/)
    expect(description.join('')).toContain('OAuth 2.0')
  })

  test('installs the app with its icon, and opens the files and links that it is for', () => {
    expect(args).toContain(`${unpacked}/=/opt/hub-sandbox`)
    expect(Object.keys(files)).toContain('/usr/share/icons/hicolor/512x512/apps/hub-sandbox.png')
    const desktop = files['/usr/share/applications/hub-sandbox.desktop']
    expect(desktop).toMatch(/^Exec=\/opt\/hub-sandbox\/hub-sandbox %U$/m)
    expect(desktop).toMatch(/^MimeType=.*application\/x-hubsandbox;/m)
    expect(desktop).toMatch(/^MimeType=.*x-scheme-handler\/hub-sandbox;/m)
    expect(files['/usr/share/mime/packages/hub-sandbox.xml']).toContain('*.hubsandbox')
  })

  test('has windows that a desktop takes for the app', () => {
    // By this name Electron tells whose windows they are.
    expect(JSON.parse(packedText('package.json'))).toMatchObject({
      desktopName: 'hub-sandbox.desktop',
    })
    expect(files['/usr/share/applications/hub-sandbox.desktop']).toMatch(
      /^StartupWMClass=hub-sandbox$/m,
    )
  })
})

/** Lists the files that a module imports; code in its strings does not count. */
function importsOf(code: string): string[] {
  const found: string[] = []
  JSON.stringify(parseAst(code), (_key, node: { type?: string; source?: { value?: unknown } }) => {
    const path = /^(?:Import|Export)/.test(node?.type ?? '') ? node.source?.value : undefined
    if (typeof path === 'string' && path.startsWith('.')) found.push(path)
    return typeof node === 'bigint' ? undefined : node
  })
  return found
}
