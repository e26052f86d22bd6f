import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtCommand, root } from './build-copies.ts'

export interface Usage {
  /** CPU time of all threads since the program started. */
  cpuMs: number
  residentBytes: number
}

/** Program in a process of its own. */
export interface Child {
  readonly url: string
  readonly pid: number
  ask<T>(name: string, input?: unknown): Promise<T>
  usage(): Promise<Usage>
  stop(): Promise<void>
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

const below = (path: string) => new URL(path, import.meta.url)

/**
 * Starts a program of `programs/`.
 * @param options passed as JSON
 */
export async function startProgram(name: string, options: object = {}): Promise<Child> {
  const path = fileURLToPath(below(`programs/${name}.mjs`))
  const child = fork(path, [JSON.stringify(options)], { execArgv: [] })
  const { url } = await firstOf<{ url: string }>(child, name, (resolve) =>
    child.once('message', resolve),
  )
  return asChild(child, name, url)
}

const ownCommand = join(root, builtCommand)

/**
 * Starts the command line as users do, with its default log level and its output going to pipes.
 * @param path of another build of it
 */
export const startCommandLine = (args: readonly string[], path = ownCommand): Promise<Child> =>
  startCommand({ ...commandLine(args), path })

/** Program that prints its URL on stdout, and is independent of the bench. */
export interface Command {
  name: string
  path: string
  args: readonly string[]
  /** @returns undefined until the output contains the URL */
  readUrl: (output: string) => string | undefined
}

/** Command line of the sandbox. @param args beside `start`, `--json` and `--port` */
export const commandLine = (args: readonly string[]): Command => ({
  name: 'hub-sandbox',
  path: ownCommand,
  args: ['start', '--json', '--port', '0', ...args],
  readUrl: readJsonLine,
})

/** Reads the URL from the first line of the output, which is JSON. */
export function readJsonLine(output: string): string | undefined {
  return output.includes('\n') ? (JSON.parse(output) as { url: string }).url : undefined
}

/** Starts such a program with a preloaded probe, which answers the questions of the bench. */
export async function startCommand({ name, path, args, readUrl }: Command): Promise<Child> {
  const child = fork(path, args, {
    execArgv: ['--import', below('programs/probe.mjs').href],
    env: withoutSettings(process.env),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const explain = complaintsOf(child)
  const url = await firstOf<string>(
    child,
    name,
    (resolve) => announce(child, readUrl, resolve),
    explain,
  )
  return asChild(child, name, url)
}

/** Collects the stderr of a program. @returns reads its error message */
export function complaintsOf({ stderr }: Pick<ChildProcess, 'stderr'>): () => string {
  let errors = ''
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2000)
  })
  return () => /^\w*Error: .*/m.exec(errors)?.[0] ?? errors
}

/** Calls `tell` with the URL once the output contains it. Keeps reading: a full pipe would block the program. */
export function announce(
  child: Pick<ChildProcess, 'stdout'>,
  readUrl: Command['readUrl'],
  tell: (url: string) => void,
): void {
  let output = ''
  let told = false
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (told) return
    output += text
    const url = readUrl(output)
    if (url === undefined) return
    told = true
    tell(url)
  })
}

/** Environment without variables that change the settings of the program. */
export function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(HUB_SANDBOX_|npm_|NODE_OPTIONS$)/i.test(name)),
  )
}

/** Waits for the first message of a program; fails if the program exits before. */
function firstOf<T>(
  child: ChildProcess,
  name: string,
  listen: (resolve: (told: T) => void) => unknown,
  explain = () => '',
): Promise<T> {
  running.add(child)
  return new Promise((resolve, reject) => {
    listen(resolve)
    child.once('exit', (code, signal) => {
      running.delete(child)
      reject(new Error(`${name} ended with ${signal ?? code}: ${explain()}`))
    })
  })
}

function asChild(child: ChildProcess, name: string, url: string): Child {
  const waiting = new Map<
    number,
    { resolve: (value: never) => void; reject: (error: Error) => void }
  >()
  let nextId = 0
  child.on('message', (message) => {
    const { id, answer, failure } = message as { id: number; answer?: unknown; failure?: string }
    const waiter = waiting.get(id)
    waiting.delete(id)
    if (failure === undefined) waiter?.resolve(answer as never)
    else waiter?.reject(new Error(`${name}: ${failure}`))
  })
  child.on('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`${name} ended: ${signal ?? code}`))
  })

  function ask<T>(question: string, input?: unknown): Promise<T> {
    const id = nextId++
    return new Promise<T>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      child.send({ id, name: question, input })
    })
  }

  return {
    url,
    pid: child.pid ?? 0,
    ask,
    usage: () => ask<Usage>('usage'),
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve()
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}
