import type { Command } from 'commander'
import type { FaultOptions } from '../faults.ts'
import type { ControlOptions } from '../read-options.ts'
import { collect, connected } from './define.ts'
import { matchOptions } from './match-options.ts'

export function addFault(program: Command): void {
  const fault = program
    .command('fault')
    .description('list the rules that change answers (the default), add one, remove them')
  addFaultAdd(fault)
  connected(
    fault
      .command('list', { isDefault: true })
      .description('show all rules')
      .action(async (options: ControlOptions) =>
        (await import('../faults.ts')).listFaults(options),
      ),
    {
      json: 'the items of the control API',
      examples: [{ does: 'each with how often it hit', line: 'hub-sandbox fault' }],
    },
  )
  connected(
    fault
      .command('remove')
      .description('remove a rule')
      .argument('<id>', 'its id, or "latest"')
      .action(async (id: string, options: ControlOptions) =>
        (await import('../faults.ts')).removeFault(id, options),
      ),
    { examples: [{ does: 'the one added last', line: 'hub-sandbox fault remove latest' }] },
  )
  connected(
    fault
      .command('clear')
      .description('remove all rules')
      .action(async (options: ControlOptions) =>
        (await import('../faults.ts')).clearFaults(options),
      ),
    { examples: [{ does: 'the hub answers as it should again', line: 'hub-sandbox fault clear' }] },
  )
}

function addFaultAdd(fault: Command): void {
  connected(
    matchOptions(fault.command('add').description('add a rule, and print its id'))
      .option('--webhook <id>', 'deliveries of this webhook instead; * = any')
      .option('--skip <number>', 'matches let through first')
      .option('--times <number>', 'matches concerned after that (default: all)')
      .option('--delay <duration>', 'wait before answering')
      .option('--status <code>', 'answer with this status')
      .option('--oauth-error <code>', 'refuse with this OAuth error')
      .option('--header <name=value>', 'set a header of the answer; repeatable', collect)
      .option('--body <text>', 'answer with this body')
      .option('--set <path=value>', 'put a value into a JSON answer; repeatable', collect)
      .option('--remove <path>', 'leave a field out of a JSON answer; repeatable', collect)
      .option('--id-token-kid <kid>', 'key id in the header of ID tokens')
      .option(
        '--id-token-claim <name=value>',
        'claim of ID tokens, as JSON or text; null removes it; repeatable',
        collect,
      )
      .option('--id-token-break-signature', 'ID tokens whose signature does not verify')
      .option('--break <how>', 'reset, truncate or html')
      .action(async (options: FaultOptions) => (await import('../faults.ts')).putFault(options)),
    {
      examples: [
        {
          does: 'the next token request is refused, the one after it is not',
          line: 'hub-sandbox fault add --route /oauth/token --status 503 --times 1',
        },
        {
          does: 'a hub that asks to wait',
          line: "hub-sandbox fault add --route '/api/*' --status 429 --header Retry-After=5 --times 1",
        },
        {
          does: 'ID tokens with a key that is not published, and for another app',
          line: 'hub-sandbox fault add --route /oauth/token --id-token-kid gone --id-token-claim aud=another-app',
        },
        {
          does: 'webhooks see their connection cut, once',
          line: "hub-sandbox fault add --webhook '*' --break reset --times 1",
        },
      ],
    },
  )
}
