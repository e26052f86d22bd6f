import { type Command, Option } from 'commander'
import { adviceLevels, reportFormats } from '../../contract/words/advice.ts'
import type { CheckOptions } from '../check.ts'
import { connected } from './define.ts'

export function addCheck(program: Command): void {
  connected(
    program
      .command('check')
      .description('Check recorded requests and deliveries for mistakes of apps and receivers')
      .option('--app <id>', 'Check one app: client id or name')
      .option(
        '--since <duration>',
        'Report only what has occurred in this time, such as 10m, or since the last reset: reset',
      )
      .option(
        '--fail-on <level>',
        `Level that fails: ${adviceLevels.join(', ')}, likely or none (default: error)`,
      )
      .option('--max-warnings <number>', 'Number of warnings above which the check fails')
      .addOption(
        new Option(
          '--ignore <rule=reason>',
          'Ignore the findings of a check, with the reason; can be repeated',
        ).argParser((value: string, previous: string[] | undefined) => [
          ...(previous ?? []),
          value,
        ]),
      )
      .option('--baseline <file>', 'Fail for findings only that are not in this file')
      .option('--update-baseline', 'Write the present findings to the baseline')
      .option('--format <format>', `Format: ${reportFormats.join(', ')} (default: text)`)
      .option('--out <file>', 'Write a file; its suffix selects the format')
      .option('--source <file>', 'File that SARIF and annotations point to (default: the fixtures)')
      .option('--explain <rule>', 'Explain a check, or a module of an audit')
      .option('--list', 'List the checks')
      .action(async (options: CheckOptions) => (await import('../check.ts')).check(options)),
    {
      json: 'Print findings and checks as JSON',
      apart: [
        ['explain', 'list'],
        ['app', 'explain'],
        ['app', 'list'],
        ['since', 'explain'],
        ['since', 'list'],
        ['format', 'explain'],
        ['format', 'list'],
        ['format', 'json'],
      ],
      examples: [
        { does: 'Fail a CI job if the app made a mistake', line: 'hub-sandbox check' },
        {
          does: 'Write the findings for code scanning',
          line: 'hub-sandbox check --out checks.sarif',
        },
        {
          does: 'Start with the mistakes that an app has',
          line: 'hub-sandbox check --baseline checks.json --update-baseline',
        },
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
