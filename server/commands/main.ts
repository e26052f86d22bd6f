import { type Command, CommanderError } from 'commander'
import type { CodeCache } from './code-cache/load-program.ts'
import { manyLines } from './paint.ts'
import { createStartProgram, isStart } from './start-program.ts'

/** Wrong usage, as opposed to what went wrong. */
const usageExitCode = 2

/**
 * The command line.
 * @param argv as Node hands it over: program, script, arguments
 * @param codeCache of this program, where it was loaded through one
 */
export async function main(argv: readonly string[], codeCache?: CodeCache): Promise<void> {
  try {
    const words = argv.slice(2)
    if (isStart(words)) {
      await createStartProgram(codeCache).parseAsync([...argv])
    } else {
      const asked = helpAsked(words)
      const program = await createWholeProgram(asked, codeCache)
      await program.parseAsync([...argv.slice(0, 2), ...asked])
      await codeCache?.keep()
    }
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has said what is wrong; help and version end here too, with 0.
      process.exitCode = error.exitCode === 0 ? 0 : usageExitCode
      return
    }
    const { describeFailure } = await import('./failure.ts')
    const { message, exitCode } = describeFailure(error)
    // It may say again what others have sent.
    process.stderr.write(`${manyLines(message)}\n`)
    process.exitCode = exitCode
  }
}

/** `help fault add` as `fault add --help`: commander's own help looks no deeper than one word. */
function helpAsked(words: readonly string[]): readonly string[] {
  const [first, ...path] = words
  const isDeep = first === 'help' && path.length > 1
  return isDeep ? [...path.filter((word) => !word.startsWith('-')), '--help'] : words
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
