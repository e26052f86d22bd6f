import { Command } from 'commander'
import type { CodeCache } from './code-cache/load-program.ts'
import type { SandboxOptions } from '../contract/options-types.ts'
import { packageVersion } from '../core/package-root.ts'
import { writeOut } from './output.ts'
import { manyLines } from './paint.ts'
import { documented } from './program/define.ts'
import { startFlags } from './start-flags.ts'

/** Whether a call is a start and nothing else: nobody is to wait until all other commands are put together. */
export function isStart(words: readonly string[]): boolean {
  const [first = 'start'] = words
  const asksForHelp = words.some((word) => word === '--help' || word === '-h')
  return (first === 'start' || first.startsWith('-')) && !asksForHelp
}

/** The command line as far as a start needs it. */
export function createStartProgram(codeCache?: CodeCache): Command {
  const program = new Command('hub-sandbox')
    .description('A model hub on your own machine: sign-in, webhooks and the hub API around them.')
    .version(packageVersion)
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .exitOverride()
    // What was mistyped is said again, whatever stands in it.
    .configureOutput({ writeOut, outputError: (text, write) => write(manyLines(text)) })
  addStart(program, codeCache)
  return program
}

function addStart(program: Command, codeCache: CodeCache | undefined): void {
  const command = program
    .command('start', { isDefault: true })
    .description('serve the sandbox and its dashboard (the default)')
    .allowExcessArguments(false)
    .action(async (options: SandboxOptions) => {
      const { start } = await import('./start.ts')
      await start(options, codeCache)
    })
  for (const option of startFlags()) command.addOption(option)
  documented(command, {
    json: false,
    examples: [
      { does: 'on any free port, with nothing kept', line: 'hub-sandbox --port 0 --ephemeral' },
      {
        does: 'for a script: the first line on stdout says where it is',
        line: 'hub-sandbox start --port 0 --ephemeral --json',
      },
      {
        does: 'the same ids and tokens in every run',
        line: 'hub-sandbox --port 0 --ephemeral --seed 1 --fixtures webhooks',
      },
    ].map((example) => ({ ...example, endless: true as const })),
    ending:
      'Ctrl-C ends it with 0. It ends with 2 where it cannot start as it was asked to, else with 1.',
  })
}
