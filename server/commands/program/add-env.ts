import type { Command } from 'commander'
import type { EnvOptions } from '../env.ts'
import { connected } from './define.ts'

export function addEnv(program: Command): void {
  connected(
    program
      .command('env')
      .description('print what a client app must set to use the running sandbox')
      .option('--shell', 'lines for a POSIX shell (the default)')
      .option('--json', 'as JSON')
      .option('--dotenv', 'as a .env file')
      .option('--client <id>', 'client id or name of the app (default: the first with a secret)')
      .option('--space <name>', 'the app of this Space')
      .option('--back-channel', 'for an app that reaches the sandbox by --back-channel-url')
      .option(
        '--for <program>',
        'code or settings for one of huggingface.js, python, openid-client, mcp, gradio, curl',
      )
      .action(async (options: EnvOptions) => (await import('../env.ts')).env(options)),
    {
      json: false,
      apart: [
        ['shell', 'json', 'dotenv', 'for'],
        ['client', 'space'],
      ],
      examples: [
        { does: 'set up this shell', line: 'eval "$(hub-sandbox env)"' },
        { does: 'a file for an app that reads one', line: 'hub-sandbox env --dotenv > .env' },
        {
          does: 'as the app of this name, in code of that library',
          line: "hub-sandbox env --client 'Team Dashboard' --for openid-client",
        },
      ],
      ending:
        'Where it fails it prints "false" for the shell, so that the eval around it fails, too.',
    },
  )
}
