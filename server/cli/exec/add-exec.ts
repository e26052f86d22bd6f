import { type Command, Option } from 'commander'
import { ownCommand } from '../../app/config/own-command.ts'
import { ciDrills, ciProviders } from '../../contract/words/ci-words.ts'
import type { FlagKey } from '../../contract/flags.ts'
import { adviceLevels } from '../../contract/words/advice-words.ts'
import { commandText } from '../../core/shell-words.ts'
import { collect, documented, offer } from '../program/define.ts'
import { startFlags } from '../start-flags.ts'
import type { ExecOptions } from './exec-options.ts'

const examples = {
  'Run the tests against their own sandbox': 'hub-sandbox exec -- npm test',
  'Use the same ids in every run and report sign-ins as test cases':
    'hub-sandbox exec --seed 1 --junit sign-ins.xml -- pytest -x',
  'Fail for mistakes of the app that its tests do not notice':
    'hub-sandbox exec --fail-on error -- npm test',
  'Save the recorded traffic if the tests fail':
    'hub-sandbox exec --artifact left-behind -- npm test',
  'Test an app with a hard-coded hub URL':
    'hub-sandbox exec --intercept https://huggingface.co -- npm test',
  'Publish from CI without a token':
    'hub-sandbox exec --ci github -- hf upload alice/model file.txt',
  'Use a running sandbox': 'hub-sandbox exec --url "$HUB_SANDBOX_URL" -- go test ./...',
}

const ending = [
  'The sandbox is in memory and on a free port unless --data, --port or their environment variables are set. With --url, or with HUB_SANDBOX_URL and no flag of "start", the command uses the running sandbox.',
  'The command gets the variables of "hub-sandbox env" and HUB_SANDBOX_URL, and no token of the real Hub.',
  '',
  'Exit codes: that of the command, or 128 + n if signal n ended it; 127 command not found; 126 command not executable; 2 invalid usage; 1 the sandbox or --wait-for failed. If the command succeeds, --fail-on sets 1 for findings, and 3 if there was nothing to check.',
].join('\n')

/** Flags whose default differs from that of `start`. */
const otherTexts: ReadonlyMap<FlagKey, string> = new Map([
  ['port', 'Port to listen on (default: any free port)'],
  ['data', 'Folder for the state (default: in memory)'],
  ['ephemeral', 'Keep the state in memory only (default without --data)'],
])

/** Adds `exec`, whose code is loaded when it is called. */
export function addExec(program: Command): void {
  const command = program
    .command('exec')
    .description('Run a command against its own sandbox')
    .usage('[options] -- <command> [arguments]')
    .argument('[command...]', 'Command to run, with its arguments')
    .passThroughOptions()
    .action(async (words: string[], options: ExecOptions) => {
      // Commander drops the "--" without a trace.
      if (words.length === 0 || process.argv.at(-words.length - 1) !== '--') {
        command.error(`error: ${usageSentence(words)}`)
      }
      const { exec } = await import('./exec.ts')
      await exec(words, options)
    })
  const ofStart = startFlags({
    without: ['open', 'json', 'intercept', 'watch'],
    texts: otherTexts,
  })
  for (const option of [...execFlags(), ...ofStart]) command.addOption(option)
  documented(command, { json: false, examples, ending })
}

function usageSentence(words: readonly string[]): string {
  const isMissing = words.length === 0
  const right = commandText([
    ...ownCommand(),
    'exec',
    '--',
    ...(isMissing ? ['npm', 'test'] : words),
  ])
  const missing = `${isMissing ? 'missing command after' : 'the command must follow'} "--": ${right}`
  // PowerShell consumes an unquoted "--" itself.
  return process.platform === 'win32' ? `${missing} (in PowerShell: '--')` : missing
}

function execFlags(): Option[] {
  const options = [
    new Option('--url <url>', 'Use the sandbox at this URL (HUB_SANDBOX_URL)'),
    offer(new Option('--client <id>', 'Set the variables for this app: client id or name'), 'app'),
    offer(new Option('--space <name>', 'Set the variables for the app of this Space'), 'space'),
    repeatable('--wait-for <url>', 'Wait until this URL responds, for 60 s at most'),
    repeatable('--import <file>', 'Module to preload in Node programs'),
    new Option('--export-on-exit <file>', 'Write the final state as a fixtures file'),
    new Option('--artifact <folder>', 'Save requests, flows, deliveries and state in this folder'),
    new Option('--artifact-when <when>', 'When to save the artifact (default: failure)').choices([
      'failure',
      'always',
    ]),
    new Option('--junit <file>', 'Write sign-ins and deliveries as JUnit test cases'),
    new Option(
      '--fail-on <level>',
      `Check the requests of the run, over all resets; fail for this level: ${adviceLevels.join(', ')} or likely`,
    ),
    repeatable('--intercept <origins>', 'Redirect requests for these origins to the sandbox'),
    new Option('--ci <provider>', 'Run the command as a CI job with an identity').choices(
      ciProviders,
    ),
    repeatable('--ci-claim <name=value>', 'Claim of the CI job'),
    new Option('--ci-drill <mistake>', 'Give the CI job wrong ID tokens').choices(ciDrills),
    new Option('--proxy', 'Start a proxy that routes browsers to the sandbox'),
    new Option('--record <file>', 'Record the requests of the run'),
    new Option('--compare <file>', 'Fail if the requests differ from this recording'),
    new Option('--keep-token', 'Pass your token of the real Hub to the command'),
  ]
  return options.map((option) => option.helpGroup('Options of the run:'))
}

function repeatable(flags: string, description: string): Option {
  return new Option(flags, `${description}; repeatable`).argParser(collect)
}
