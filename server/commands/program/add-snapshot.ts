import type { Command } from 'commander'
import type { ControlOptions } from '../read-options.ts'
import { connected } from './define.ts'

export function addSnapshot(program: Command): void {
  const group = program
    .command('snapshot')
    .description('Save, restore, export or import the whole state')
  connected(
    group
      .command('create')
      .description('Save the current state and print the snapshot name')
      .argument('[name]')
      .action(async (name: string | undefined, options: ControlOptions) =>
        (await import('../snapshots.ts')).createSnapshot(name, options),
      ),
    {
      examples: [
        { does: 'Save the state under a name', line: 'hub-sandbox snapshot create signed-in' },
      ],
    },
  )
  connected(
    group
      .command('restore')
      .description('Restore a snapshot')
      .argument('<name>', 'Snapshot name, or "latest"')
      .action(async (name: string, options: ControlOptions) =>
        (await import('../snapshots.ts')).restoreSnapshot(name, options),
      ),
    {
      examples: [
        { does: 'Restore the newest snapshot', line: 'hub-sandbox snapshot restore latest' },
      ],
    },
  )
  connected(
    group
      .command('list', { isDefault: true })
      .description('List snapshots (default)')
      .action(async (options: ControlOptions) =>
        (await import('../snapshots.ts')).listSnapshots(options),
      ),
    {
      json: 'Print the items as JSON',
      examples: [
        { does: 'List name, time and size of all snapshots', line: 'hub-sandbox snapshot' },
      ],
    },
  )
  addSnapshotFiles(group)
}

function addSnapshotFiles(group: Command): void {
  connected(
    group
      .command('delete')
      .description('Delete a snapshot')
      .argument('<name>', 'Snapshot name, or "latest"')
      .action(async (name: string, options: ControlOptions) =>
        (await import('../snapshots.ts')).deleteSnapshot(name, options),
      ),
    {
      examples: [
        { does: 'Delete the newest snapshot', line: 'hub-sandbox snapshot delete latest' },
      ],
    },
  )
  connected(
    group
      .command('export')
      .description('Print the current state or a snapshot as fixtures')
      .argument('[name]', 'Snapshot name, or "latest"')
      .option('--log', 'Include recorded requests, sign-ins and deliveries')
      .action(async (name: string | undefined, options: ControlOptions & { log?: boolean }) =>
        (await import('../snapshots.ts')).exportSnapshot(name, options),
      ),
    {
      json: 'No effect: fixtures are always JSON',
      examples: [
        {
          does: 'Write a file for "start" and the desktop app',
          line: 'hub-sandbox snapshot export > now.hubsandbox',
        },
        {
          does: 'Include the log, with foreign credentials masked',
          line: 'hub-sandbox snapshot export --log > run.hubsandbox',
        },
      ],
    },
  )
  connected(
    group
      .command('import')
      .description('Import a fixtures file as a snapshot')
      .argument('<file>')
      .option('--name <name>', 'Name of the snapshot')
      .action(async (file: string, options: ControlOptions & { name?: string }) =>
        (await import('../snapshots.ts')).importSnapshot(file, options),
      ),
    {
      examples: [
        {
          does: 'Import a file; "snapshot restore theirs" then loads it',
          line: 'hub-sandbox snapshot import now.hubsandbox --name theirs',
        },
      ],
    },
  )
}
