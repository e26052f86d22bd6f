import { Command, Option } from 'commander'
import { isRepeatable, kindOf } from '../config/flag-kind.ts'
import { helpOf } from '../config/flag-texts.ts'
import { flagList, type NamedFlag } from '../contract/flags.ts'
import type { SandboxOptions } from '../contract/options-types.ts'
import { flagName } from '../core/flag-names.ts'
import { packageVersion } from '../core/package-root.ts'
import { addControlCommands } from './control-commands.ts'

/** The whole command line. Only `start` is loaded with it: other commands are when they are called. */
export function createProgram(): Command {
  const program = new Command('hub-sandbox')
    .description('A model hub on your own machine: sign-in, webhooks and the hub API around them.')
    .version(packageVersion)
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .exitOverride()
  addStart(program)
  addControlCommands(program)
  return program
}

function addStart(program: Command): void {
  const command = program
    .command('start', { isDefault: true })
    .description('serve the sandbox and its dashboard (the default)')
    .allowExcessArguments(false)
    .action(async (options: SandboxOptions) => {
      const { start } = await import('./start.ts')
      await start(options)
    })
  for (const flag of flagList) command.addOption(optionOf(flag))
}

/** Values stay as they were typed: they are read where those of files and the environment are. */
function optionOf(flag: NamedFlag): Option {
  const option = new Option(nameWithValue(flag), helpOf(flag))
  if (isRepeatable(flag)) {
    option.argParser((value: string, previous: string[] | undefined) => [
      ...(previous ?? []),
      value,
    ])
  }
  return option.helpGroup(
    flag.neverFromFile === undefined
      ? 'Options (also HUB_SANDBOX_… variables, and "config" in the fixtures file):'
      : 'Options that decide what others may reach (never from a file):',
  )
}

function nameWithValue(flag: NamedFlag): string {
  const { key, placeholder = 'value' } = flag
  switch (kindOf(flag)) {
    case 'switch':
      return flagName(key)
    case 'switch-or-text':
      return `${flagName(key)} [${placeholder}]`
    default:
      return `${flagName(key)} <${placeholder}>`
  }
}
