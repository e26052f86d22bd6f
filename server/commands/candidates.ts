import type { Command, Option } from 'commander'
import type { ControlAnswer, ControlArguments, ControlKey } from '../contract/control-call.ts'
import type { EventDescription } from '../contract/control-events.ts'
import { type Flag, flagList } from '../contract/flags.ts'
import { scopes } from '../contract/scopes.ts'
import { shells } from './completion.ts'
import type { ConnectOptions } from './connect.ts'
import { schemaOf } from '../config/flag-kind.ts'
import { flagName } from '../core/flag-names.ts'
import { setOwn } from '../core/own.ts'
import { ciDrills } from '../contract/words/ci.ts'
import { grantTypes, tokenRoles, tokenStates } from '../contract/words/oauth.ts'
import { faultBreaks, demoVariants } from '../contract/words/sandbox.ts'
import { listedDeliveryStates } from '../contract/words/webhooks.ts'
import { latestWord } from './known.ts'
import { programNames } from './program-names.ts'
import { defaultCommandOf } from './program/define.ts'

/** Reads the control API of the sandbox that the command line names; undefined without a response. */
export type ReadSandbox = <K extends ControlKey>(
  options: ConnectOptions,
  key: K,
  ...input: ControlArguments<K>
) => Promise<ControlAnswer<K> | undefined>

interface Place {
  /** Names from the program down: `snapshot restore`. */
  path: string
  /** Previous words without options and their values. */
  operands: readonly string[]
  read: <K extends ControlKey>(
    key: K,
    ...input: ControlArguments<K>
  ) => Promise<ControlAnswer<K> | undefined>
}

type Values = (place: Place) => Promise<readonly string[]> | readonly string[]

const whole = { query: { limit: 1000 } } as const

const users: Values = async ({ read }) =>
  ((await read('GET users', whole))?.items ?? []).map(({ username }) => username)

const apps: Values = async ({ read }) =>
  ((await read('GET apps', whole))?.items ?? []).map(({ clientId }) => clientId)

const webhooks: Values = async ({ read }) =>
  ((await read('GET webhooks', whole))?.items ?? []).map(({ id }) => id)

const snapshots: Values = async ({ read }) =>
  ((await read('GET snapshots'))?.items ?? []).map(({ name }) => name)

const repos: Values = async ({ read }) => {
  const list = await read('GET repos', whole)
  const items = list?.items ?? []
  const isAlone = (name: string) => items.filter((item) => item.name === name).length === 1
  return items.map(({ type, name }) => (isAlone(name) ? name : `${type}s/${name}`))
}

const faults: Values = async ({ read }) => idsOf((await read('GET faults'))?.items)

const barriers: Values = async ({ read }) => idsOf((await read('GET barriers'))?.items)

const deliveries: Values = async ({ read }) =>
  idsOf((await read('GET deliveries', { query: { limit: 1000, view: 'rows' } }))?.items)

const tokens: Values = async ({ read }) =>
  idsOf((await read('GET tokens', { query: { state: 'active', limit: 1000 } }))?.items)

const flows: Values = async ({ read }) => idsOf((await read('GET flows', whole))?.items)

const waitingDevices: Values = async ({ read }) => {
  const items = (await read('GET device', whole))?.items ?? []
  return idsOf(
    items.filter(({ status }) => status === 'pending').map(({ userCode }) => ({ id: userCode })),
  )
}

const organizations: Values = async ({ read }) =>
  ((await read('GET organizations', whole))?.items ?? []).map(({ name }) => name)

const spaces: Values = async ({ read }) => {
  const list = await read('GET repos', { query: { type: 'space', limit: 1000 } })
  return (list?.items ?? []).map(({ name }) => name)
}

const experiments: Values = async ({ read }) =>
  ((await read('GET experiments'))?.items ?? []).map(({ id }) => id)

const events: Values = async () => (await readEvents()).map(({ event }) => event)

const kinds: Values = async ({ operands: [event] }) =>
  (await readEvents())
    .filter((item) => event === undefined || item.event === event)
    .flatMap((item) => item.kinds.map(({ kind }) => kind))

