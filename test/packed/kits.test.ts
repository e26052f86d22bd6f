import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { installCached } from '../helpers/cached-install.ts'
import { findBrowser } from '../helpers/find-browser.mjs'
import { freePort } from '../helpers/free-port.ts'
import { installPacked, npm, outputOf, root } from '../helpers/packed.ts'
import { hasProgram } from '../helpers/programs.ts'
import { startApp } from '../helpers/recipes/app.ts'
import { auditOfSite, expectAuditPassed } from '../helpers/recipes/audits.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

// What a user of each test kit would copy, installed from the packed tarball in a folder of its own and run as the
// README says.

const kits = join(root, 'test/kits')
const node24 = '24.21.0'
const quiet = ['--no-audit', '--no-fund', '--loglevel=error']

let folder: string
let obstacle: string | undefined
/** Folder of another Node's programs, if that can be had. */
let newerNode: string | undefined

beforeAll(async () => {
  ;({ folder, obstacle } = installPacked())
  const installed = await installCached('node', [`node@${node24}`], async (target) => {
    writeFileSync(join(target, 'package.json'), '{ "private": true }')
    outputOf(npm(['install', ...quiet, `node@${node24}`], target))
  })
  const programs = join(installed.folder, 'node_modules/node/bin')
  if (installed.obstacle === undefined && existsSync(programs)) newerNode = programs
}, 600_000)
afterAll(() => rm(folder, { recursive: true, force: true }), 600_000)

interface Project {
  path: string
  obstacle?: string
}

/** Copies a kit as its user does, and installs it; what it needs of others is fetched once for each list. */
async function lay(kit: string): Promise<Project> {
  const path = join(folder, kit)
  if (existsSync(path)) return { path }
  const source = join(kits, kit)
  const manifest = join(source, 'package.json')
  if (obstacle !== undefined) return { path, obstacle }
  const { devDependencies = {} } = existsSync(manifest)
    ? (JSON.parse(readFileSync(manifest, 'utf8')) as { devDependencies?: Record<string, string> })
    : {}
  const foreign = Object.entries(devDependencies).filter(([name]) => name !== 'hub-sandbox')
  const wanted = foreign.map(([name, version]) => `${name}@${version}`)
  const installed = await installCached(`kit-${kit}`, [kit, ...wanted], async (target) => {
    writeFileSync(join(target, 'package.json'), '{ "private": true }')
    // A browser or a program that an install script would fetch is no part of this.
    outputOf(npm(['install', ...quiet, '--ignore-scripts', ...wanted], target))
  })
  if (installed.obstacle !== undefined) return { path, obstacle: installed.obstacle }
  for (const part of ['node_modules', 'package-lock.json']) {
    const from = join(installed.folder, part)
    if (existsSync(from))
      cpSync(from, join(path, part), { recursive: true, verbatimSymlinks: true })
  }
  outputOf(npm(['exec', '--offline', '--', 'hub-sandbox', 'init', '--sample', kit], folder))
  // A kit of another language finds the command in the project around it.
  if (existsSync(manifest)) {
    outputOf(npm(['install', '--offline', '--ignore-scripts', ...quiet], path))
  }
  return { path }
}

/** Runs a command as a user does in a fresh shell: with nothing of this test's environment. */
async function run(
  cwd: string,
  command: readonly string[],
  environment: Record<string, string> = {},
  programs?: string,
) {
  const path = [programs, dirname(process.execPath), process.env['PATH']]
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd,
    env: {
      ...Object.fromEntries(
        ['SystemRoot', 'APPDATA', 'LOCALAPPDATA', 'TEMP', 'TMP', 'CYPRESS_CACHE_FOLDER'].flatMap(
          (name) => {
            const value = process.env[name]
            return value === undefined ? [] : [[name, value]]
          },
        ),
      ),
      HOME: homedir(),
      PATH: path.filter((part) => part !== undefined).join(delimiter),
      NO_COLOR: '1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  }
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, said }
}

const underExec = (...command: string[]) => [
  'npx',
  '--offline',
  'hub-sandbox',
  'exec',
  '--',
  ...command,
]

