import type { ControlCall, ControlKey } from '../../contract/control-call.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import { own, setOwn } from '../../core/own.ts'
import { readJsonOrText, readPair, readWholeNumber } from '../read-options.ts'
import { argumentName, optionNames } from './define.ts'
import type { CallRow, Given } from './row.ts'

/** Body or query of a request. */
export type Fields = Record<string, unknown>

/** Request of a command, from its arguments and options. */
export interface Draft {
  part: 'query' | 'body'
  fields: Fields
  /** Argument that goes into the path of the request. */
  inPath?: { id: string; of: Given['of'] }
  /** Set fields that only the sandbox knows, such as the client id of an app. */
  later: ((call: ControlCall) => Promise<void>)[]
}

/**
 * Reads the arguments and options of a command as fields of its request.
 * @param given arguments, then the options
 * @throws {CommandError} with exit code 2
 */
export async function readFields(
  key: ControlKey,
  row: CallRow<ControlKey>,
  given: readonly unknown[],
): Promise<Draft> {
  const part = key.startsWith('GET ') ? 'query' : 'body'
  const draft: Draft = {
    part,
    fields: structuredClone<unknown>(row[part] ?? {}) as Fields,
    later: [],
  }
  for (const [index, word] of row.name.split(' ').slice(1).entries()) {
    const { to, of, isFile } = asGiven(own(row.arguments ?? {}, argumentName(word)))
    const value = given[index] as string | undefined
    if (value === undefined) continue
    if (to === undefined) draft.inPath = { id: value, of }
    else setField(draft.fields, to, isFile === true ? await readFile(value) : value)
  }
  const options = given.at(-1) as Fields
  for (const [flags, about] of Object.entries(row.options ?? {})) {
    const { key: name } = optionNames(flags)
    const value = own(options, name)
    const option = { flags, to: name, ...asGiven(about) }
    if (value === undefined) readMissing(draft, option)
    else await readOption(draft, key, option, value)
  }
  return draft
}

type OptionRow = Given & { flags: string; to: string }

function readMissing({ fields, later }: Draft, { to, otherwise }: OptionRow): void {
  if (otherwise === undefined) return
  later.push(async (call) => {
    const { firstUser } = await import('../token-command.ts')
    setField(fields, to, await firstUser(call))
  })
}

/** Sets the field of an option. The schema of the endpoint decides whether it is a number, a list or an object. */
async function readOption(
  { part, fields, later }: Draft,
  key: ControlKey,
  { flags, to, of, sets, commas }: OptionRow,
  value: unknown,
): Promise<void> {
  if (sets !== undefined) return void Object.assign(fields, sets)
  const values = [value].flat().map(String)
  if (of === 'app') {
    later.push(async (call) => {
      const { clientIdOf } = await import('../app-named.ts')
      setField(fields, to, await clientIdOf(call, values[0]))
    })
    return
  }
  const schema = await schemaOf(key, part, to)
  const words = commas === true ? values.flatMap((text) => text.split(',')) : values
  setField(fields, to, value === true ? schema.const : readValues(flags, words, schema))
}

async function readFile(name: string): Promise<unknown> {
  const { readValue } = await import('../read-file.ts')
  return readValue(name)
}

function asGiven(about: string | Given | undefined): Partial<Given> {
  return typeof about === 'object' ? about : {}
}

/** Returns the schema of a field such as `match.route`. */
async function schemaOf(key: ControlKey, part: string, field: string): Promise<JsonSchema> {
  const { controlApi } = await import('../../contract/control-api.ts')
  const parts: Readonly<Record<string, unknown>> = controlApi[key]
  let schema = own(parts, part) as JsonSchema | undefined
  for (const name of field.split('.')) schema = own(schema?.properties ?? {}, name)
  if (schema === undefined) throw new TypeError(`${key} has no field ${field}`)
  return schema
}

/** Reads the values of an option. Those that only the sandbox can judge stay as they are. */
function readValues(flags: string, values: readonly string[], schema: JsonSchema): unknown {
  const { flag } = optionNames(flags)
  const [last = ''] = values.slice(-1)
  if (schema.type === 'integer') return readWholeNumber(flag, last)
  if (schema.type === 'array') return values
  if (schema.type !== 'object') return last
  const read = readerOf(flag, schema)
  const form = flags.includes('<path=value>') ? 'path=value' : 'name=value'
  const pairs = values.map((text) => readPair(flag, text, form))
  return Object.fromEntries(pairs.map(([name, text]) => [name, read(text)]))
}

/** Returns the reader of the values of an object: numbers, strings, or JSON, whose quotes may be missing. */
function readerOf(
  flag: string,
  { properties, patternProperties }: JsonSchema,
): (text: string) => unknown {
  const types = new Set(
    Object.values({ ...properties, ...patternProperties }).map(({ type }) => type),
  )
  if (types.size > 1) return readJsonOrText
  if (types.has('integer')) return (text) => readWholeNumber(flag, text)
  return types.has('string') ? (text) => text : readJsonOrText
}

function setField(fields: Fields, path: string, value: unknown): void {
  const [name = '', ...rest] = path.split('.')
  if (rest.length === 0) return setOwn(fields, name, value)
  const below = own(fields, name) ?? {}
  setOwn<unknown>(fields, name, below)
  setField(below as Fields, rest.join('.'), value)
}
