import type { Command } from 'commander'
import type { FlowsOptions } from '../flows.ts'
import { connected } from './define.ts'

export function addFlows(program: Command): void {
  connected(
    program
      .command('flows')
      .description('show the sign-ins, or one of them step by step')
      .argument('[id]', 'sign-in, or "latest"')
      .option('--verbose', 'explain every step')
      .option('--limit <number>', 'how many of the latest (default: 100)')
      .option('--no-color', 'without colours (also NO_COLOR; none in a pipe)')
      .action(async (id: string | undefined, options: FlowsOptions) =>
        (await import('../flows.ts')).flows(id, options),
      ),
    {
      json: 'the items of the control API, the newest first; of one the whole of it',
      examples: [
        { does: 'all of them, and how each ended', line: 'hub-sandbox flows' },
        {
          does: 'the newest, with every step explained',
          line: 'hub-sandbox flows latest --verbose',
        },
      ],
    },
  )
}
