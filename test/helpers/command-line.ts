import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { nodeOptions } from '../../server/cli/exec/node-options.ts'
import { isBuilt } from '../../server/tools/launch/build.mjs'
import { printed } from './printed.ts'
import { bareEnvironment } from './programs.ts'

const root = new URL('../../', import.meta.url)
const tsx = import.meta.resolve('tsx')

const built = fileURLToPath(new URL('dist/server/cli.cjs', root))
const source = fileURLToPath(new URL('server/tools/launch/from-sources.ts', root))

/** Whether the command line runs as it is built, through its code cache. */
export const isBuiltCommand = (['server', 'library'] as const).every((part) =>
  isBuilt(fileURLToPath(root), part),
)

/** Program that runs the command line: the build if it is current, else the sources. */
export const cliCommand = isBuiltCommand
  ? ([process.execPath, built] as const)
  : ([process.execPath, '--import', tsx, source] as const)

/** Compiled once for all files of a run: each has a home of its own. */
const caches = fileURLToPath(new URL('node_modules/.cache/hub-sandbox-tests', root))
mkdirSync(caches, { recursive: true })

interface Started {
  url: string
  dashboardUrl: string
  pid: number
  controlToken?: string
}

/** Working folder of commands, and the commands that a test has started. */
interface Place {
  folder: string
  children: ChildProcess[]
}

async function endAll(children: readonly ChildProcess[]): Promise<void> {
  const running = children.filter(({ exitCode, signalCode }) => (exitCode ?? signalCode) === null)
  await Promise.all(
    running.map(async (child) => {
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    }),
  )
}

/**
 * The command line, in a folder that is the user's home as well. Each try of a test begins in an empty one, and what it
 * has started ends with it; what is started before all tests lasts as long as they do.
 */
export function commandLineWorld() {
  let shared: Place
  let own: Place | undefined
  const place = () => own ?? shared

  beforeAll(() => {
    shared = { folder: mkdtempSync(join(tmpdir(), 'hub-sandbox-cli-')), children: [] }
  })
  beforeEach(({ onTestFinished }) => {
    const children: ChildProcess[] = []
    own = { folder: mkdtempSync(join(shared.folder, 'test-')), children }
    // After all that the test itself ends: that may ask what runs here.
    onTestFinished(async () => {
      await endAll(children)
      own = undefined
    })
  })
  afterAll(async () => {
    await endAll(shared.children)
    rmSync(shared.folder, { recursive: true, force: true })
  })

  function execute(
    program: string,
    args: readonly string[],
    env: Record<string, string> = {},
    cwd?: string,
  ) {
    const { folder, children } = place()
    const child = spawn(program, args, {
      cwd: cwd ?? folder,
      // Nothing of the machine the tests run on.
      env: bareEnvironment({
        HOME: folder,
        XDG_DATA_HOME: folder,
        XDG_CACHE_HOME: caches,
        ...env,
      }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    const ended = once(child, 'close').then(([code]) => ({
      code: code as number | null,
      stdout,
      stderr,
    }))
    return { child, ended, output: () => stdout + stderr }
  }
  const run = (args: readonly string[], env?: Record<string, string>, cwd?: string) =>
    execute(cliCommand[0], [...cliCommand.slice(1), ...args], env, cwd)

  return {
    /** The folder: the running test's own, or before all tests that of the file. */
    folder: () => place().folder,
    execute,
    run,
    /** Runs a line in a shell, where `node` takes the sources as they are. */
    shell: (line: string) =>
      execute('bash', ['-c', line], {
        NODE_OPTIONS: nodeOptions(process.env['NODE_OPTIONS'], [tsx]),
      }).ended,
    start: async (args: readonly string[], env?: Record<string, string>, cwd?: string) => {
      const running = run(['start', '--json', '--port', '0', ...args], env, cwd)
      const [line] = await printed(running, /^.+(?=\n)/, 'stdout')
      return { ...running, sandbox: JSON.parse(line) as Started }
    },
  }
}
