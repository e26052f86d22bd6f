import { CommanderError } from 'commander'
import { manyLines } from './paint.ts'
import { createProgram } from './program.ts'
import { refuseUnknownCommand } from './unknown-command.ts'

/** Wrong usage, as opposed to what went wrong. */
const usageExitCode = 2

/**
 * The command line.
 * @param argv as Node hands it over: program, script, arguments
 */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    const program = createProgram()
    refuseUnknownCommand(program, argv.slice(2))
    await program.parseAsync([...argv])
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
