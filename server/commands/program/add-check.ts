import type { Command } from 'commander'
import type { CheckOptions } from '../check.ts'
import { connected } from './define.ts'

export function addCheck(program: Command): void {
  connected(
    program
      .command('check')
      .description('Check recorded requests and deliveries for mistakes of apps and receivers')
      .option('--app <id>', 'Check one app: client id or name')
      .option('--fail-on <level>', 'Level that fails: error, warning or note (default: error)')
      .option('--explain <rule>', 'Explain a check, such as token/refresh-race')
      .option('--list', 'List the checks')
      .action(async (options: CheckOptions) => (await import('../check.ts')).check(options)),
    {
      json: 'Print findings and checks as JSON',
      apart: [
        ['explain', 'list'],
        ['app', 'explain'],
        ['app', 'list'],
      ],
      examples: [
        { does: 'Fail a CI job if the app made a mistake', line: 'hub-sandbox check' },
        { does: 'List the checks', line: 'hub-sandbox check --list' },
        {
          does: 'Explain a check',
          line: 'hub-sandbox check --explain token/refresh-race',
        },
      ],
      ending:
        'Exit codes: 0 no finding; 1 findings of the level of --fail-on or worse; 2 invalid usage or no sandbox found; 3 nothing to check.',
    },
  )
}
