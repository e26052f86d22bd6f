import { adviceLevels, reportFormats } from '../../contract/words/advice-words.ts'
import { auditFlows } from '../../contract/words/audit-words.ts'
import { deliveryProfiles } from '../../contract/words/webhook-words.ts'
import { driftFormats } from '../../contract/words/drift-words.ts'
import { group, type Row } from '../program/row.ts'

const format = `Format: ${reportFormats.join(', ')} (default: text)`
const out = 'Write a file; its suffix selects the format'
const source = 'File that SARIF and annotations point to (default: the fixtures)'

export const check: Row = {
  name: 'check',
  does: 'Check recorded requests and deliveries for mistakes of apps and receivers',
  options: {
    '--app <id>': 'Check one app: client id or name',
    '--since <duration>':
      'Report only what has occurred in this time, such as 10m, or since the last reset: reset',
    '--fail-on <level>': `Level that fails: ${adviceLevels.join(', ')}, likely or none (default: error)`,
    '--max-warnings <number>': 'Number of warnings above which the check fails',
    '--ignore <rule=reason>': {
      help: 'Ignore the findings of a check, with the reason; can be repeated',
      repeatable: true,
    },
    '--baseline <file>': 'Fail for findings only that are not in this file',
    '--update-baseline': 'Write the present findings to the baseline',
    '--format <format>': format,
    '--out <file>': out,
    '--source <file>': source,
    '--explain <rule>': 'Explain a check, or a module of an audit',
    '--list': 'List the checks',
  },
  load: async () => (await import('../check.ts')).check,
  json: 'Print findings and checks as JSON',
  apart: [
    ['explain', 'list'],
    ['app', 'explain'],
    ['app', 'list'],
    ['since', 'explain'],
    ['since', 'list'],
    ['format', 'explain'],
    ['format', 'list'],
    ['format', 'json'],
  ],
  examples: {
    'Fail a CI job if the app made a mistake': 'hub-sandbox check',
    'Write the findings for code scanning': 'hub-sandbox check --out checks.sarif',
    'Start with the mistakes that an app has':
      'hub-sandbox check --baseline checks.json --update-baseline',
    'Explain a check': 'hub-sandbox check --explain token/refresh-race',
  },
  ending:
    'Exit codes: 0 no finding; 1 findings of the level of --fail-on or worse; 2 invalid usage or no sandbox found; 3 nothing to check.',
}

const auditEnding =
  'Exit codes: 0 no module of the level of --fail-on or worse failed; 1 one failed; 2 invalid usage, or something could not be reached; 3 nothing was judged; 130 stopped by Ctrl-C.'

/** Options that select modules and write the report. */
const reportOptions: Row['options'] = {
  '--plan <plan>': 'Modules to run: core or full (default: core)',
  '--only <module>': { help: 'Run a module or family only; can be repeated', repeatable: true },
  '--skip <module>': { help: 'Skip a module or family; can be repeated', repeatable: true },
  '--fail-on <level>': `Level that fails: ${adviceLevels.join(', ')} or none (default: error)`,
  '--format <format>': format,
  '--out <file>': out,
  '--source <file>': source,
}

