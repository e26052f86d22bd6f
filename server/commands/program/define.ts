import { type Command, Option } from 'commander'
import { CommandError } from '../command-error.ts'
import { wrap } from '../../core/wrap.ts'

/** Example of a command that works as printed. */
export interface Example {
  /** Description, imperative. */
  does: string
  /** A line for a POSIX shell. */
  line: string
  /** Set for an example that runs until Ctrl-C. */
  endless?: true
}

/** Rules for combining options, by their names in code. */
export interface Limits {
  /** Groups of options and arguments that cannot be combined. */
  apart?: readonly (readonly string[])[]
  /** Options that require another one: `secret` → `forwardTo`. */
  needs?: Readonly<Record<string, string>>
}

interface About extends Limits {
  examples: readonly Example[]
  /** Last lines of the help, such as the exit codes. */
  ending?: string
  /** Help of `--json`; false for a command with its own `--json`, or none. */
  json?: string | false
}

const examples = new WeakMap<Command, readonly Example[]>()

/** Returns the examples of a command. */
export function examplesOf(command: Command): readonly Example[] {
  return examples.get(command) ?? []
}

/** Adds `--json`, option rules and examples to a command. */
export function documented(
  command: Command,
  { examples: own, ending, json, ...limits }: About,
): Command {
  if (json !== false) command.option('--json', json ?? 'Print the response as JSON')
  limit(command, limits)
  examples.set(command, own)
  return addHelp(command, () => own, ending)
}

/** Refuses contradictory options before the command runs. */
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
    problem: `${nameOf(key)} requires ${nameOf(other)}.`,
  }))
  command.hook('preAction', (_command, called) => {
    const said = saidIn(called)
    for (const group of groups) {
      const [first, second] = group.filter(({ key }) => said.has(key))
      if (first === undefined || second === undefined) continue
      refuse(`${first.name} and ${second.name} cannot be combined.`)
    }
    for (const { key, other, problem } of pairs) {
      if (said.has(key) && !said.has(other)) refuse(problem)
    }
  })
}

/** Returns options and arguments as the user writes them, by their names in code. */
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

/** Documents a command that calls a running sandbox, like {@link documented}. */
export function connected(command: Command, about: About): Command {
  documented(command, about)
  return addConnectOptions(command)
}

/** Adds the examples of all subcommands to the help of a group. */
export function documentGroup(group: Command): void {
  const byDefault = defaultCommandOf(group)
  const ending =
    byDefault === undefined
      ? undefined
      : `Without a subcommand, "${group.name()}" runs "${group.name()} ${byDefault.name()}" and accepts its options.`
  addHelp(group, () => group.commands.flatMap(examplesOf), ending)
}

/**
 * Adds examples and last lines to the help of a command. The last lines are wrapped, the examples are not, so that they can
 * be copied.
 */
export function addHelp(
  command: Command,
  listExamples: () => readonly Example[],
  ending: string | undefined,
): Command {
  return command.addHelpText('after', () => {
    const lines = listExamples().flatMap(({ does, line }) => [`  # ${does}`, `  ${line}`])
    const width = command.configureOutput().getOutHelpWidth?.() ?? 80
    return [
      ...(lines.length === 0 ? [] : ['', 'Examples:', ...lines]),
      ...(ending === undefined ? [] : ['', ...wrapLines(ending, width)]),
    ].join('\n')
  })
}

/** Wraps each line. A row of a list, such as `  key: text`, continues below its text. */
function wrapLines(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    const [, head = '', rest = line] = /^( +\S+ +)(.*)$/.exec(line) ?? []
    return wrap(rest, Math.max(width - head.length, 20)).map((part, index) =>
      index === 0 ? head + part : ' '.repeat(head.length) + part,
    )
  })
}

/** Adds the options that choose the sandbox. */
function addConnectOptions(command: Command): Command {
  const options = [
    ['--url <url>', 'URL of the sandbox (HUB_SANDBOX_URL)'],
    ['--data <folder>', 'Data folder of the sandbox (HUB_SANDBOX_DATA)'],
    ['--control-token <token>', 'Control token (HUB_SANDBOX_CONTROL_TOKEN)'],
  ] as const
  for (const [flags, description] of options) {
    command.addOption(new Option(flags, description).helpGroup('Options to choose the sandbox:'))
  }
  return command
}

/** Returns the default subcommand of a group, such as `start` or `list`. */
export function defaultCommandOf(group: Command): Command | undefined {
  const { _defaultCommandName: name } = group as Command & { _defaultCommandName?: string | null }
  return group.commands.find((child) => child.name() === name)
}

/** Collects the values of a repeatable option. */
export function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value]
}
