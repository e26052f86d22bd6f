import { type Command, Option } from 'commander'

/** A call that works as it is printed, and what it does. */
export interface Example {
  does: string
  /** A line for a POSIX shell. */
  line: string
  /** It goes on until Ctrl-C. */
  endless?: true
}

interface About {
  examples: readonly Example[]
  /** How it ends, where one might think otherwise. */
  ending?: string
  /** What `--json` prints; false where the command has its own, or none. */
  json?: string | false
}

const examples = new WeakMap<Command, readonly Example[]>()

/** What the help of a command shows, to be tried. */
export function examplesOf(command: Command): readonly Example[] {
  return examples.get(command) ?? []
}

/** Gives a command its `--json` and its examples. Every command has both, or a reason to have none. */
export function documented(command: Command, { examples: own, ending, json }: About): Command {
  if (json !== false) command.option('--json', json ?? 'the answer as JSON')
  examples.set(command, own)
  return command.addHelpText('after', () => helpText(own, ending))
}

/** {@link documented}, for a command that talks to a running sandbox. */
export function connected(command: Command, about: About): Command {
  documented(command, about)
  return addConnectOptions(command)
}

/** Shows in the help of a group how what is in it is called. */
export function documentGroup(group: Command): void {
  const byDefault = defaultCommandOf(group)
  const ending =
    byDefault === undefined
      ? undefined
      : `Alone it is "${group.name()} ${byDefault.name()}", and takes its options.`
  group.addHelpText('after', () => helpText(group.commands.flatMap(examplesOf), ending))
}

/** Examples and what else there is to say, as they stand below a help. */
export function helpText(own: readonly Example[], ending: string | undefined): string {
  const lines = own.flatMap(({ does, line }) => [`  # ${does}`, `  ${line}`])
  return [
    ...(own.length === 0 ? [] : ['', 'Examples:', ...lines]),
    ...(ending === undefined ? [] : ['', ending]),
  ].join('\n')
}

/** How a command is told which sandbox it is for. */
export function addConnectOptions(command: Command): Command {
  const options = [
    ['--url <address>', 'its address (HUB_SANDBOX_URL)'],
    ['--data <folder>', 'its data folder (HUB_SANDBOX_DATA)'],
    ['--control-token <token>', 'its control token (HUB_SANDBOX_CONTROL_TOKEN)'],
  ] as const
  for (const [flags, description] of options) {
    command.addOption(new Option(flags, description).helpGroup('Which sandbox:'))
  }
  return command
}

/** The command that is called where a group is called alone: `start`, or the one that shows what there is. */
export function defaultCommandOf(group: Command): Command | undefined {
  const { _defaultCommandName: name } = group as Command & { _defaultCommandName?: string | null }
  return group.commands.find((child) => child.name() === name)
}

/** For an option that may be given several times. */
export function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value]
}
