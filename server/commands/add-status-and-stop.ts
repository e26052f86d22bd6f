import type { Command } from 'commander'
import type { ConnectOptions } from './connect.ts'
import { addConnectOptions } from './control-commands.ts'
import type { StatusOptions } from './status.ts'

/** `status` and `stop`: each is loaded when it is called. */
export function addStatusAndStop(program: Command): void {
  addConnectOptions(
    program
      .command('status')
      .description('say where the sandbox is, since when, and what bends its answers'),
  )
    .option('--json', 'as JSON')
    .addHelpText('after', examples(['status', 'status --json | jq -r .dashboardUrl']))
    .action(async (options: StatusOptions) => (await import('./status.ts')).status(options))

  addConnectOptions(
    program
      .command('stop')
      .description('end the sandbox: what is in flight is finished, the state saved'),
  )
    .addHelpText(
      'after',
      examples(['stop', 'stop --data ./state', 'stop --url http://localhost:7420']),
    )
    .action(async (options: ConnectOptions) => (await import('./stop.ts')).stop(options))
}

function examples(lines: readonly string[]): string {
  const calls = lines.map((line) => `  $ hub-sandbox ${line}\n`).join('')
  return `\nExamples:\n${calls}\nEnds with 0 when it was done, 1 when no sandbox answers, 2 for wrong usage.`
}
