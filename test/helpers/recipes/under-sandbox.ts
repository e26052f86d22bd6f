import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname, join } from 'node:path'
import type { Sandbox } from '../../../server/index.ts'
import { root } from '../packed.ts'

export interface UnderSandbox {
  /** Command line of the user; `node` is the running one. */
  command: readonly string[]
  folder: string
  sandbox: Sandbox
  /** Further flags of `exec`. */
  flags?: readonly string[]
  /** Beside what the sandbox sets. A `PATH` goes before the machine's. */
  environment: Record<string, string>
}

export interface StartedProgram {
  /** Output so far, stdout and stderr. */
  said(): string
  /** Resolves with the exit code when it has ended. */
  ended: Promise<number>
  /** Ends it, and with it what it started. */
  stop(): Promise<void>
}

// What a program needs to run at all. Test runners leave others behind that change how frameworks behave, and a token
// of the real hub has no business here.
const ofTheMachine =
  /^(LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT)$/i

/** Environment variables of a program: few of this process, and its own. */
export function environmentOf(environment: Record<string, string>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name]) => ofTheMachine.test(name))
  const path = [environment['PATH'], dirname(process.execPath), process.env['PATH']]
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    NO_COLOR: '1',
    npm_config_update_notifier: 'false',
    ...environment,
    PATH: path.filter(Boolean).join(delimiter),
  }
}

/** Starts a program by the `exec` of the built command line, which alone tells it of the sandbox. */
export function startUnderSandbox(what: UnderSandbox): StartedProgram {
  const { command, folder, sandbox, flags = [], environment } = what
  const commandLine = join(root, 'dist/server/cli.cjs')
  const args = [commandLine, 'exec', '--url', sandbox.url, ...flags, '--', ...command]
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: environmentOf(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  }
  const ended = once(child, 'close').then(([code]) => (code as number | null) ?? 1)
  // Whoever waits hears of it; nobody has to.
  ended.catch(() => {})
  return { said: () => said, ended, stop: () => stop(child, ended) }
}

async function stop(child: ChildProcess, ended: Promise<number>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  // What a program of another system starts is only found from above.
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' })
  } else child.kill('SIGTERM')
  await ended
}

/** Runs a program to its end. @returns what it printed @throws {Error} with that when it fails */
export async function runUnderSandbox(what: UnderSandbox): Promise<string> {
  const program = startUnderSandbox(what)
  try {
    const code = await program.ended
    if (code === 0) return program.said()
    throw new Error(`${what.command.join(' ')} ended with ${code}:\n${program.said()}`)
  } finally {
    await program.stop()
  }
}
