import type { Command } from 'commander'
import type { BarrierOptions } from '../barriers.ts'
import type { ControlOptions } from '../read-options.ts'
import { collect, connected } from './define.ts'
import { matchOptions } from './match-options.ts'

export function addBarrier(program: Command): void {
  const barrier = program
    .command('barrier')
    .description('list what holds requests (the default), hold some, let them go')
  connected(
    matchOptions(
      barrier.command('add').description('hold the next requests that match, and print its id'),
    )
      .option('--count <number>', 'how many are held; later ones pass (default: 1)')
      .action(async (options: BarrierOptions) =>
        (await import('../barriers.ts')).putBarrier(options),
      ),
    {
      examples: [
        {
          does: 'the next two refreshes wait, so that they can be made to race',
          line: 'hub-sandbox barrier add --route /oauth/token --grant-type refresh_token --count 2',
        },
      ],
    },
  )
  connected(
    barrier
      .command('list', { isDefault: true })
      .description('show all barriers, and what they hold')
      .action(async (options: ControlOptions) =>
        (await import('../barriers.ts')).listBarriers(options),
      ),
    {
      json: 'the items of the control API',
      examples: [{ does: 'with the ids of the requests that wait', line: 'hub-sandbox barrier' }],
    },
  )
  connected(
    barrier
      .command('release')
      .description('let the held requests go, and take the barrier away')
      .argument('<id>', 'its id, or "latest"')
      .option(
        '--order <requests>',
        'ids of requests with commas between, first to go first; the others follow',
        collect,
      )
      .action(async (id: string, options: ControlOptions & { order?: string[] }) =>
        (await import('../barriers.ts')).releaseBarrier(id, options),
      ),
    {
      examples: [
        { does: 'in the order in which they came', line: 'hub-sandbox barrier release latest' },
      ],
    },
  )
}
