import type { ControlCall, ControlKey } from '../../contract/control-call.ts'
import type { AnyInput } from '../../contract/control-request.ts'
import { connect, nextCommand } from '../connect.ts'
import { withId } from '../known.ts'
import { print, printJson, printList, say } from '../output.ts'
import type { ControlOptions } from '../read-options.ts'
import { isIdentified, kindOf } from './kinds.ts'
import { readFields } from './read-fields.ts'
import type { Act, CallRow } from './row.ts'

type Response = Readonly<Record<string, unknown>>

/** Creates the function of a command that calls the control API once. */
export function createCall<K extends ControlKey>(key: K, row: CallRow<K>): Act {
  return (...given: unknown[]) => runCall(key, row, given)
}

async function runCall(
  key: ControlKey,
  row: CallRow<ControlKey>,
  given: readonly unknown[],
): Promise<void> {
  const options = given.at(-1) as ControlOptions
  // Before the sandbox is called: invalid usage is reported without one, too.
  const { part, fields, inPath, later } = await readFields(key, row, given)
  const { call, url } = await connect(options)
  for (const setField of later) await setField(call)
  const hasPart = row[part] !== undefined || Object.keys(fields).length > 0
  const input = hasPart ? { [part]: fields } : {}
  if (inPath === undefined) {
    return printResponse(row, await callAny(call, key, input), options, { url, id: '' })
  }
  const [, param = ''] = /:(\w+)/.exec(key) ?? []
  const act = async (id: string) => ({
    id,
    response: await callAny(call, key, { ...input, params: { [param]: id } }),
  })
  const { id: name, of } = inPath
  const isChosen = of !== undefined && isIdentified(of)
  const { id, response } = await (isChosen ? withId(name, kindOf(of, call), act) : act(name))
  printResponse(row, response, options, { url, id })
}

function callAny(call: ControlCall, key: ControlKey, input: AnyInput): Promise<Response> {
  return (call as unknown as (key: ControlKey, input: AnyInput) => Promise<Response>)(key, input)
}

/** Returns hints at names that do not exist, and the like. */
function noticesOf({ hints, notices }: Response): readonly string[] {
  return [hints, notices].filter(Array.isArray).flat() as string[]
}

function printResponse(
  { show, columns, none }: CallRow<ControlKey>,
  response: Response,
  options: ControlOptions,
  call: { url: string; id: string },
): void {
  for (const line of noticesOf(response)) say(line)
  if (columns !== undefined) {
    const { text = '', next } = none ?? {}
    const more = next === undefined ? '' : ` ${nextCommand(next, options)}`
    return printList(options, response['items'] as never[], columns, text + more)
  }
  if (options.json === true) return printJson(response)
  const shown = show?.(response, call)
  if (typeof shown === 'string') print(shown)
  else if (shown !== undefined) say(shown.say)
}
