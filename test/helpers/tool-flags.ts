import { parseArgs } from 'node:util'

export interface FlagShape<Amount extends string, Text extends string, Switch extends string> {
  /** Flags that take a number above 0, or one from 0 on if they are a `seed`, with what they are by default. */
  readonly amounts: Readonly<Record<Amount, number>>
  readonly texts?: readonly Text[]
  /** Flags without a value. */
  readonly switches?: readonly Switch[]
  /** Names accepted beside flags. Default: none. */
  readonly names?: readonly string[]
}

export interface Flags<Amount extends string, Text extends string, Switch extends string> {
  readonly amounts: Readonly<Record<Amount, number>>
  readonly texts: Readonly<Record<Text, string | undefined>>
  readonly switches: Readonly<Record<Switch, boolean>>
  readonly names: readonly string[]
}

/**
 * Reads how a tool of this project was called.
 * @returns `undefined` where somebody asks for help
 * @throws {TypeError} naming what it does not understand
 */
export function readToolFlags<
  Amount extends string,
  Text extends string = never,
  Switch extends string = never,
>(
  args: readonly string[],
  { amounts, texts = [], switches = [], names = [] }: FlagShape<Amount, Text, Switch>,
): Flags<Amount, Text, Switch> | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      ...Object.fromEntries(
        [...Object.keys(amounts), ...texts].map((name) => [name, { type: 'string' as const }]),
      ),
      ...Object.fromEntries(switches.map((name) => [name, { type: 'boolean' as const }])),
    },
  })
  if (values['help'] === true) return undefined
  const unknown = positionals.filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new TypeError(`there is no ${unknown.join(', no ')}`)
  const given = new Map<string, unknown>(Object.entries(values))
  const readAmount = (name: Amount) => {
    const text = given.get(name)
    if (text === undefined) return amounts[name]
    const amount = text === '' ? Number.NaN : Number(text)
    const isSeed = name === 'seed'
    if (isSeed ? Number.isSafeInteger(amount) && amount >= 0 : amount > 0 && amount < Infinity) {
      return amount
    }
    throw new TypeError(
      `--${name} takes ${isSeed ? 'a whole number from 0 on' : 'a number above 0'}, not ${JSON.stringify(text)}`,
    )
  }
  const pairs = <Name extends string, T>(of: readonly Name[], read: (name: Name) => T) =>
    Object.fromEntries(of.map((name) => [name, read(name)])) as Record<Name, T>
  return {
    amounts: pairs(Object.keys(amounts) as Amount[], readAmount),
    texts: pairs([...texts], (name) => given.get(name) as string | undefined),
    switches: pairs([...switches], (name) => given.get(name) === true),
    names: positionals,
  }
}

/** The same for this process, which ends where it has nothing to do: with 0 after its usage, with 2 after a mistake. */
export function toolFlags<
  Amount extends string,
  Text extends string = never,
  Switch extends string = never,
>(usage: string, shape: FlagShape<Amount, Text, Switch>): Flags<Amount, Text, Switch> {
  let flags: Flags<Amount, Text, Switch> | undefined
  try {
    flags = readToolFlags(process.argv.slice(2), shape)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    return process.exit(2)
  }
  if (flags !== undefined) return flags
  process.stdout.write(usage)
  return process.exit(0)
}
