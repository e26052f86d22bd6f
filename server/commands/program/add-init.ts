import type { Command } from 'commander'
import type { InitOptions } from '../init.ts'
import { documented } from './define.ts'

export function addInit(program: Command): void {
  documented(
    program
      .command('init')
      .argument('[file]', 'File to write (default: hub-sandbox.json, with --agent SKILL.md)')
      .option('--agent', 'Write a skill file for coding agents instead')
      .description('Write a starter fixtures file')
      .action(async (file: string | undefined, options: InitOptions) =>
        (await import('../init.ts')).init(file, options),
      ),
    {
      json: 'Print the path as JSON',
      examples: [
        { does: 'Write hub-sandbox.json, which "start" finds by itself', line: 'hub-sandbox init' },
        { does: 'Write YAML instead', line: 'hub-sandbox init hub-sandbox.yaml' },
        {
          does: 'Tell a coding agent how to test your app',
          line: 'hub-sandbox init --agent .claude/skills/hub-sandbox/SKILL.md',
        },
      ],
      ending: 'Exits with 2 if the file exists; it is never overwritten.',
    },
  )
}
