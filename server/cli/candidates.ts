import type { Argument, Command, Option } from 'commander'
import type { ControlResponse, ControlArguments, ControlKey } from '../contract/control-call.ts'
import type { ConnectOptions } from './connect.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { setOwn } from '../core/own.ts'
import { defaultCommandOf, offerOf } from './program/define.ts'
import { offeredOf, type Read } from './program/kinds.ts'

/** Reads the control API of the sandbox that the command line names; undefined without a response. */
export type ReadSandbox = <K extends ControlKey>(
  options: ConnectOptions,
  key: K,
  ...input: ControlArguments<K>
) => Promise<ControlResponse<K> | undefined>

interface Place {
  /** Previous words without options and their values. */
  operands: readonly string[]
  read: Read
}

/**
 * Returns the completions of the last word. None for a file or an arbitrary value: shells then offer files.
 * @param words after the name of the program; the last one is incomplete and may be empty
 */
export async function candidates(
  program: Command,
  words: readonly string[],
  readSandbox: ReadSandbox,
): Promise<string[]> {
  const joined = joinEquals(words)
  const current = joined.at(-1) ?? ''
  // The words belong to another program.
  if (joined.slice(0, -1).includes('--')) return []
  const { command, open, place } = walk(program, joined.slice(0, -1), readSandbox)
  const [, flag, prefix] = /^(--[\w-]+)=(.*)$/s.exec(current) ?? []
  if (flag !== undefined && prefix !== undefined) {
    const values = await valuesOf(findOption(command, flag), place)
    return startingWith(prefix, values).map((value) => `${flag}=${value}`)
  }
  if (open !== undefined) {
    return startingWith(current, await valuesOf(findOption(command, open), place))
  }
  if (current.startsWith('-')) return startingWith(current, optionsOf(command))
  const below = command.commands.filter((child) => !isHidden(child)).map((child) => child.name())
  const taken =
    (command.commands.length > 0 ? defaultCommandOf(command) : command)?.registeredArguments ?? []
  const last = taken.at(-1)
  const next = taken[place.operands.length] ?? (last?.variadic === true ? last : undefined)
  return startingWith(current, [...below, ...(await valuesOf(next, place))])
}

/** Returns the values of an argument or option: those of its list, or of the sandbox. */
async function valuesOf(
  given: Argument | Option | undefined,
  { read, operands }: Place,
): Promise<readonly string[]> {
  if (given === undefined) return []
  const offered = offerOf(given) ?? given.argChoices ?? []
  return typeof offered === 'string' ? offeredOf(offered, read, operands) : offered
}

/** Bash splits `--user=al` at the equals sign. */
function joinEquals(words: readonly string[]): string[] {
  const joined: string[] = []
  for (const word of words) {
    const before = joined.at(-1)
    if (before !== undefined && (word === '=' || /^--[\w-]+=$/.test(before))) {
      joined[joined.length - 1] = before + word
    } else joined.push(word)
  }
  return joined
}

/** Finds the command of the words, and the option whose value is incomplete, if any. */
function walk(program: Command, words: readonly string[], readSandbox: ReadSandbox) {
  let command = program
  let open: string | undefined
  const operands: string[] = []
  const options: Record<string, string> = {}
  for (const word of words) {
    if (open !== undefined) {
      setOwn(options, open.slice(2), word)
      open = undefined
      continue
    }
    if (word.startsWith('-')) {
      const [name = '', value] = word.split(/=(.*)/s)
      if (value !== undefined) setOwn(options, name.slice(2), value)
      else if (takesValue(findOption(command, name))) open = name
      continue
    }
    const next = command.commands.find((child) => child.name() === word)
    if (next === undefined) operands.push(word)
    else command = next
  }
  const { url, data, 'control-token': controlToken } = options
  const connection: ConnectOptions = omitUndefined({ url, data, controlToken })
  const read: Read = (key, ...input) => readSandbox(connection, key, ...input)
  const place: Place = { operands, read }
  return { command, open, place }
}

function findOption(command: Command, name: string): Option | undefined {
  return optionSources(command)
    .flatMap(({ options }) => options)
    .find(({ long, short }) => long === name || short === name)
}

/** Whether a value follows: one that may be left out counts if its values are known. */
function takesValue(option: Option | undefined): boolean {
  if (option === undefined) return false
  return option.required || (option.optional && offerOf(option) !== undefined)
}

function optionsOf(command: Command): string[] {
  const own = optionSources(command).flatMap(({ options }) => options)
  return [...own.flatMap(({ long }) => long ?? []), '--help']
}

/** A group accepts the options of its default command. */
function optionSources(command: Command): Command[] {
  const byDefault = defaultCommandOf(command)
  return byDefault === undefined ? [command] : [command, byDefault]
}

function isHidden(command: Command): boolean {
  return command.name().startsWith('__')
}

function startingWith(prefix: string, values: readonly string[]): string[] {
  return [...new Set(values.filter((value) => value.startsWith(prefix)))]
}
