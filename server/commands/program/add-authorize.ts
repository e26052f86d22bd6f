import type { Command } from 'commander'
import type { AuthorizeCallOptions } from '../authorize.ts'
import { collect, connected } from './define.ts'

export function addAuthorize(program: Command): void {
  connected(
    program
      .command('authorize')
      .description('sign a user in to an app without a browser')
      .argument('<url>', 'URL of the sandbox that the app redirects its users to')
      .option('--user <name>', 'who signs in (default: the first user)')
      .option('--deny', 'deny the request')
      .option('--organization <name>', 'organization ticked at consent; repeatable', collect)
      .action(async (url: string, options: AuthorizeCallOptions) =>
        (await import('../authorize.ts')).authorize(url, options),
      ),
    {
      json: 'the answer of the control API: redirectTo',
      examples: [
        {
          does: 'the URL at which the app gets its code, for bob',
          line: 'hub-sandbox authorize "$LOGIN_URL" --user bob',
        },
        {
          does: 'the app is told access_denied',
          line: 'hub-sandbox authorize "$LOGIN_URL" --deny',
        },
      ],
    },
  )
}
