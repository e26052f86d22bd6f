import type { Command } from 'commander'
import type { ControlOptions } from '../read-options.ts'
import { connected } from './define.ts'

export function addKeys(program: Command): void {
  const keys = program
    .command('keys')
    .description('list the keys that ID tokens are signed with (the default), or change them')
  connected(
    keys
      .command('list', { isDefault: true })
      .description('show the published keys, the present one first')
      .action(async (options: ControlOptions) => (await import('../keys.ts')).listKeys(options)),
    {
      json: 'the items of the control API',
      examples: [{ does: 'key ids and what each is for', line: 'hub-sandbox keys' }],
    },
  )
  connected(
    keys
      .command('rotate')
      .description('sign with a new key from now on, and print its id')
      .option('--drop-old', 'publish the new key alone: ID tokens of before verify no more')
      .action(async (options: ControlOptions & { dropOld?: boolean }) =>
        (await import('../keys.ts')).rotateKeys(options),
      ),
    {
      examples: [
        { does: 'ID tokens of before still verify', line: 'hub-sandbox keys rotate' },
        { does: 'ID tokens of before verify no more', line: 'hub-sandbox keys rotate --drop-old' },
      ],
    },
  )
}
