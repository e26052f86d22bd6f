import { type Command, Option } from 'commander'
import { adviceLevels, reportFormats } from '../../contract/words/advice.ts'
import { deliveryProfiles } from '../../contract/words/webhooks.ts'
import { auditFlows } from '../../contract/words/audit.ts'
import type { AppOptions } from '../audit-app.ts'
import type { ReceiverOptions } from '../audit.ts'
import { connected } from './define.ts'

/** Last lines of the help of an audit. */
export const auditEnding =
  'Exit codes: 0 no module of the level of --fail-on or worse failed; 1 one failed; 2 invalid usage, or something could not be reached; 3 nothing was judged; 130 stopped by Ctrl-C.'

export function addAudit(program: Command): void {
  const audit = program
    .command('audit')
    .description('Test apps and webhook receivers with incorrect and hostile messages')
  addAppAudit(audit)
  addReceiverAudit(audit)
}

function addAppAudit(audit: Command): void {
  connected(
    withReportOptions(
      audit
        .command('app')
        .description('Audit an app by one wrong sign-in after another')
        .requiredOption('--app <id>', 'Client id or name')
        .option('--start <url>', 'URL that starts a sign-in, opened without JavaScript')
        .option('--command <command>', 'Command that signs in once; no shell reads it')
        .option('--signed-in <url>', 'URL that responds with 2xx to signed-in users only')
        .option('--signed-in-text <text>', 'Text that only signed-in users see there')
        .option('--use <url>', 'URL by which the app calls the Hub')
        .option('--use-command <command>', 'Command by which the app calls the Hub')
        .option('--restart <command>', 'Command that restarts the app, for modules about metadata')
        .option('--flow <flow>', `Kind of sign-in: ${auditFlows.join(' or ')} (default: sign-in)`)
        .option('--user <name>', 'User who signs in (default: the first one)'),
    ).action(async (options: AppOptions) => (await import('../audit-app.ts')).auditApp(options)),
    {
      json: 'Print the report as JSON',
      apart: [
        ['format', 'json'],
        ['start', 'command'],
        ['use', 'useCommand'],
      ],
      needs: { signedInText: 'signedIn', use: 'start', useCommand: 'command' },
      examples: [
        {
          does: 'Test whether an app notices a callback of another sign-in',
          line: 'hub-sandbox audit app --app "$APP" --start "$APP_URL/login" --signed-in "$APP_URL/me" --only callback/state-changed',
        },
      ],
      ending: `Without --start and --command you sign in by hand in a terminal, when each module asks for it. Commands get HUB_SANDBOX_URL and HUB_SANDBOX_MODULE.\n${auditEnding}`,
    },
  )
}

function addReceiverAudit(audit: Command): void {
  connected(
    withReportOptions(
      audit
        .command('receiver')
        .description('Audit a webhook receiver')
        .argument('<receiver>', 'URL of the receiver, or id of a webhook')
        .option('--secret <secret>', 'Secret that it checks (default: that of the webhook)')
        .option('--secret-in <place>', 'Where it expects the secret: header or query')
        .option('--effects <url>', 'URL that returns how much work it has done')
        .option('--event <event>', 'Event to send (default: repo.content.update)')
        .option('--profile <profile>', `Delivery profile: ${deliveryProfiles.join(', ')}`)
        .option('--storm', 'Send the same events in several orders, with duplicates and retries')
        .option('--orders <number>', 'Number of orders of the storm (default: 5)')
        .option('--events <number>', 'Number of events of the storm (default: 100)')
        .option('--seed <seed>', 'Replay an order of the storm'),
    ).action(async (receiver: string, options: ReceiverOptions) =>
      (await import('../audit.ts')).auditReceiver(receiver, options),
    ),
    {
      json: 'Print the report as JSON',
      apart: [
        ['format', 'json'],
        ['storm', 'plan'],
        ['storm', 'only'],
        ['storm', 'skip'],
      ],
      needs: { orders: 'storm', events: 'storm', seed: 'storm' },
      examples: [
        {
          does: 'Audit a receiver that runs on this machine',
          line: `hub-sandbox audit receiver "$RECEIVER/webhooks/retrain" --secret 'a secret'`,
        },
        {
          does: 'Find work that is done twice',
          line: `hub-sandbox audit receiver "$RECEIVER/webhooks/retrain" --secret 'a secret' --storm --effects "$RECEIVER/count"`,
        },
      ],
      ending: auditEnding,
    },
  )
}

/** Adds the options that select modules and write the report. */
export function withReportOptions(command: Command): Command {
  const several = (value: string, previous: string[] | undefined) => [...(previous ?? []), value]
  return command
    .option('--plan <plan>', 'Modules to run: core or full (default: core)')
    .addOption(
      new Option('--only <module>', 'Run a module or family only; can be repeated').argParser(
        several,
      ),
    )
    .addOption(
      new Option('--skip <module>', 'Skip a module or family; can be repeated').argParser(several),
    )
    .option(
      '--fail-on <level>',
      `Level that fails: ${adviceLevels.join(', ')} or none (default: error)`,
    )
    .option('--format <format>', `Format: ${reportFormats.join(', ')} (default: text)`)
    .option('--out <file>', 'Write a file; its suffix selects the format')
    .option('--source <file>', 'File that SARIF and annotations point to (default: the fixtures)')
}
