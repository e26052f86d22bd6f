import type { Command } from 'commander'
import type { ControlOptions } from '../read-options.ts'
import { connected } from './define.ts'

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('List or rotate the signing keys of ID tokens')
  connected(
    keys
      .command('list', { isDefault: true })
      .description('List the published keys, the current one first (default)')
      .action(async (options: ControlOptions) => (await import('../keys.ts')).listKeys(options)),
    {
      json: 'Print the items as JSON',
      examples: [{ does: 'List the published keys', line: 'hub-sandbox keys' }],
    },
  )
  connected(
    keys
      .command('rotate')
      .description('Sign with a new key and print its id')
      .option('--drop-old', 'Stop publishing the old key')
      .action(async (options: ControlOptions & { dropOld?: boolean }) =>
        (await import('../keys.ts')).rotateKeys(options),
      ),
    {
      examples: [
        { does: 'Older ID tokens stay valid', line: 'hub-sandbox keys rotate' },
        { does: 'Older ID tokens become invalid', line: 'hub-sandbox keys rotate --drop-old' },
      ],
    },
  )
}
