import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname } from 'node:path'
import { clientVariables } from '../../../server/contract/client-settings.ts'
import type { Sandbox } from '../../../server/index.ts'

export interface UnderSandbox {
  /** As the user types it; `node` is the one that runs this. */
  command: readonly string[]
  folder: string
  sandbox: Sandbox
  /** The app that it signs in as, by its name. Default: the first with a secret. */
  client?: string | undefined
  /** Beside what the sandbox sets. A `PATH` goes before the machine's. */
  environment: Record<string, string>
}

export interface StartedProgram {
  /** What it printed so far, to stdout and stderr. */
  said(): string
  /** Resolves with the exit code when it has ended. */
  ended: Promise<number>
  /** Ends it and whatever it started. */
  stop(): Promise<void>
}

// What a program needs to run at all. Test runners leave others behind that change how frameworks behave, and a token
// of the real hub has no business here.
const ofTheMachine =
  /^(LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT)$/i

function environmentOf({ sandbox, client, environment }: UnderSandbox): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name]) => ofTheMachine.test(name))
  const path = [environment['PATH'], dirname(process.execPath), process.env['PATH']]
  const { url, certificatePath, fixtures } = sandbox
  const app = fixtures.apps.find(({ name, clientSecret }) =>
    client === undefined ? clientSecret !== undefined : name === client,
  )
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    ...clientVariables({ url, app, certificatePath }),
    NO_COLOR: '1',
    npm_config_update_notifier: 'false',
    ...environment,
    PATH: path.filter(Boolean).join(delimiter),
  }
}

/** Starts a program as `exec` does. */
export function startUnderSandbox(what: UnderSandbox): StartedProgram {
  const [program = '', ...args] = what.command
  const child = spawn(program, args, {
    cwd: what.folder,
    env: environmentOf(what),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: a shell or npm between does not hand signals on.
    detached: process.platform !== 'win32',
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
  if (child.exitCode === null && child.signalCode === null) {
    signalGroup(child, 'SIGTERM')
    const patience = setTimeout(() => signalGroup(child, 'SIGKILL'), 10_000)
    await ended.finally(() => clearTimeout(patience))
  }
  // What outlived its parent goes as well.
  signalGroup(child, 'SIGKILL')
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' })
    return
  }
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
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
