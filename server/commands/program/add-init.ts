import type { Command } from 'commander'
import type { InitOptions } from '../init.ts'
import { documented } from './define.ts'

export function addInit(program: Command): void {
  documented(
    program
      .command('init')
      .argument(
        '[file]',
        'File to write (default: hub-sandbox.json, with --agent SKILL.md), or folder of the sample',
      )
      .option('--agent', 'Write a skill file for coding agents instead')
      .option('--sample [name]', 'Copy a sample project instead; without a name, list them')
      .description('Write a starter fixtures file, or copy a sample project')
      .action(async (file: string | undefined, options: InitOptions) =>
        (await import('../init.ts')).init(file, options),
      ),
    {
      json: 'Print the path as JSON',
      apart: [['agent', 'sample']],
      examples: [
        { does: 'Write hub-sandbox.json, which "start" finds by itself', line: 'hub-sandbox init' },
        { does: 'Write YAML instead', line: 'hub-sandbox init hub-sandbox.yaml' },
        {
          does: 'Tell a coding agent how to test your app',
          line: 'hub-sandbox init --agent .claude/skills/hub-sandbox/SKILL.md',
        },
        { does: 'List the sample projects', line: 'hub-sandbox init --sample' },
        {
          does: 'Copy the one with pytest into the folder pytest',
          line: 'hub-sandbox init --sample pytest',
        },
      ],
      ending: 'Exits with 2 if a file exists; none is ever overwritten.',
    },
  )
}
