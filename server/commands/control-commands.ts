import { Argument, type Command } from 'commander'
import { tryVariants } from '../contract/words/sandbox.ts'
import { completeCommand } from './complete-command.ts'
import type { ConnectOptions } from './connect.ts'
import type { FaultOptions } from './controls.ts'
import type { DemoName, DemoOptions } from './demo.ts'
import type { EnvOptions } from './env.ts'
import type { FlowsOptions, RequestsOptions } from './flows.ts'
import type { ListenCommandOptions } from './listen.ts'
import type { SummaryOptions } from './summary.ts'
import type { TokenOptions } from './token.ts'
import type { TriggerOptions } from './trigger.ts'

/** Commands that talk to a running sandbox, and `init`. Each is loaded when it is called. */
export function addControlCommands(program: Command): void {
  program
    .command('init')
    .argument('[file]', 'where to write it', 'hub-sandbox.json')
    .description('write a fixtures file to start from')
    .action(async (file: string) => (await import('./init.ts')).init(file))

  addConnectOptions(
    program
      .command('env')
      .description('print what a client app must set to use the running sandbox'),
  )
    .option('--shell', 'lines for a POSIX shell (the default)')
    .option('--json', 'as JSON')
    .option('--dotenv', 'as a .env file')
    .option('--client <id>', 'client id or name of the app (default: the first with a secret)')
    .option('--space <name>', 'the app of this Space')
    .option('--back-channel', 'for an app that reaches the sandbox by --back-channel-url')
    .option(
      '--for <program>',
      'code or settings for one of huggingface.js, python, openid-client, mcp, gradio, curl',
    )
    .action(async (options: EnvOptions) => (await import('./env.ts')).env(options))

  addConnectOptions(program.command('token').description('print a new access token'))
    .option('--user <name>', 'whose (default: the first user)')
    .option('--client <id>', 'client id of the app (default: the first public one)')
    .option('--scope <scopes>', 'scopes with spaces between (default: those of the app)')
    .option('--expires-in <time>', '8h, 90s, or a number of seconds')
    .option('--json', 'the whole token response')
    .action(async (options: TokenOptions) => (await import('./token.ts')).token(options))

  addConnectOptions(program.command('trigger').description('cause an event'))
    .argument('[event]', 'scope, or scope and action: repo.content, discussion.create')
    .option('--repo <name>', 'namespace/name; models/, datasets/ or spaces/ before it where needed')
    .option('--kind <kind>', 'which of its causes (default: the first)')
    .option('--set <path=value>', 'put a value into the payload; repeatable', collect)
    .option('--remove <path>', 'leave a field out of the payload; repeatable', collect)
    .option('--send', 'send a payload without changing anything')
    .option('--repeat <times>', 'how often')
    .option('--per-second <rate>', 'how many each second (default: at once)')
    .option('--repeats', 'show what is being repeated at a rate')
    .option('--stop <id>', 'stop one of these')
    .option('--preview', 'only show what would be sent')
    .option('--list', 'show all events')
    .option('--json', 'as JSON')
    .action(async (event: string | undefined, options: TriggerOptions) =>
      (await import('./trigger.ts')).trigger(event, options),
    )

  addConnectOptions(
    program.command('listen').description('watch deliveries in the terminal as they happen'),
  )
    .option(
      '--forward-to <address>',
      'send every event there while this runs: a port, localhost:8000/path or a URL',
    )
    .option('--secret <secret>', 'secret of that webhook')
    .option('--json', 'a line of JSON for each attempt')
    .action(async (options: ListenCommandOptions) => (await import('./listen.ts')).listen(options))

  addConnectOptions(
    program.command('reset').description('go back to the fixtures, completely'),
  ).action(async (options: ConnectOptions) => (await import('./controls.ts')).reset(options))
  addFlows(program)
  addClock(program)
  addFault(program)
  addSnapshot(program)
  addDemo(program)

  addConnectOptions(
    program.command('doctor').description('look for what commonly goes wrong'),
  ).action(async (options: ConnectOptions) => (await import('./doctor.ts')).doctor(options))
  program
    .command('completion')
    .argument('<shell>', 'bash, zsh or fish')
    .description('print a completion script for the shell')
    .action(async (shell: string) => (await import('./completion.ts')).completion(shell))
  program
    .command(completeCommand, { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) => (await import('./complete.ts')).complete(program, words))
}

