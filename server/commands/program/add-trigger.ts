import type { Command } from 'commander'
import type { TriggerOptions } from '../trigger.ts'
import { collect, connected } from './define.ts'

/** Options of a new event. */
const causing = ['repo', 'kind', 'set', 'remove', 'send', 'repeat', 'preview']

export function addTrigger(program: Command): void {
  connected(
    program
      .command('trigger')
      .description('Trigger an event')
      .argument('[event]', 'Scope, or scope and action: repo.content, discussion.create')
      .option(
        '--repo <name>',
        'namespace/name, with its type before it if ambiguous, as in buckets/acme/results',
      )
      .option('--kind <kind>', 'Cause of the event (default: the first one)')
      .option('--set <path=value>', 'Set a field of the payload; repeatable', collect)
      .option('--remove <path>', 'Remove a field of the payload; repeatable', collect)
      .option('--send', 'Send the payload only, without changing the state')
      .option('--repeat <times>', 'Number of times to trigger the event')
      .option('--preview', 'Show what would be sent, without sending it')
      .option('--no-wait', 'Do not wait for the results of the deliveries')
      .option('--list', 'List all events, also without a sandbox')
      .action(async (event: string | undefined, options: TriggerOptions) =>
        (await import('../trigger.ts')).trigger(event, options),
      ),
    {
      apart: [...['event', ...causing].map((key) => ['list', key]), ['preview', 'repeat']],
      json: 'Print the response as JSON, without waiting for the deliveries',
      examples: [
        {
          does: 'Push to a dataset',
          line: 'hub-sandbox trigger repo.content --repo acme/corpus',
        },
        {
          does: 'Preview the payload of a merge',
          line: 'hub-sandbox trigger discussion.update --kind merge --repo acme/corpus --preview',
        },
        {
          does: 'Send 100 payloads with another title',
          line: "hub-sandbox trigger discussion.create --repo acme/corpus --send --set 'discussion.title=Hello' --repeat 100",
        },
        { does: 'List all events', line: 'hub-sandbox trigger --list' },
      ],
    },
  )
}
