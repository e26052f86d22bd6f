import type { Command } from 'commander'
import type { SummaryOptions } from '../summary.ts'
import { connected } from './define.ts'

export function addSummary(program: Command): void {
  connected(
    program
      .command('summary')
      .description('tell how the sign-ins and deliveries ended, as Markdown (for a CI job’s page)')
      .action(async (options: SummaryOptions) => (await import('../summary.ts')).summary(options)),
    {
      json: 'each of them, as JSON',
      examples: [
        {
          does: 'on the page of a GitHub job',
          line: 'hub-sandbox summary >> "$GITHUB_STEP_SUMMARY"',
        },
      ],
    },
  )
}
