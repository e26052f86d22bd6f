import type { Command } from 'commander'
import type { InitOptions } from '../init.ts'
import { documented } from './define.ts'

export function addInit(program: Command): void {
  documented(
    program
      .command('init')
      .argument('[file]', 'File to write', 'hub-sandbox.json')
      .description('Write a starter fixtures file')
      .action(async (file: string, options: InitOptions) =>
        (await import('../init.ts')).init(file, options),
      ),
    {
      json: 'Print the path as JSON',
      examples: [
        { does: 'Write hub-sandbox.json, which "start" finds by itself', line: 'hub-sandbox init' },
        { does: 'Write YAML instead', line: 'hub-sandbox init hub-sandbox.yaml' },
      ],
      ending: 'Exits with 2 if the file exists; it is never overwritten.',
    },
  )
}
