import type { Command } from 'commander'
import type { BarrierOptions } from '../barriers.ts'
import type { ControlOptions } from '../read-options.ts'
import { collect, connected } from './define.ts'
import { matchOptions } from './match-options.ts'

export function addBarrier(program: Command): void {
  const barrier = program
    .command('barrier')
    .description('Hold matching requests until they are released')
  connected(
    matchOptions(
      barrier.command('add').description('Hold the next matching requests; print the barrier id'),
    )
      .option('--count <number>', 'Number of requests to hold (default: 1)')
      .action(async (options: BarrierOptions) =>
        (await import('../barriers.ts')).putBarrier(options),
      ),
    {
      examples: [
        {
          does: 'Hold the next two refresh requests, to make them race',
          line: 'hub-sandbox barrier add --route /oauth/token --grant-type refresh_token --count 2',
        },
      ],
    },
  )
  connected(
    barrier
      .command('list', { isDefault: true })
      .description('List barriers and the requests they hold (default)')
      .action(async (options: ControlOptions) =>
        (await import('../barriers.ts')).listBarriers(options),
      ),
    {
      json: 'Print the items as JSON',
      examples: [
        {
          does: 'List all barriers with the ids of the held requests',
          line: 'hub-sandbox barrier',
        },
      ],
    },
  )
  connected(
    barrier
      .command('release')
      .description('Release the held requests and delete the barrier')
      .argument('<id>', 'Barrier id, or "latest"')
      .option(
        '--order <requests>',
        'Comma-separated request ids to release first, in order',
        collect,
      )
      .action(async (id: string, options: ControlOptions & { order?: string[] }) =>
        (await import('../barriers.ts')).releaseBarrier(id, options),
      ),
    {
      examples: [
        {
          does: 'Release them in the order in which they were received',
          line: 'hub-sandbox barrier release latest',
        },
      ],
    },
  )
}