export const audit = group(
  'audit',
  'Test apps and webhook receivers with incorrect and hostile messages',
  [
    {
      name: 'app',
      does: 'Audit an app by one wrong sign-in after another',
      options: {
        '--app <id>': { help: 'Client id or name', required: true },
        '--start <url>': 'URL that starts a sign-in, opened without JavaScript',
        '--command <command>': 'Command that signs in once; no shell reads it',
        '--signed-in <url>': 'URL that responds with 2xx to signed-in users only',
        '--signed-in-text <text>': 'Text that only signed-in users see there',
        '--use <url>': 'URL by which the app calls the Hub',
        '--use-command <command>': 'Command by which the app calls the Hub',
        '--restart <command>': 'Command that restarts the app, for modules about metadata',
        '--flow <flow>': `Kind of sign-in: ${auditFlows.join(' or ')} (default: sign-in)`,
        '--user <name>': { help: 'User who signs in (default: the first one)', of: 'user' },
        ...reportOptions,
      },
      load: async () => (await import('../audit-app-command.ts')).auditApp,
      json: 'Print the report as JSON',
      apart: [
        ['format', 'json'],
        ['start', 'command'],
        ['use', 'useCommand'],
      ],
      needs: { signedInText: 'signedIn', use: 'start', useCommand: 'command' },
      examples: {
        'Test whether an app notices a callback of another sign-in':
          'hub-sandbox audit app --app "$APP" --start "$APP_URL/login" --signed-in "$APP_URL/me" --only callback/state-changed',
      },
      ending: `Without --start and --command you sign in by hand in a terminal, when each module asks for it. Commands get HUB_SANDBOX_URL and HUB_SANDBOX_MODULE.\n${auditEnding}`,
    },
    {
      name: 'receiver <receiver>',
      does: 'Audit a webhook receiver',
      arguments: { receiver: 'URL of the receiver, or id of a webhook' },
      options: {
        '--secret <secret>': 'Secret that it checks (default: that of the webhook)',
        '--secret-in <place>': 'Where it expects the secret: header or query',
        '--effects <url>': 'URL that returns how much work it has done',
        '--event <event>': 'Event to send (default: repo.content.update)',
        '--profile <profile>': `Delivery profile: ${deliveryProfiles.join(', ')}`,
        '--storm': 'Send the same events in several orders, with duplicates and retries',
        '--orders <number>': 'Number of orders of the storm (default: 5)',
        '--events <number>': 'Number of events of the storm (default: 100)',
        '--seed <seed>': 'Replay an order of the storm',
        '--restart <url>': 'URL that restarts the receiver, for the storm to call',
        ...reportOptions,
      },
      load: async () => (await import('../audit-receiver-command.ts')).auditReceiver,
      json: 'Print the report as JSON',
      apart: [
        ['format', 'json'],
        ['storm', 'plan'],
        ['storm', 'only'],
        ['storm', 'skip'],
      ],
      needs: { orders: 'storm', events: 'storm', seed: 'storm', restart: 'storm' },
      examples: {
        'Audit a receiver that runs on this machine': `hub-sandbox audit receiver "$RECEIVER/webhooks/retrain" --secret 'a secret'`,
        'Find work that is done twice': `hub-sandbox audit receiver "$RECEIVER/webhooks/retrain" --secret 'a secret' --storm --effects "$RECEIVER/count"`,
      },
      ending: auditEnding,
    },
  ],
)

export const drift: Row = {
  name: 'drift',
  does: 'Compare the sandbox with the OpenAPI document of the Hub, or with a Hub',
  options: {
    '--openapi <document>': 'OpenAPI document of the Hub: file or URL',
    '--against <url>': 'URL of a Hub; the calls only read',
    '--token <token>': 'Access token for that Hub; no other host gets it',
    '--repo <repo>': {
      help: 'Repo to read there, such as acme/tiny, datasets/acme/corpus or spaces/acme/demo (default: the first that it lists); one of each type',
      repeatable: true,
    },
    '--rate <number>': 'Calls a second at most (default: 2)',
    '--fixtures <file>': 'Fixtures of the sandbox beside that Hub (default: the default fixtures)',
    '--all': 'Print known differences as well, with their reasons',
    '--explain <key>': 'Explain a difference',
    '--format <format>': { help: 'Format (default: text)', choices: driftFormats },
    '--out <file>': out,
  },
  connects: false,
  load: async () => (await import('../drift-command.ts')).drift,
  json: 'Print the report as JSON',
  apart: [
    ['openapi', 'against'],
    ['format', 'json'],
    ['explain', 'format'],
    ['explain', 'json'],
    ['explain', 'out'],
  ],
  needs: { token: 'against', repo: 'against', rate: 'against', fixtures: 'against' },
  examples: {
    'Write what differs from the document of the Hub, and fail for no difference':
      'hub-sandbox drift --openapi "$HUB_OPENAPI" --out drift.md || test $? = 1',
    'Compare with a Hub by calls that only read':
      'hub-sandbox drift --against "$HUB_URL" --token "$HF_TOKEN" --rate 50 || test $? = 1',
  },
  ending:
    'Exit codes: 0 all differences are known; 1 others were found, or a known one is gone; 2 invalid usage, or no document or Hub.',
}
