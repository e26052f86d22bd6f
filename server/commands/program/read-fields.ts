import { Argument, Option } from 'commander'
import type { ControlCall, ControlKey } from '../../contract/control-call.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import { own, setOwn } from '../../core/own.ts'
import { clientIdOf } from '../app-named.ts'
import { readValue } from '../read-file.ts'
import { readJsonOrText, readPair, readWholeNumber } from '../read-options.ts'
import { firstUser } from '../token.ts'
import type { CallRow, Given } from './row.ts'

/** Body or query of a request. */
export type Fields = Record<string, unknown>

/** What the arguments and options of a command say about its request. */
export interface Draft {
  part: 'query' | 'body'
  /** Undefined if the request has none. */
  fields: Fields | undefined
  /** Argument that goes into the path of the request. */
  inPath?: { id: string; of: Given['of'] }
  /** Adds the fields that only the sandbox knows, such as the client id of an app. */
  complete: (call: ControlCall) => Promise<void>
}

/**
 * Reads the arguments and options of a command as fields of its request. The schema of the endpoint decides whether an
 * option is a number, a list or an object.
 * @param given arguments, then the options
 * @throws {CommandError} with exit code 2
 */
export async function readFields(
  key: ControlKey,
  row: CallRow<ControlKey>,
  given: readonly unknown[],
): Promise<Draft> {
  const part = key.startsWith('GET ') ? 'query' : 'body'
  const fixed = row[part]
  const fields = structuredClone(fixed ?? {}) as Fields
  const later: ((call: ControlCall) => Promise<void>)[] = []
  let inPath: Draft['inPath']

  for (const [index, word] of row.name.split(' ').slice(1).entries()) {
    const { to, of, isFile } = asGiven(own(row.arguments ?? {}, new Argument(word).name()))
    const value = given[index] as string | undefined
    if (value === undefined) continue
    if (to === undefined) inPath = { id: value, of }
    else setField(fields, to, isFile === true ? await readValue(value) : value)
  }

  const options = given.at(-1) as Fields
  for (const [flags, about] of Object.entries(row.options ?? {})) {
    const option = new Option(flags)
    const { to = option.attributeName(), of, otherwise, sets, commas } = asGiven(about)
    const value = own(options, option.attributeName())
    const values = [value].flat().map(String)
    if (value === undefined) {
      if (otherwise !== undefined) {
        later.push(async (call) => setField(fields, to, await firstUser(call)))
      }
    } else if (sets !== undefined) Object.assign(fields, sets)
    else if (of === 'app') {
      later.push(async (call) => setField(fields, to, await clientIdOf(call, values[0])))
    } else {
      const words = commas === true ? values.flatMap((text) => text.split(',')) : values
      const schema = await schemaOf(key, part, to)
      setField(fields, to, value === true ? schema.const : readOption(option, words, schema))
    }
  }

  return {
    part,
    fields:
      fixed === undefined && Object.keys(fields).length + later.length === 0 ? undefined : fields,
    ...(inPath && { inPath }),
    async complete(call) {
      for (const ask of later) await ask(call)
    },
  }
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

/** Reads an option by the schema of its field. Values that only the sandbox can judge stay as they are. */
function readOption(
  { long, flags }: Option,
  values: readonly string[],
  schema: JsonSchema,
): unknown {
  const flag = long ?? ''
  const [last = ''] = values.slice(-1)
  switch (schema.type) {
    case 'integer':
      return readWholeNumber(flag, last)
    case 'array':
      return values
    case 'object': {
      const read = readerOf(flag, schema)
      const form = flags.includes('<path=value>') ? 'path=value' : 'name=value'
      const pairs = values.map((text) => readPair(flag, text, form))
      return Object.fromEntries(pairs.map(([name, text]) => [name, read(text)]))
    }
    default:
      return last
  }
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
