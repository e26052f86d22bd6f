import { Command } from 'commander'
import type { SandboxOptions } from '../contract/options-types.ts'
import { packageVersion } from '../core/package-root.ts'
import { addStatusAndStop } from './add-status-and-stop.ts'
import { addControlCommands } from './control-commands.ts'
import { addExec } from './exec/add-exec.ts'
import { startFlags } from './start-flags.ts'

/** The whole command line. Only `start` is loaded with it: other commands are when they are called. */
export function createProgram(): Command {
  const program = new Command('hub-sandbox')
    .description('A model hub on your own machine: sign-in, webhooks and the hub API around them.')
    .version(packageVersion)
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .exitOverride()
  addStart(program)
  addExec(program)
  addStatusAndStop(program)
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
  for (const option of startFlags()) command.addOption(option)
}
