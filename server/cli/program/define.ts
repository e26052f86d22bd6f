import { Argument, type Command, Option } from 'commander'
import { CommandError } from '../command-error.ts'
import { wrap } from '../../core/wrap.ts'
import type { KindName } from './kinds.ts'
import type { About } from './row.ts'

/** Example of a command that works as printed. */
export interface Example {
  /** Description, imperative. */
  does: string
  /** A line for a POSIX shell. */
  line: string
  /** Set for an example that runs until Ctrl-C. */
  endless?: true
}

const examples = new WeakMap<Command, readonly Example[]>()

/** Returns the examples of a command. */
export function examplesOf(command: Command): readonly Example[] {
  return examples.get(command) ?? []
}

/** Values that completion offers: a list, or those of a kind in the sandbox. */
type Offer = readonly string[] | KindName

const offers = new WeakMap<Argument | Option, Offer>()

/** Returns what completion offers for an argument or option. */
export function offerOf(given: Argument | Option): Offer | undefined {
  return offers.get(given)
}

/** Sets what completion offers for an option. */
export function offer<T extends Argument | Option>(given: T, values: Offer | undefined): T {
  if (values !== undefined) offers.set(given, values)
  return given
}

/** `<id>` → `id` */
export function argumentName(syntax: string): string {
  return new Argument(syntax).name()
}

/** `--drop-old` → `dropOld`, which is its name in code */
export function optionNames(flags: string): { key: string; flag: string } {
  const option = new Option(flags)
  return { key: option.attributeName(), flag: option.long ?? '' }
}

/** Adds `--json`, option rules and examples to a command. */
export function documented(command: Command, about: About): Command {
  const { json = 'Print the response as JSON', ending } = about
  if (json !== false) command.option('--json', json)
  limit(command, about)
  const own = Object.entries(about.examples).map(([does, line]): Example =>
    typeof line === 'string' ? { does, line } : { does, line: line.endless, endless: true },
  )
  examples.set(command, own)
  return addHelp(command, () => own, ending)
}

/** Refuses contradictory options before the command runs. */
function limit(command: Command, { apart = [], needs = {} }: About): void {
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

/** Returns the default subcommand of a group, such as `start` or `list`. */
export function defaultCommandOf(group: Command): Command | undefined {
  const { _defaultCommandName: name } = group as Command & { _defaultCommandName?: string | null }
  return group.commands.find((child) => child.name() === name)
}

/** Collects the values of a repeatable option. */
export function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value]
}
