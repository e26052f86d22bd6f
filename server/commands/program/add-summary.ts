import type { Command } from 'commander'
import type { SummaryOptions } from '../summary.ts'
import { connected } from './define.ts'

export function addSummary(program: Command): void {
  connected(
    program
      .command('summary')
      .description('Print results of sign-ins and deliveries as Markdown')
      .option(
        '--html [file]',
        'Write sign-ins, deliveries and requests as an HTML file (default name: hub-sandbox-run.html)',
      )
      .action(async (options: SummaryOptions) => (await import('../summary.ts')).summary(options)),
    {
      json: 'Print the results as JSON',
      examples: [
        {
          does: 'Add the results to the page of a GitHub job',
          line: 'hub-sandbox summary >> "$GITHUB_STEP_SUMMARY"',
        },
      ],
    },
  )
}