/** The app tells another name than that of its user, which no test must let pass. */
function breakApp(path: string, file: string): void {
  const app = join(path, file)
  const code = readFileSync(app, 'utf8')
  expect(code).toContain('preferred_username')
  writeFileSync(app, code.replaceAll('preferred_username', 'nickname'))
}

const javascript = [
  { kit: 'vitest', passed: /Tests +1 passed/ },
  { kit: 'jest-esm', passed: /Tests: +1 passed/ },
  { kit: 'jest-cjs', passed: /Tests: +1 passed/ },
  { kit: 'node-test', passed: /pass 3\b/ },
  { kit: 'playwright', passed: /1 passed/ },
] as const

test(`runs programs on Node ${node24} where that is asked`, async ({ skip }) => {
  if (newerNode === undefined) return skip(`Node ${node24} cannot be had here`)
  const { path, obstacle: missing } = await lay('node-test')
  if (missing !== undefined) return skip(missing)
  const { said } = await run(path, underExec('node', '--version'), {}, newerNode)
  expect(said).toContain(`v${node24}`)
  return undefined
}, 600_000)

describe.each(javascript)('the project of $kit', { timeout: 600_000 }, ({ kit, passed }) => {
  async function environmentOf(skip: (note: string) => never): Promise<Record<string, string>> {
    if (kit !== 'playwright') return {}
    const browser = findBrowser({ playwrightPath: chromium.executablePath() })
    if (browser === undefined) return skip('there is no Chromium on this machine')
    return { CHROME_PATH: browser, PORT: String(await freePort()) }
  }
  async function begin(skip: (note: string) => never) {
    const { path, obstacle: missing } = await lay(kit)
    return missing === undefined ? { path, environment: await environmentOf(skip) } : skip(missing)
  }

  test('passes under hub-sandbox exec', async ({ skip }) => {
    const { path, environment } = await begin(skip)
    const { status, said } = await run(path, underExec('npm', 'test'), environment)
    expect({ status, said }).toEqual({ status: 0, said: expect.stringMatching(passed) })
  })

  test(`passes on Node ${node24}`, async ({ skip }) => {
    if (newerNode === undefined) return skip(`Node ${node24} cannot be had here`)
    const { path, environment } = await begin(skip)
    const ran = await run(path, underExec('npm', 'test'), environment, newerNode)
    expect(ran).toEqual({ status: 0, said: expect.stringMatching(passed) })
    return undefined
  })

  test('fails when the app is broken', async ({ skip }) => {
    const { path, environment } = await begin(skip)
    breakApp(path, 'app.js')
    const { status, said } = await run(path, underExec('npm', 'test'), environment)
    expect({ status, said }).toEqual({ status: 1, said: expect.stringContaining('Hello, ') })
  })
})

describe('the project of Cypress', { timeout: 600_000 }, () => {
  // Its program comes from no package registry, so few machines that test this have it.
  test('passes under hub-sandbox exec', async ({ skip }) => {
    const { path, obstacle: missing } = await lay('cypress')
    skip(missing !== undefined, missing)
    const verified = await run(path, ['npx', '--offline', 'cypress', 'verify'])
    skip(verified.status !== 0, 'the program of Cypress is not installed')
    const ran = await run(path, underExec('npm', 'test'))
    expect(ran).toEqual({ status: 0, said: expect.stringMatching(/Passing: +1/) })
  })

  test('has tasks that do what its spec asks for', async ({ skip }) => {
    const { path, obstacle: missing } = await lay('cypress')
    skip(missing !== undefined, missing)
    const sandbox = await startTestSandbox()
    vi.stubEnv('HUB_SANDBOX_URL', sandbox.url)
    const module = (await import(pathToFileURL(join(path, 'hub-tasks.js')).href)) as {
      hubTasks(): {
        resetHub(): Promise<null>
        hubSession(user: string): Promise<{ name: string; value: string }>
        assertSignedIn(wanted: { user: string; scope: string }): Promise<null>
      }
    }
    const tasks = module.hubTasks()
    const { name, value } = await tasks.hubSession('alice')
    const page = await fetch(`${sandbox.url}/oauth/device`, {
      headers: { Cookie: `${name}=${value}` },
    })
    expect(await page.text()).toContain('alice')
    const wanted = { user: 'alice', scope: 'openid' }
    await expect(tasks.assertSignedIn(wanted)).rejects.toThrow('no sign-in was started')
    await sandbox.signIn({ user: 'alice', scope: 'openid' })
    // Cypress takes undefined for a task that is not there.
    expect(await tasks.assertSignedIn(wanted)).toBeNull()
    expect(await tasks.resetHub()).toBeNull()
    await expect(tasks.assertSignedIn(wanted)).rejects.toThrow('no sign-in was started')
  })
})

