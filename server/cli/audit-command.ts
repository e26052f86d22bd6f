import { type ChildProcess, spawn } from 'node:child_process'
import { escapeControls } from '../core/terminal-text.ts'
import { clearTimeout, setTimeout } from '../core/timers.ts'
import { CommandError } from './command-error.ts'
import { signalProgram } from './exec/exec-program.ts'
import { windowsCommand } from './exec/windows-command.ts'

/** Longest run of a command. */
const longestMs = 120_000

export interface CommandRun {
  /** Option that names the command, such as `--command`. */
  readonly option: string
  readonly words: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  /** Ends the command. */
  readonly signal: AbortSignal
  /** Whether programs that the command has started go on when it ends. Default: they end with it. */
  readonly keepsChildren?: boolean
  readonly limitMs?: number
}

export interface CommandResult {
  readonly problem?: string
  /** Last lines of its output; absent if it printed none. */
  readonly said?: string
}

/** Lines and characters of the output that are kept. */
const keptLines = 20
const keptCharacters = 2000
/** Time that the output has to arrive after the end of the program. */
const outputMs = 500

/** Passes the output of a program on to stderr: the report alone goes to stdout. @returns reads the last lines */
function followOutput({ stdout, stderr }: Pick<ChildProcess, 'stdout' | 'stderr'>): () => string {
  let text = ''
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding('utf8').on('data', (more: string) => {
      process.stderr.write(more)
      text = (text + more).slice(-keptCharacters)
    })
  }
  return () => escapeControls(text).trimEnd().split('\n').slice(-keptLines).join('\n')
}

/**
 * Runs a command to its end. Its exit code does not matter: a test that fails is what a refused sign-in looks like.
 * @returns why it did not end, as a sentence, and its last output
 * @throws {CommandError} if the command cannot be started
 */
export async function runCommand(run: CommandRun): Promise<CommandResult> {
  const { option, words, variables, signal, keepsChildren = false, limitMs = longestMs } = run
  const [program = '', ...args] = words
  const isWindows = process.platform === 'win32'
  const started = isWindows ? windowsCommand(words) : { file: program, args, verbatim: false }
  return new Promise((resolve, reject) => {
    const child = spawn(started.file, [...started.args], {
      // A program that goes on must not lose its output with this one.
      stdio: keepsChildren ? ['ignore', 2, 2] : ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...variables },
      // A group of its own, which ends as a whole.
      detached: !isWindows,
      windowsVerbatimArguments: started.verbatim,
    })
    const lastLines = followOutput(child)
    const kill = () => signalProgram(child, !isWindows, 'SIGKILL')
    const timer = setTimeout(() => {
      kill()
      end({ problem: `${program} did not end within ${limitMs / 1000} seconds, and was killed.` })
    }, limitMs)
    signal.addEventListener('abort', kill)
    if (signal.aborted) kill()
    const settle = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', kill)
    }
    const end = (result: CommandResult) => {
      settle()
      const said = lastLines()
      resolve(said === '' ? result : { ...result, said })
    }
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (child.pid !== undefined) return
      settle()
      const why = error.code === 'ENOENT' ? 'not found' : `cannot be run: ${error.message}`
      reject(
        new CommandError(
          `Command ${program} ${why}. Pass ${option} with a program and its arguments; no shell reads it.`,
        ),
      )
    })
    child.once('exit', () => {
      // On Windows the children of a program that has ended are not known.
      if (!keepsChildren && !isWindows) kill()
      const late = setTimeout(() => end({}), keepsChildren ? 0 : outputMs)
      child.once('close', () => {
        clearTimeout(late)
        end({})
      })
    })
  })
}

/**
 * Splits a command into words. Quotes keep spaces; nothing else is special, because no shell reads it.
 * @throws {CommandError} for a quote that is not closed, and for no word at all
 */
export function splitWords(option: string, text: string): string[] {
  const words: string[] = []
  const pattern = /\s*((?:[^\s"']+|"[^"]*"|'[^']*')+)/gy
  let end = 0
  for (const match of text.matchAll(pattern)) {
    words.push(
      (match[1] ?? '').replaceAll(/"([^"]*)"|'([^']*)'/g, (_all, one, two) => String(one ?? two)),
    )
    end = match.index + match[0].length
  }
  if (text.slice(end).trim() !== '') {
    throw new CommandError(`The quote in ${option} ${JSON.stringify(text)} is not closed.`)
  }
  if (words.length === 0)
    throw new CommandError(`${option} requires a program, such as "npm test".`)
  return words
}
