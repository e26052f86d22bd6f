import type { Command } from 'commander'
import type { FaultOptions } from '../faults.ts'
import type { ControlOptions } from '../read-options.ts'
import { collect, connected } from './define.ts'
import { matchOptions } from './match-options.ts'

export function addFault(program: Command): void {
  const fault = program.command('fault').description('Delay, change or refuse chosen responses')
  addFaultAdd(fault)
  connected(
    fault
      .command('list', { isDefault: true })
      .description('List fault rules (default)')
      .action(async (options: ControlOptions) =>
        (await import('../faults.ts')).listFaults(options),
      ),
    {
      json: 'Print the items as JSON',
      examples: [{ does: 'List all rules with their number of hits', line: 'hub-sandbox fault' }],
    },
  )
  connected(
    fault
      .command('remove')
      .description('Remove a rule')
      .argument('<id>', 'Rule id, or "latest"')
      .action(async (id: string, options: ControlOptions) =>
        (await import('../faults.ts')).removeFault(id, options),
      ),
    { examples: [{ does: 'Remove the newest rule', line: 'hub-sandbox fault remove latest' }] },
  )
  connected(
    fault
      .command('clear')
      .description('Remove all rules')
      .action(async (options: ControlOptions) =>
        (await import('../faults.ts')).clearFaults(options),
      ),
    { examples: [{ does: 'Return to normal responses', line: 'hub-sandbox fault clear' }] },
  )
}

function addFaultAdd(fault: Command): void {
  connected(
    matchOptions(fault.command('add').description('Add a rule and print its id'))
      .option('--flow <which>', 'Match the next sign-in of the app only: next')
      .option('--webhook <id>', 'Match deliveries of this webhook instead; * = any')
      .option('--skip <number>', 'Number of matches to let through first')
      .option('--times <number>', 'Number of matches to change after that (default: all)')
      .option('--delay <duration>', 'Delay the response')
      .option('--status <code>', 'Respond with this status')
      .option('--oauth-error <code>', 'Respond with this OAuth error')
      .option('--header <name=value>', 'Set a response header; repeatable', collect)
      .option('--body <text>', 'Respond with this body')
      .option('--set <path=value>', 'Set a field of the JSON response; repeatable', collect)
      .option('--remove <path>', 'Remove a field of the JSON response; repeatable', collect)
      .option('--id-token-kid <kid>', 'Key id in the header of ID tokens')
      .option(
        '--id-token-claim <name=value>',
        'Set an ID token claim (JSON or string); null removes it; repeatable',
        collect,
      )
      .option('--id-token-break-signature', 'Issue ID tokens with an invalid signature')
      .option(
        '--id-token-header <name=value>',
        'Change the header of ID tokens: alg, jku, x5u, jwk=true or kid=null; repeatable',
        collect,
      )
      .option(
        '--id-token-sign <how>',
        'Sign ID tokens with none, hs256-public-key, other-key or broken',
      )
      .option(
        '--redirect-set <name=value>',
        'Set a parameter of the redirect to the app; repeatable',
        collect,
      )
      .option(
        '--redirect-remove <name>',
        'Remove a parameter of the redirect to the app; repeatable',
        collect,
      )
      .option('--redirect-code-length <number>', 'Length of the code in the redirect to the app')
      .option('--redirect-scope <scopes>', 'Scopes that the user grants, of the requested ones')
      .option(
        '--lengthen <token=number>',
        'Length of accessToken or refreshToken in characters; repeatable',
        collect,
      )
      .option('--ci-drill <mistake>', 'Make a mistake in the ID token of a CI job')
      .option('--break <how>', 'Break the response: reset, truncate or html')
      .action(async (options: FaultOptions) => (await import('../faults.ts')).putFault(options)),
    {
      examples: [
        {
          does: 'Refuse the next token request only',
          line: 'hub-sandbox fault add --route /oauth/token --status 503 --times 1',
        },
        {
          does: 'Rate-limit the next API request',
          line: "hub-sandbox fault add --route '/api/*' --status 429 --header Retry-After=5 --times 1",
        },
        {
          does: 'Issue ID tokens with an unpublished key and a wrong audience',
          line: 'hub-sandbox fault add --route /oauth/token --id-token-kid gone --id-token-claim aud=another-app',
        },
        {
          does: 'Issue an unsigned ID token in the next sign-in of an app',
          line: "hub-sandbox fault add --client 'Team Dashboard' --flow next --id-token-sign none",
        },
        {
          does: 'Return to the app with another issuer (RFC 9207)',
          line: 'hub-sandbox fault add --redirect-set iss=https://other.example --times 1',
        },
        {
          does: 'Cut the connection of the next delivery',
          line: "hub-sandbox fault add --webhook '*' --break reset --times 1",
        },
      ],
    },
  )
}
