import { type Command, Option } from 'commander'
import { ownCommand } from '../../config/own-command.ts'
import type { FlagKey } from '../../contract/flags.ts'
import { commandText } from '../../core/shell-words.ts'
import { documented } from '../program/define.ts'
import { startFlags } from '../start-flags.ts'
import type { ExecOptions } from './exec-options.ts'

const examples = [
  { does: 'test against a sandbox that nobody else uses', line: 'hub-sandbox exec -- npm test' },
  {
    does: 'the same ids in every run, and its sign-ins among the test cases',
    line: 'hub-sandbox exec --seed 1 --junit sign-ins.xml -- pytest -x',
  },
  {
    does: 'a file that shows what happened, where it fails',
    line: 'hub-sandbox exec --artifact left-behind -- npm test',
  },
  {
    does: 'an app that has the hub’s own address written into it',
    line: 'hub-sandbox exec --intercept https://huggingface.co -- npm test',
  },
  {
    does: 'with the sandbox that runs',
    line: 'hub-sandbox exec --url "$HUB_SANDBOX_URL" -- go test ./...',
  },
]

const ending = `The sandbox is in memory and on a free port, unless --data, --port or their variables say otherwise. With --url, or
HUB_SANDBOX_URL where no flag of start is given, the program uses the one that runs there.
The program is given what "hub-sandbox env" prints, HUB_SANDBOX_URL, and no token of the real hub.

Ends as the program did: with its code, or 128 + n after the signal n. Else with 127 when there is no such program, 126
when it cannot be run, 2 for wrong usage, 1 when the sandbox or what was waited for failed.`

/** What goes without saying for a run is not what does for `start`. */
const otherTexts: ReadonlyMap<FlagKey, string> = new Map([
  ['port', 'port to listen on (default: any free one)'],
  ['data', 'where state lives (default: in memory)'],
  ['ephemeral', 'keep state in memory only (default where no data folder is named)'],
])

/** `exec`: loaded whole when it is called. */
export function addExec(program: Command): void {
  const command = program
    .command('exec')
    .description('run a program against a sandbox of its own, and end as it did')
    .usage('[options] -- <command> [arguments]')
    .argument('[command...]', 'the program and its arguments')
    .passThroughOptions()
    .action(async (words: string[], options: ExecOptions) => {
      // Commander does not tell whether there was one.
      if (words.length === 0 || process.argv.at(-words.length - 1) !== '--') {
        command.error(`error: ${usageSentence(words)}`)
      }
      const { exec } = await import('./exec.ts')
      await exec(words, options)
    })
  const ofStart = startFlags({ without: ['open', 'json', 'intercept'], texts: otherTexts })
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
  const missing = `${isMissing ? 'say what to run, behind' : 'what to run stands behind'} "--": ${right}`
  // PowerShell takes a bare one for its own.
  return process.platform === 'win32' ? `${missing} (in PowerShell: '--')` : missing
}

function execFlags(): Option[] {
  const options = [
    new Option('--url <address>', 'use the sandbox that runs there (HUB_SANDBOX_URL)'),
    new Option('--client <id>', 'app to set up: client id or name'),
    new Option('--space <name>', 'set up for the app of this Space'),
    repeatable('--wait-for <url>', 'wait until a server answers there, 60 s at most'),
    repeatable('--import <file>', 'module that Node programs load first'),
    new Option('--export-on-exit <file>', 'write the state of the end as a fixtures file'),
    new Option('--artifact <folder>', 'keep requests, flows, deliveries and state there'),
    new Option('--artifact-when <when>', 'when to keep them (default: failure)').choices([
      'failure',
      'always',
    ]),
    new Option('--junit <file>', 'write sign-ins and deliveries as test cases'),
    repeatable('--intercept <origins>', 'send requests to these origins to the sandbox'),
    new Option('--proxy', 'serve a proxy that leads browsers and other programs to the sandbox'),
    new Option('--record <file>', 'write the requests of the run down'),
    new Option('--compare <file>', 'fail when the requests differ from those'),
    new Option('--keep-token', 'let the program have your token of the real hub'),
  ]
  return options.map((option) => option.helpGroup('Options of the run:'))
}

function repeatable(flags: string, description: string): Option {
  return new Option(flags, `${description}; repeatable`).argParser(
    (value: string, previous: string[] | undefined) => [...(previous ?? []), value],
  )
}
