import type { Command } from 'commander'
import type { EnvOptions } from '../env.ts'
import { frameworks } from '../../contract/words/sandbox.ts'
import { connected } from './define.ts'

export function addEnv(program: Command): void {
  connected(
    program
      .command('env')
      .description('Print the environment variables for a client app')
      .option('--shell', 'Print lines for a POSIX shell (default)')
      .option('--json', 'Print JSON')
      .option('--dotenv', 'Print a .env file')
      .option('--client <id>', 'Client id or name (default: first app with a secret)')
      .option('--space <name>', 'Use the app of this Space')
      .option('--back-channel', 'Use the URL of --back-channel-url')
      .option(
        '--for <program>',
        'Print a program that signs in, or settings, for a framework or client (see below)',
      )
      .action(async (options: EnvOptions) => (await import('../env.ts')).env(options)),
    {
      json: false,
      apart: [
        ['shell', 'json', 'dotenv', 'for'],
        ['client', 'space'],
      ],
      examples: [
        { does: 'Set the variables in this shell', line: 'eval "$(hub-sandbox env)"' },
        { does: 'Write a .env file', line: 'hub-sandbox env --dotenv > .env' },
        {
          does: 'Write a Next.js program that signs in as an app',
          line: "hub-sandbox env --client 'Team Dashboard' --for nextjs | sh",
        },
      ],
      ending: `Programs for --for: ${frameworks.join(', ')}.
They come as a shell script that writes their files and .env, unless one of them exists. Small programs: python, openid-client, mcp.
If env fails, eval fails too, and HF_ENDPOINT is a URL that no client can reach, so that no app uses the real Hub by mistake.`,
    },
  )
}