/** Loaded on demand: most completions need no events. */
async function readEvents(): Promise<readonly EventDescription[]> {
  return (await import('../lab/triggers/catalog.ts')).eventCatalog
}

const samples: Values = async () =>
  (await import('./samples.ts')).listSamples().map(({ name }) => name)

const pages: Values = async () => (await import('./pages.ts')).readPages().map(({ name }) => name)

/** Returns the ids, and `latest` if there are any. */
function idsOf(items: readonly { id: string }[] = []): string[] {
  return items.length === 0 ? [] : [latestWord, ...items.map(({ id }) => id)]
}

/** Returns the values of a flag of `start`: its choices, or user names. */
function valuesOf(flag: Flag): Values {
  const { enum: choices = [] } = schemaOf(flag)
  return flag.placeholder === 'user' ? users : () => choices.map(String)
}

/** Returns the states of deliveries or tokens. */
const statesOf: Values = ({ path }) =>
  path.startsWith('tokens') ? tokenStates : listedDeliveryStates

/** Values of options, the same for every command. */
const optionValues: ReadonlyMap<string, Values> = new Map<string, Values>([
  ...flagList.map((flag): [string, Values] => [flagName(flag.key), valuesOf(flag)]),
  ['--user', users],
  ['--client', apps],
  ['--repo', repos],
  ['--space', spaces],
  ['--kind', kinds],
  ['--webhook', webhooks],
  ['--scope', () => Object.keys(scopes)],
  ['--method', () => ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']],
  ['--grant-type', () => grantTypes],
  ['--break', () => faultBreaks],
  ['--ci-drill', () => ciDrills],
  ['--for', () => programNames],
  ['--sample', samples],
  ['--organization', organizations],
  ['--role', () => tokenRoles],
  ['--state', statesOf],
])

/** Values of arguments by command. */
const argumentValues: ReadonlyMap<string, Values> = new Map<string, Values>([
  ['trigger', events],
  ['snapshot restore', snapshots],
  ['snapshot export', snapshots],
  ['snapshot delete', snapshots],
  ['fault remove', faults],
  ['barrier release', barriers],
  ['deliveries', deliveries],
  ['deliveries list', deliveries],
  ['deliveries replay', deliveries],
  ['deliveries when-back', webhooks],
  ['deliveries cancel', deliveries],
  ['tokens revoke', tokens],
  ['flows', flows],
  ['device approve', waitingDevices],
  ['device deny', waitingDevices],
  ['experiment run', experiments],
  ['experiment verdict', experiments],
  ['experiment stop', experiments],
  ['demo refused', () => demoVariants],
  ['docs', pages],
  ['completion', () => [...shells.keys()]],
])

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
    const values = await valuesOfOption(command, flag, place)
    return startingWith(prefix, values).map((value) => `${flag}=${value}`)
  }
  if (open !== undefined) {
    return startingWith(current, await valuesOfOption(command, open, place))
  }
  if (current.startsWith('-')) return startingWith(current, optionsOf(command))
  const below = command.commands.filter((child) => !isHidden(child)).map((child) => child.name())
  const taken =
    (command.commands.length > 0 ? defaultCommandOf(command) : command)?.registeredArguments ?? []
  const takesMore = taken.at(-1)?.variadic === true || place.operands.length < taken.length
  const values = takesMore ? ((await argumentValues.get(place.path)?.(place)) ?? []) : []
  return startingWith(current, [...below, ...values])
}

async function valuesOfOption(
  command: Command,
  name: string,
  place: Place,
): Promise<readonly string[]> {
  return (await optionValues.get(name)?.(place)) ?? findOption(command, name)?.argChoices ?? []
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
  const names: string[] = []
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
    else {
      command = next
      names.push(word)
    }
  }
  const connection: ConnectOptions = {
    ...(options['url'] === undefined ? {} : { url: options['url'] }),
    ...(options['data'] === undefined ? {} : { data: options['data'] }),
    ...(options['control-token'] === undefined ? {} : { controlToken: options['control-token'] }),
  }
  const place: Place = {
    path: names.join(' '),
    operands,
    read: (key, ...input) => readSandbox(connection, key, ...input),
  }
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
  return option.required || (option.optional && optionValues.has(option.long ?? ''))
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
