import type { Command } from 'commander'
import type { DeliveriesOptions } from '../deliveries.ts'
import type { ControlOptions } from '../read-options.ts'
import { connected } from './define.ts'

export function addDeliveries(program: Command): void {
  const deliveries = program
    .command('deliveries')
    .description('list deliveries or show one (the default), replay some, give one up')
  addDeliveriesList(deliveries)
  connected(
    deliveries
      .command('replay')
      .description('send deliveries once more, to the present address')
      .argument('<ids...>', 'deliveries, or "latest"')
      .option('--payload <file>', 'JSON or YAML to send instead, as a new delivery; of one alone')
      .action(async (ids: string[], options: ControlOptions & { payload?: string }) =>
        (await import('../deliveries.ts')).replayDeliveries(ids, options),
      ),
    {
      examples: [
        { does: 'the newest, as it was', line: 'hub-sandbox deliveries replay latest' },
        {
          does: 'with a body of your own, signed for its webhook',
          line: 'hub-sandbox deliveries replay latest --payload payload.json',
        },
      ],
      ending: 'Ends with 1 where one of them was not received.',
    },
  )
  connected(
    deliveries
      .command('cancel')
      .description('give a delivery up that is not finished')
      .argument('<id>', 'delivery, or "latest"')
      .action(async (id: string, options: ControlOptions) =>
        (await import('../deliveries.ts')).cancelDelivery(id, options),
      ),
    {
      examples: [
        {
          does: 'no retry of the newest is made any more',
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
      .description('show deliveries, the newest last, or one with every attempt')
      .argument('[id]', 'delivery, or "latest"')
      .option('--state <states>', 'in this state, or these with commas; skipped ones if asked for')
      .option('--webhook <id>', 'of this webhook')
      .option('--repo <name>', 'of this repo')
      .option('--scope <scope>', 'of this scope; repo.* = narrower ones, too')
      .option('--since <time>', 'made at or after this time (ISO 8601)')
      .option('--limit <number>', 'how many of the latest (default: 100)')
      .action(async (id: string | undefined, options: DeliveriesOptions) =>
        (await import('../deliveries.ts')).listOrShowDeliveries(id, options),
      ),
    {
      json: 'the items of the control API, the newest first; of one the whole of it',
      examples: [
        {
          does: 'what did not get through',
          line: 'hub-sandbox deliveries --state failed,waiting',
        },
        { does: 'the newest, attempt by attempt', line: 'hub-sandbox deliveries latest' },
      ],
    },
  )
}
