import type { Command } from 'commander'
import type { InitOptions } from '../init.ts'
import { documented } from './define.ts'

export function addInit(program: Command): void {
  documented(
    program
      .command('init')
      .argument('[file]', 'where to write it', 'hub-sandbox.json')
      .description('write a fixtures file to start from')
      .action(async (file: string, options: InitOptions) =>
        (await import('../init.ts')).init(file, options),
      ),
    {
      json: 'what was written, as JSON',
      examples: [
        { does: 'a file that a start in this folder takes by itself', line: 'hub-sandbox init' },
        { does: 'the same as YAML', line: 'hub-sandbox init hub-sandbox.yaml' },
      ],
      ending: 'A file that is there is never touched: it ends with 2.',
    },
  )
}
