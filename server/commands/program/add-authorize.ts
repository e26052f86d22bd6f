import type { Command } from 'commander'
import type { AuthorizeCallOptions } from '../authorize.ts'
import { collect, connected } from './define.ts'

export function addAuthorize(program: Command): void {
  connected(
    program
      .command('authorize')
      .description('Sign a user in to an app without a browser')
      .argument('<url>', 'Authorization URL to which the app redirects the user')
      .option('--user <name>', 'User to sign in (default: the first user)')
      .option('--deny', 'Deny the request')
      .option('--organization <name>', 'Organization to grant access to; repeatable', collect)
      .action(async (url: string, options: AuthorizeCallOptions) =>
        (await import('../authorize.ts')).authorize(url, options),
      ),
    {
      json: 'Print the response as JSON: redirectTo',
      examples: [
        {
          does: 'Print the callback URL with the code, for bob',
          line: 'hub-sandbox authorize "$LOGIN_URL" --user bob',
        },
        {
          does: 'Deny: the callback URL has error=access_denied',
          line: 'hub-sandbox authorize "$LOGIN_URL" --deny',
        },
      ],
    },
  )
}
