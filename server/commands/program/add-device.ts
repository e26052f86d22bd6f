import type { Command } from 'commander'
import type { DeviceOptions } from '../devices.ts'
import type { ControlOptions } from '../read-options.ts'
import { collect, connected } from './define.ts'

export function addDevice(program: Command): void {
  const device = program
    .command('device')
    .description('list the codes of devices (the default), answer for one')
  connected(
    device
      .command('list', { isDefault: true })
      .description('show the codes that devices asked for')
      .action(async (options: ControlOptions) =>
        (await import('../devices.ts')).listDevices(options),
      ),
    {
      json: 'the items of the control API',
      examples: [{ does: 'the newest first', line: 'hub-sandbox device' }],
    },
  )
  for (const [decision, description, does] of [
    ['approve', 'allow it, as its user', 'the device that asked last gets a token of bob'],
    ['deny', 'say no, as its user', 'the device that asked last is refused'],
  ] as const) {
    connected(
      device
        .command(decision)
        .description(description)
        .argument('<code>', 'as the device shows it, or "latest"')
        .option('--user <name>', 'who answers (default: the first user)')
        .option('--organization <name>', 'organization ticked at consent; repeatable', collect)
        .action(async (code: string, options: DeviceOptions) =>
          (await import('../devices.ts')).answerForDevice(code, decision, options),
        ),
      { examples: [{ does, line: `hub-sandbox device ${decision} latest --user bob` }] },
    )
  }
}
