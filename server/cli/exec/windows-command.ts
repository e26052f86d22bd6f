import { statSync } from 'node:fs'
import { win32 } from 'node:path'
import { CommandError } from '../command-error.ts'

export interface Spawned {
  file: string
  args: readonly string[]
  /** The words are quoted already. */
  verbatim: boolean
}

export interface WindowsWorld {
  env: Readonly<Record<string, string | undefined>>
  folder: string
  isFile: (path: string) => boolean
}

const here = (): WindowsWorld => ({
  env: process.env,
  folder: process.cwd(),
  isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
})

/**
 * Returns what to start on Windows for a command. Windows starts programs itself, but no `.cmd` files, so these
 * are looked up like in a shell and run through `cmd.exe`, which has its own quoting rules.
 * @throws {CommandError} with exit code 2 for words that no batch file can be given
 */
export function windowsCommand(
  [program = '', ...args]: readonly string[],
  world: WindowsWorld = here(),
): Spawned {
  const path = findProgram(program, world)
  if (path === undefined || !/\.(cmd|bat)$/i.test(path)) {
    return { file: path ?? program, args, verbatim: false }
  }
  const line = [quoteForPath(path), ...args.map(quoteForBatch)].join(' ')
  // /d: no AutoRun; /e:on and /v:off: what the quoting counts on; /s: just the outer quotes are taken off.
  const shell = variable(world.env, 'ComSpec') ?? 'cmd.exe'
  return { file: shell, args: ['/e:on', '/v:off', '/d', '/s', '/c', `"${line}"`], verbatim: true }
}

/** Finds a file like a shell: by its extension, else by those of PATHEXT, in this folder only if the name has a path. */
function findProgram(program: string, { env, folder, isFile }: WindowsWorld): string | undefined {
  const endings = (variable(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean)
  const hasEnding = endings.some((ending) => program.toLowerCase().endsWith(ending.toLowerCase()))
  const names = [...(hasEnding ? [program] : []), ...endings.map((ending) => program + ending)]
  const isPath = /[\\/:]/.test(program)
  const folders = isPath ? [''] : (variable(env, 'PATH') ?? '').split(';')
  return folders
    .filter((place) => isPath || place !== '')
    .flatMap((place) => names.map((name) => win32.resolve(folder, unquoted(place), name)))
    .find(isFile)
}

function variable(env: WindowsWorld['env'], name: string): string | undefined {
  const found = Object.entries(env).find(([one]) => one.toLowerCase() === name.toLowerCase())
  return found?.[1] || undefined
}

/** A folder in PATH may stand in quotes. */
function unquoted(folder: string): string {
  return folder.replaceAll('"', '')
}

/** `%` would be read as a variable even within quotes; `%cd:~,%` is one that is always there and always empty. */
const emptyVariable = '%cd:~,%'

function quoteForPath(path: string): string {
  return `"${path.replaceAll('%', `%${emptyVariable}`)}"`
}

/**
 * A word for a batch file, which hands it on to a program: read by `cmd.exe` when the batch file is called, again where
 * it says `%*`, and then by the program. What stands in double quotes is safe from all three; a caret would be
 * gone after the first.
 * @throws {CommandError} for line breaks and NUL, which end the command
 */
export function quoteForBatch(word: string): string {
  if (/[\r\n\0]/.test(word)) {
    throw new CommandError(
      `${JSON.stringify(word)} contains a line break, which a batch file cannot receive: run the program behind it.`,
      { exitCode: 2 },
    )
  }
  // A program reads backslashes before a quote as pairs, and two quotes as one.
  const inner = word
    .replaceAll(/(\\*)"/g, '$1$1""')
    .replaceAll(/(\\+)$/g, '$1$1')
    .replaceAll('%', `%${emptyVariable}`)
  return /^[\w#$*+./:?@-]+$/.test(word) ? word : `"${inner}"`
}
