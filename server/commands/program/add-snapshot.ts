import type { Command } from 'commander'
import type { ControlOptions } from '../read-options.ts'
import { connected } from './define.ts'

export function addSnapshot(program: Command): void {
  const group = program
    .command('snapshot')
    .description('list snapshots of the whole state (the default), keep one, go back to one')
  connected(
    group
      .command('create')
      .description('keep the present state, and print the name of the snapshot')
      .argument('[name]')
      .action(async (name: string | undefined, options: ControlOptions) =>
        (await import('../snapshots.ts')).createSnapshot(name, options),
      ),
    {
      examples: [{ does: 'under a name', line: 'hub-sandbox snapshot create signed-in' }],
    },
  )
  connected(
    group
      .command('restore')
      .description('go back to a kept state')
      .argument('<name>', 'its name, or "latest"')
      .action(async (name: string, options: ControlOptions) =>
        (await import('../snapshots.ts')).restoreSnapshot(name, options),
      ),
    {
      examples: [{ does: 'as often as you like', line: 'hub-sandbox snapshot restore latest' }],
    },
  )
  connected(
    group
      .command('list', { isDefault: true })
      .description('show all snapshots')
      .action(async (options: ControlOptions) =>
        (await import('../snapshots.ts')).listSnapshots(options),
      ),
    {
      json: 'the items of the control API',
      examples: [{ does: 'name, time and size of each', line: 'hub-sandbox snapshot' }],
    },
  )
  addSnapshotFiles(group)
}

function addSnapshotFiles(group: Command): void {
  connected(
    group
      .command('delete')
      .description('delete a snapshot')
      .argument('<name>', 'its name, or "latest"')
      .action(async (name: string, options: ControlOptions) =>
        (await import('../snapshots.ts')).deleteSnapshot(name, options),
      ),
    { examples: [{ does: 'the newest', line: 'hub-sandbox snapshot delete latest' }] },
  )
  connected(
    group
      .command('export')
      .description('print a snapshot (default: the present state) as fixtures')
      .argument('[name]', 'its name, or "latest"')
      .option('--log', 'with what the run left behind: requests, sign-ins, deliveries')
      .action(async (name: string | undefined, options: ControlOptions & { log?: boolean }) =>
        (await import('../snapshots.ts')).exportSnapshot(name, options),
      ),
    {
      json: 'as it is without: fixtures are JSON',
      examples: [
        {
          does: 'a file that a start takes, and the desktop app opens',
          line: 'hub-sandbox snapshot export > now.hubsandbox',
        },
        {
          does: 'and that shows what happened, credentials of elsewhere masked',
          line: 'hub-sandbox snapshot export --log > run.hubsandbox',
        },
      ],
    },
  )
  connected(
    group
      .command('import')
      .description('keep a fixtures file as a snapshot')
      .argument('<file>')
      .option('--name <name>', 'name of the snapshot')
      .action(async (file: string, options: ControlOptions & { name?: string }) =>
        (await import('../snapshots.ts')).importSnapshot(file, options),
      ),
    {
      examples: [
        {
          does: '"snapshot restore theirs" then goes there',
          line: 'hub-sandbox snapshot import now.hubsandbox --name theirs',
        },
      ],
    },
  )
}