function addFlows(program: Command): void {
  addConnectOptions(
    program.command('flows').description('show the sign-ins, or one of them step by step'),
  )
    .argument('[id]', 'sign-in')
    .option('--verbose', 'explain every step')
    .option('--limit <number>', 'how many of the latest (default: 100)')
    .option('--no-color', 'without colours (also NO_COLOR; none in a pipe)')
    .option('--json', 'as JSON')
    .action(async (id: string | undefined, options: FlowsOptions) =>
      (await import('./flows.ts')).flows(id, options),
    )
  addConnectOptions(
    program.command('requests').description('show the requests, and why some were refused'),
  )
    .option('--client <id>', 'of this app')
    .option('--user <name>', 'of this user')
    .option('--method <method>', 'with this method')
    .option('--path <text>', 'whose path has this in it')
    .option('--status <code>', '404, or 4xx')
    .option('--refused', 'only the refused ones')
    .option('--limit <number>', 'how many of the latest (default: 100)')
    .option('--no-color', 'without colours (also NO_COLOR; none in a pipe)')
    .option('--json', 'as JSON')
    .action(async (options: RequestsOptions) => (await import('./flows.ts')).requests(options))
  addConnectOptions(
    program
      .command('summary')
      .description('tell how the sign-ins and deliveries ended, as Markdown (for a CI job’s page)'),
  )
    .option('--json', 'each of them, as JSON')
    .action(async (options: SummaryOptions) => (await import('./summary.ts')).summary(options))
}

function addClock(program: Command): void {
  const clock = addConnectOptions(
    program.command('clock').description('read the clock of the sandbox, or move it'),
  ).action(async (options: ConnectOptions) => (await import('./controls.ts')).clock(options))
  const move = (name: string, description: string) =>
    addConnectOptions(clock.command(name).description(description))
  move('advance', 'move it on')
    .argument('<duration>', '8h, 90s, 250ms')
    .action(async (advance: string, options: ConnectOptions) =>
      (await import('./controls.ts')).clock(options, { advance }),
    )
  move('set', 'go to a time')
    .argument('<time>', 'ISO 8601')
    .action(async (set: string, options: ConnectOptions) =>
      (await import('./controls.ts')).clock(options, { set }),
    )
  move('freeze', 'let it stand still').action(async (options: ConnectOptions) =>
    (await import('./controls.ts')).clock(options, { frozen: true }),
  )
  move('resume', 'let it run again').action(async (options: ConnectOptions) =>
    (await import('./controls.ts')).clock(options, { frozen: false }),
  )
}

function addFault(program: Command): void {
  const fault = program.command('fault').description('delay, refuse, break or change answers')

  addConnectOptions(fault.command('add').description('add a rule, and print its id'))
    .option('--route <path>', 'requests to this path; * stands for anything')
    .option('--method <method>', 'requests with this method')
    .option('--grant-type <type>', 'token requests of this grant type')
    .option('--client <id>', 'requests of this app')
    .option('--webhook <id>', 'deliveries of this webhook instead; * = any')
    .option('--skip <number>', 'matches let through first')
    .option('--times <number>', 'matches concerned after that (default: all)')
    .option('--delay <duration>', 'wait before answering')
    .option('--status <code>', 'answer with this status')
    .option('--oauth-error <code>', 'refuse with this OAuth error')
    .option('--body <text>', 'answer with this body')
    .option('--set <path=value>', 'put a value into a JSON answer; repeatable', collect)
    .option('--remove <path>', 'leave a field out of a JSON answer; repeatable', collect)
    .option('--break <how>', 'reset, truncate or html')
    .action(async (options: FaultOptions) => (await import('./controls.ts')).addFault(options))
  addConnectOptions(fault.command('list').description('show all rules')).action(
    async (options: ConnectOptions) => (await import('./controls.ts')).listFaults(options),
  )
  addConnectOptions(fault.command('clear').description('remove all rules')).action(
    async (options: ConnectOptions) => (await import('./controls.ts')).clearFaults(options),
  )
}

