import type { Command } from 'commander'
import type { TriggerOptions } from '../trigger.ts'
import { collect, connected } from './define.ts'

/** What says how an event is caused. */
const causing = ['repo', 'kind', 'set', 'remove', 'send', 'repeat', 'perSecond', 'preview']

export function addTrigger(program: Command): void {
  connected(
    program
      .command('trigger')
      .description('cause an event')
      .argument('[event]', 'scope, or scope and action: repo.content, discussion.create')
      .option(
        '--repo <name>',
        'namespace/name; models/, datasets/ or spaces/ before it where needed',
      )
      .option('--kind <kind>', 'which of its causes (default: the first)')
      .option('--set <path=value>', 'put a value into the payload; repeatable', collect)
      .option('--remove <path>', 'leave a field out of the payload; repeatable', collect)
      .option('--send', 'send a payload without changing anything')
      .option('--repeat <times>', 'how often')
      .option('--per-second <rate>', 'how many each second (default: at once)')
      .option('--repeats', 'show what is being repeated at a rate')
      .option('--stop <id>', 'stop one of these, or "latest"')
      .option('--preview', 'only show what would be sent')
      .option('--list', 'show all events')
      .action(async (event: string | undefined, options: TriggerOptions) =>
        (await import('../trigger.ts')).trigger(event, options),
      ),
    {
      apart: [
        ...['event', ...causing].map((key) => ['list', 'repeats', 'stop', key]),
        ['preview', 'repeat'],
      ],
      needs: { perSecond: 'repeat' },
      examples: [
        {
          does: 'push to a dataset',
          line: 'hub-sandbox trigger repo.content --repo acme/corpus',
        },
        {
          does: 'see what the webhooks would get of a merge, and change nothing',
          line: 'hub-sandbox trigger discussion.update --kind merge --repo acme/corpus --preview',
        },
        {
          does: 'send a payload with a title of your own, a hundred times in ten seconds',
          line: "hub-sandbox trigger discussion.create --repo acme/corpus --send --set 'discussion.title=Hello' --repeat 100 --per-second 10",
        },
        { does: 'everything that can be caused', line: 'hub-sandbox trigger --list' },
      ],
    },
  )
}
