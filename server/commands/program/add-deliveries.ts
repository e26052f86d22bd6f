import type { Command } from 'commander'
import type { DeliveriesOptions } from '../deliveries.ts'
import type { ControlOptions } from '../read-options.ts'
import { queryHelp } from '../list-words.ts'
import { connected } from './define.ts'

export function addDeliveries(program: Command): void {
  const deliveries = program.command('deliveries').description('List, replay or cancel deliveries')
  addDeliveriesList(deliveries)
  connected(
    deliveries
      .command('replay')
      .description('Send deliveries again, to the current URL')
      .argument('<ids...>', 'Delivery ids, or "latest"')
      .option('--payload <file>', 'JSON or YAML file to send instead; one delivery only')
      .action(async (ids: string[], options: ControlOptions & { payload?: string }) =>
        (await import('../deliveries.ts')).replayDeliveries(ids, options),
      ),
    {
      examples: [
        {
          does: 'Replay the newest delivery unchanged',
          line: 'hub-sandbox deliveries replay latest',
        },
        {
          does: 'Send another payload, signed for the webhook',
          line: 'hub-sandbox deliveries replay latest --payload payload.json',
        },
      ],
      ending: 'Exits with 1 if a replayed delivery failed.',
    },
  )
  connected(
    deliveries
      .command('when-back')
      .description('Replay deliveries when their receiver is back')
      .argument('[webhook]', 'Webhook id or name (default: every one that fails now)')
      .option('--cancel', 'Stop waiting')
      .action(async (webhook: string | undefined, options: ControlOptions & { cancel?: true }) =>
        (await import('../deliveries.ts')).replayWhenBack(webhook, options),
      ),
    {
      json: 'Print the webhooks as JSON',
      examples: [
        {
          does: 'Wait for every receiver that fails now',
          line: 'hub-sandbox deliveries when-back',
        },
        {
          does: 'Stop waiting',
          line: 'hub-sandbox deliveries when-back --cancel',
        },
      ],
      ending:
        'The sandbox waits, not the command: it replays the newest failed delivery every 2 to 30 s, and all of them once the receiver accepts one.',
    },
  )
  connected(
    deliveries
      .command('release')
      .description('Send a delivery that is held because of a loop')
      .argument('<id>', 'Delivery id, or "latest"')
      .action(async (id: string, options: ControlOptions) =>
        (await import('../deliveries.ts')).releaseDelivery(id, options),
      ),
    {
      examples: [
        {
          does: 'Let a webhook that triggers itself go one more round',
          line: 'hub-sandbox deliveries release latest',
        },
      ],
    },
  )
  connected(
    deliveries
      .command('cancel')
      .description('Cancel a pending delivery')
      .argument('<id>', 'Delivery id, or "latest"')
      .action(async (id: string, options: ControlOptions) =>
        (await import('../deliveries.ts')).cancelDelivery(id, options),
      ),
    {
      examples: [
        {
          does: 'Stop retrying the newest delivery',
          line: 'hub-sandbox deliveries cancel latest',
        },
      ],
    },
  )
}

function addDeliveriesList(deliveries: Command): void {
  connected(
    deliveries
      .command('list', { isDefault: true })
      .description('List deliveries or show one (default)')
      .argument('[id-or-query...]', 'Delivery id, "latest", or a query such as status:5xx')
      .option('--html [file]', 'Write a delivery as HTML (default file: delivery-ID.html)')
      .option('--state <states>', 'Comma-separated states; "skipped" is listed on request only')
      .option('--webhook <id>', 'Filter by webhook')
      .option('--repo <name>', 'Filter by repo')
      .option('--scope <scope>', 'Filter by event scope; repo.* includes narrower scopes')
      .option('--since <time>', 'Created at or after this time (ISO 8601)')
      .option('--limit <number>', 'Maximum number of entries (default: 100)')
      .action(async (words: string[], options: DeliveriesOptions) =>
        (await import('../deliveries.ts')).listOrShowDeliveries(words, options),
      ),
    {
      json: 'Print the items as JSON, newest first, or one delivery',
      examples: [
        {
          does: 'List failed deliveries and pending retries',
          line: 'hub-sandbox deliveries --state failed,failing',
        },
        {
          does: 'List deliveries of the last hour with a slow response',
          line: "hub-sandbox deliveries 'took:>1s from:1h'",
        },
        {
          does: 'Show the newest delivery with every attempt',
          line: 'hub-sandbox deliveries latest',
        },
      ],
      ending: queryHelp('deliveries'),
    },
  )
}
