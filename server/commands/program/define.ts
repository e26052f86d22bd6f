import { type Command, Option } from 'commander'
import { CommandError } from '../command-error.ts'

/** A call that works as it is printed, and what it does. */
export interface Example {
  does: string
  /** A line for a POSIX shell. */
  line: string
  /** It goes on until Ctrl-C. */
  endless?: true
}

/** What of a call cannot be meant together, by the names that its options have in code. */
export interface Limits {
  /** At most one of each of these is said; `event` is the argument of that name. */
  apart?: readonly (readonly string[])[]
  /** What says nothing without another: `secret` → `forwardTo`. */
  needs?: Readonly<Record<string, string>>
}

interface About extends Limits {
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
export function documented(
  command: Command,
  { examples: own, ending, json, ...limits }: About,
): Command {
  if (json !== false) command.option('--json', json ?? 'the answer as JSON')
  limit(command, limits)
  examples.set(command, own)
  return command.addHelpText('after', () => helpText(own, ending))
}

/** Refuses a call before anything is done: half of it would be passed over in silence. */
function limit(command: Command, { apart = [], needs = {} }: Limits): void {
  const names = namesOf(command)
  const nameOf = (key: string) => {
    const name = names.get(key)
    if (name === undefined) throw new TypeError(`${command.name()} has no option ${key}`)
    return name
  }
  const groups = apart.map((group) => group.map((key) => ({ key, name: nameOf(key) })))
  const pairs = Object.entries(needs).map(([key, other]) => ({
    key,
    other,
    problem: `${nameOf(key)} says nothing without ${nameOf(other)}.`,
  }))
  command.hook('preAction', (_command, called) => {
    const said = saidIn(called)
    for (const group of groups) {
      const [first, second] = group.filter(({ key }) => said.has(key))
      if (first === undefined || second === undefined) continue
      refuse(`${first.name} and ${second.name} exclude each other.`)
    }
    for (const { key, other, problem } of pairs) {
      if (said.has(key) && !said.has(other)) refuse(problem)
    }
  })
}

/** How options and arguments are written, by their names in code. */
function namesOf(command: Command): ReadonlyMap<string, string> {
  return new Map([
    ...command.options.map((option) => [option.attributeName(), option.long ?? ''] as const),
    ...command.registeredArguments.map(
      (argument) => [argument.name(), `<${argument.name()}>`] as const,
    ),
  ])
}

function saidIn(command: Command): ReadonlySet<string> {
  const options = Object.keys(command.opts()).filter(
    (key) => command.getOptionValueSource(key) === 'cli',
  )
  const given = command.registeredArguments.flatMap((argument, index) =>
    command.args[index] === undefined ? [] : [argument.name()],
  )
  return new Set([...options, ...given])
}

function refuse(message: string): never {
  throw new CommandError(message, { exitCode: 2 })
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
function addConnectOptions(command: Command): Command {
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