describe('the project of pytest', { timeout: 600_000 }, () => {
  /** Where Python has what the project asks for. */
  async function virtualEnvironment(): Promise<Project> {
    const wanted = readFileSync(join(kits, 'pytest/requirements.txt'), 'utf8').trim().split('\n')
    const python = ['python3', 'python'].find((name) => hasProgram(name))
    if (python === undefined) return { path: '', obstacle: 'Python is not installed' }
    const version = spawnSync(python, ['--version'], { encoding: 'utf8' }).stdout.trim()
    const installed = await installCached('kit-pytest', [version, ...wanted], async (target) => {
      outputOf(spawnSync(python, ['-m', 'venv', '--without-pip', target], { encoding: 'utf8' }))
      const pip = [
        '-m',
        'pip',
        'install',
        '--quiet',
        '--target',
        join(target, 'packages'),
        ...wanted,
      ]
      outputOf(spawnSync(python, pip, { encoding: 'utf8' }))
    })
    return { path: installed.folder, ...(installed.obstacle && { obstacle: installed.obstacle }) }
  }

  test('passes under hub-sandbox exec, and fails when the app is broken', async ({ skip }) => {
    const packages = await virtualEnvironment()
    skip(packages.obstacle !== undefined, packages.obstacle)
    const { path, obstacle: missing } = await lay('pytest')
    skip(missing !== undefined, missing)
    const python = ['python3', 'python'].find((name) => hasProgram(name)) ?? 'python3'
    const environment = {
      PYTHONPATH: join(packages.path, 'packages'),
      PYTHONDONTWRITEBYTECODE: '1',
    }
    const pytest = underExec(python, '-m', 'pytest', '-p', 'no:cacheprovider')
    expect(await run(path, pytest, environment)).toEqual({
      status: 0,
      said: expect.stringContaining('5 passed'),
    })
    breakApp(path, 'app.py')
    expect(await run(path, pytest, environment)).toEqual({
      status: 1,
      said: expect.stringContaining('1 failed'),
    })
  })
  test('passes its audit', async ({ skip }) => {
    const packages = await virtualEnvironment()
    skip(packages.obstacle !== undefined, packages.obstacle)
    const python = ['python3', 'python'].find((name) => hasProgram(name)) ?? 'python3'
    const sandbox = await startTestSandbox()
    const url = `http://localhost:${await freePort()}`
    const app = await startApp({
      command: [python, 'app.py'],
      folder: join(kits, 'pytest'),
      sandbox,
      url,
      environment: {
        PORT: new URL(url).port,
        PYTHONPATH: join(packages.path, 'packages'),
        PYTHONDONTWRITEBYTECODE: '1',
      },
    })
    onTestFinished(() => app.stop())
    await expectAuditPassed(sandbox, auditOfSite(url))
  })
})

describe('the project of go test', { timeout: 600_000 }, () => {
  test('passes under hub-sandbox exec, and fails when the app is broken', async ({ skip }) => {
    skip(!hasProgram('go', 'version'), 'Go is not installed')
    const { path, obstacle: missing } = await lay('go')
    skip(missing !== undefined, missing)
    // Node modules may hold Go files of their own.
    const gotest = underExec('go', 'test', '-count=1', '.')
    expect(await run(path, gotest)).toEqual({ status: 0, said: expect.stringMatching(/^ok\s/m) })
    breakApp(path, 'app.go')
    expect(await run(path, gotest)).toEqual({
      status: 1,
      said: expect.stringContaining('does not greet alice'),
    })
  })
})

test('the app of the JavaScript projects is one', () => {
  const appOf = (kit: string) => readFileSync(join(kits, kit, 'app.js'), 'utf8')
  for (const kit of ['jest-esm', 'node-test', 'playwright', 'cypress']) {
    expect(appOf(kit)).toBe(appOf('vitest'))
  }
})
