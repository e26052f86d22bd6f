import type { Command } from 'commander'
import type { EnvOptions } from './env.ts'
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
    .option('--preview', 'only show what would be sent')
    .option('--list', 'show all events')
    .option('--json', 'as JSON')
    .action(async (event: string | undefined, options: TriggerOptions) =>
      (await import('./trigger.ts')).trigger(event, options),
    )
}

export function addConnectOptions(command: Command): Command {
  return command
    .option('--url <address>', 'address of the sandbox (HUB_SANDBOX_URL)')
    .option('--data <folder>', 'data folder of the sandbox (HUB_SANDBOX_DATA)')
    .option('--control-token <token>', 'control token (HUB_SANDBOX_CONTROL_TOKEN)')
}

export function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value]
}