function addSnapshot(program: Command): void {
  const snapshot = program
    .command('snapshot')
    .description('keep the whole state, and go back to it')
  addConnectOptions(snapshot.command('create').description('keep the present state'))
    .argument('[name]')
    .action(async (name: string | undefined, options: ConnectOptions) =>
      (await import('./controls.ts')).createSnapshot(name, options),
    )
  addConnectOptions(snapshot.command('restore').description('go back to a kept state'))
    .argument('<name>')
    .action(async (name: string, options: ConnectOptions) =>
      (await import('./controls.ts')).restoreSnapshot(name, options),
    )
  addConnectOptions(snapshot.command('list').description('show all snapshots')).action(
    async (options: ConnectOptions) => (await import('./controls.ts')).listSnapshots(options),
  )
  addConnectOptions(
    snapshot
      .command('export')
      .description('print a snapshot (default: the present state) as fixtures'),
  )
    .argument('[name]')
    .action(async (name: string | undefined, options: ConnectOptions) =>
      (await import('./controls.ts')).exportSnapshot(name, options),
    )
  addConnectOptions(snapshot.command('import').description('keep a fixtures file as a snapshot'))
    .argument('<file>')
    .option('--name <name>', 'name of the snapshot')
    .action(async (file: string, options: ConnectOptions & { name?: string }) =>
      (await import('./controls.ts')).importSnapshot(file, options),
    )
}

function addDemo(program: Command): void {
  const demo = program
    .command('demo')
    .description('play a client through a whole flow, on a sandbox of its own where none runs')
  const add = (name: DemoName, description: string) =>
    addConnectOptions(demo.command(name).description(description))
      .option('--user <name>', 'who takes part (default: the first who can)')
      .option('--verbose', 'each request and answer as it is on the wire')
      .option('--json', 'as one JSON document')
      .option('--no-color', 'without colours (also NO_COLOR; none in a pipe)')
  const play = async (name: DemoName, options: DemoOptions, variant?: string) =>
    (await import('./demo.ts')).demo(name, options, variant)

  for (const [name, description] of [
    ['sign-in', 'sign in with the authorization code flow and PKCE'],
    ['device', 'sign in on a device without a browser'],
  ] as const) {
    add(name, description)
      .option('--yes', 'the sandbox allows it in place of the user')
      .option('--deny', 'the sandbox says no in place of the user')
      .option('--open', 'open the address in the browser')
      .action((options: DemoOptions) => play(name, options))
  }
  for (const [name, description] of [
    ['exchange', 'exchange an app’s credentials for a member’s token, and for a stranger’s'],
    ['webhook', 'cause an event and receive it'],
  ] as const) {
    add(name, description)
      .option('--yes', 'for scripts: nobody is asked anything here')
      .action((options: DemoOptions) => play(name, options))
  }
  add('refused', 'make the usual mistakes, and see what the hub says and what mends them')
    .addArgument(new Argument('[mistake]', 'one of them (default: all)').choices(tryVariants))
    .action((variant: string | undefined, options: DemoOptions) =>
      play('refused', options, variant),
    )
  demo.addHelpText(
    'after',
    '\nEnds with 0 when it was played as asked, also where a refusal was asked for; 1 when it ended otherwise;\n2 for options that do not go together; 130 when it was interrupted.',
  )
}

export function addConnectOptions(command: Command): Command {
  return command
    .option('--url <address>', 'address of the sandbox (HUB_SANDBOX_URL)')
    .option('--data <folder>', 'data folder of the sandbox (HUB_SANDBOX_DATA)')
    .option('--control-token <token>', 'control token (HUB_SANDBOX_CONTROL_TOKEN)')
}

function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value]
}
