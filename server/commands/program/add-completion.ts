import type { Command } from 'commander'
import { completeCommand } from '../complete-command.ts'
import { documented } from './define.ts'

export function addCompletion(program: Command): void {
  documented(
    program
      .command('completion')
      .argument('<shell>', 'Shell: bash, zsh or fish')
      .description('Print a shell completion script')
      .action(async (shell: string) => (await import('../completion.ts')).completion(shell)),
    {
      json: false,
      examples: [
        { does: 'Enable completion in this shell', line: 'eval "$(hub-sandbox completion bash)"' },
        {
          does: 'Save the script for fish',
          line: 'hub-sandbox completion fish > hub-sandbox.fish',
        },
      ],
    },
  )
  program
    .command(completeCommand, { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) => (await import('../complete.ts')).complete(program, words))
}
