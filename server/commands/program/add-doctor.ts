import type { Command } from 'commander'
import type { CodeCache } from '../code-cache/load-program.ts'
import type { ControlOptions } from '../read-options.ts'
import { connected } from './define.ts'

export function addDoctor(program: Command, codeCache?: CodeCache): void {
  connected(
    program
      .command('doctor')
      .description('Check for common problems')
      .action(async (options: ControlOptions) =>
        (await import('../doctor.ts')).doctor(options, codeCache),
      ),
    {
      json: 'Print the findings as JSON',
      examples: [
        {
          does: 'Check whether clients in this shell reach the sandbox',
          line: 'hub-sandbox doctor',
        },
      ],
      ending: 'Exits with 1 if a problem was found; notes are not problems.',
    },
  )
}
