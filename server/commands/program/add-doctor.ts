import type { Command } from 'commander'
import type { CodeCache } from '../code-cache/load-program.ts'
import type { ControlOptions } from '../read-options.ts'
import { connected } from './define.ts'

export function addDoctor(program: Command, codeCache?: CodeCache): void {
  connected(
    program
      .command('doctor')
      .description('look for what commonly goes wrong')
      .action(async (options: ControlOptions) =>
        (await import('../doctor.ts')).doctor(options, codeCache),
      ),
    {
      json: 'what was found, as JSON',
      examples: [
        {
          does: 'all that keeps a client of this shell from the sandbox',
          line: 'hub-sandbox doctor',
        },
      ],
      ending: 'Ends with 1 where something is wrong; a note is nothing wrong.',
    },
  )
}
