import { Command, Option } from 'commander'
import { type Flag, flagName, flags } from '../config/flags.ts'
import type { SandboxOptions } from '../config/options.ts'
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
  for (const flag of flags) command.addOption(optionOf(flag))
}

/** Values stay as they were typed: they are read where those of files and the environment are. */
function optionOf(flag: Flag): Option {
  const { key, placeholder = 'value', description, type } = flag
  const name = flagName(key)
  const option = new Option(nameWithValue(name, placeholder, type.kind), description)
  if (type.kind === 'list' || type.kind === 'pairs') {
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

function nameWithValue(name: string, placeholder: string, kind: Flag['type']['kind']): string {
  switch (kind) {
    case 'boolean':
      return name
    case 'boolean-or-text':
      return `${name} [${placeholder}]`
    default:
      return `${name} <${placeholder}>`
  }
}
