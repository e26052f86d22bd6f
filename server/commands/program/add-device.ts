import type { Command } from 'commander'
import type { DeviceOptions } from '../devices.ts'
import type { ControlOptions } from '../read-options.ts'
import { collect, connected } from './define.ts'

export function addDevice(program: Command): void {
  const device = program.command('device').description('List, approve or deny device codes')
  connected(
    device
      .command('list', { isDefault: true })
      .description('List device codes (default)')
      .action(async (options: ControlOptions) =>
        (await import('../devices.ts')).listDevices(options),
      ),
    {
      json: 'Print the items as JSON',
      examples: [{ does: 'List device codes, newest first', line: 'hub-sandbox device' }],
    },
  )
  for (const [decision, description, does] of [
    ['approve', 'Approve a device as a user', 'Approve the newest device code as bob'],
    ['deny', 'Deny a device as a user', 'Deny the newest device code as bob'],
  ] as const) {
    connected(
      device
        .command(decision)
        .description(description)
        .argument('<code>', 'Code shown by the device, or "latest"')
        .option('--user <name>', 'User who decides (default: the first user)')
        .option('--organization <name>', 'Organization to grant access to; repeatable', collect)
        .action(async (code: string, options: DeviceOptions) =>
          (await import('../devices.ts')).answerForDevice(code, decision, options),
        ),
      { examples: [{ does, line: `hub-sandbox device ${decision} latest --user bob` }] },
    )
  }
}
