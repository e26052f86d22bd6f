import { Command } from 'commander'
import type { CodeCache } from './code-cache/load-program.ts'
import type { SandboxOptions } from '../contract/options-types.ts'
import { packageVersion } from '../core/package-root.ts'
import { writeOut } from './output.ts'
import { manyLines } from '../core/terminal-text.ts'
import { documented } from './program/define.ts'
import { startFlags } from './start-flags.ts'
import { noticeOfTaken } from './taken-by-npm.ts'

/** Returns whether the command is `start`, which must not wait until the other commands are loaded. */
export function isStart(words: readonly string[]): boolean {
  const [first = 'start'] = words
  const asksForHelp = words.some((word) => word === '--help' || word === '-h')
  return (first === 'start' || first.startsWith('-')) && !asksForHelp
}

/** Creates the program with the `start` command only. */
export function createStartProgram(codeCache?: CodeCache): Command {
  const program = new Command('hub-sandbox')
    .description('An offline Hugging Face Hub for developers: sign-in, webhooks and hub API.')
    .version(packageVersion, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Show help')
    .helpCommand('help [command]', 'Show help for a command')
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .exitOverride()
    // Error messages quote the arguments, which may contain control characters.
    .configureOutput({ writeOut, outputError: (text, write) => write(manyLines(text)) })
  addStart(program, codeCache)
  return program
}

function addStart(program: Command, codeCache: CodeCache | undefined): void {
  const command = program
    .command('start', { isDefault: true })
    .description('Start the sandbox (default)')
    .allowExcessArguments(false)
    .action(async (options: SandboxOptions) => {
      const missing = command.options.filter(
        (option) => command.getOptionValue(option.attributeName()) === undefined,
      )
      const notice = noticeOfTaken(
        missing.flatMap(({ long }) => long ?? []),
        process.env,
      )
      if (notice !== undefined) process.stderr.write(`${notice}\n`)
      const { start } = await import('./start.ts')
      await start(options, codeCache)
    })
  for (const option of startFlags()) command.addOption(option)
  documented(command, {
    json: false,
    examples: {
      'Use any free port and keep no state': { endless: 'hub-sandbox --port 0 --ephemeral' },
      'Print the URL and process id as JSON, for a script': {
        endless: 'hub-sandbox start --port 0 --ephemeral --json',
      },
      'Use the same ids and tokens in every run': {
        endless: 'hub-sandbox --port 0 --ephemeral --seed 1 --fixtures webhooks',
      },
    },
    ending: 'Exit codes: 0 after Ctrl-C; 2 invalid usage or configuration; 1 any other failure.',
  })
}
