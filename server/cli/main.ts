import { type Command, CommanderError } from 'commander'
import type { CodeCache } from './code-cache/load-program.ts'
import { manyLines } from '../core/terminal-text.ts'
import { commandOf, optionsAfterCommand } from './leading-options.ts'
import { createStartProgram, isStart } from './start-program.ts'

/** Exit code of invalid usage; other failures exit with 1. */
const usageExitCode = 2
/** Exit code for an unknown name. */
const notFoundExitCode = 1

/**
 * Runs the command line.
 * @param argv of the process: program, script, arguments
 * @param codeCache that loaded this program, if any
 */
export async function main(argv: readonly string[], codeCache?: CodeCache): Promise<void> {
  const words = optionsAfterCommand(argv.slice(2))
  try {
    if (isStart(words)) {
      await createStartProgram(codeCache).parseAsync([...argv.slice(0, 2), ...words])
    } else {
      const asked = helpAsked(words)
      const program = await createWholeProgram(asked, codeCache)
      await program.parseAsync([...argv.slice(0, 2), ...asked])
      await codeCache?.keep()
    }
  } catch (error) {
    process.exitCode = await reportFailure(error, words)
    if (process.exitCode !== 0 && commandOf(words) === 'env')
      (await import('./env.ts')).printUnusable(words)
  }
}

/** @returns the exit code */
async function reportFailure(error: unknown, words: readonly string[]): Promise<number> {
  // Commander has printed the error. Help and version also end here, with 0.
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    // Help is given about a command by its name, as a page is.
    return words[0] === 'help' ? notFoundExitCode : usageExitCode
  }
  const { describeFailure } = await import('./failure.ts')
  const { message, exitCode } = describeFailure(error)
  // The message may quote control characters from elsewhere.
  process.stderr.write(`${manyLines(message)}\n`)
  return exitCode
}

/** Turns `help fault add` into `fault add --help`: commander supports only one level, and names no unknown command. */
function helpAsked(words: readonly string[]): readonly string[] {
  const [first, ...path] = words
  const named = path.filter((word) => !word.startsWith('-'))
  return first === 'help' && named.length > 0 ? [...named, '--help'] : words
}

async function createWholeProgram(
  words: readonly string[],
  codeCache: CodeCache | undefined,
): Promise<Command> {
  const [{ createProgram }, { refuseUnknownCommand }] = await Promise.all([
    import('./program.ts'),
    import('./unknown-command.ts'),
  ])
  const program = createProgram(codeCache)
  refuseUnknownCommand(program, words)
  return program
}
