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
  operands: readonly unknown[],
): Promise<void> {
  const options = operands.at(-1) as ControlOptions
  const draft = await readFields(key, row, operands)
  const connection = await connect(options)
  await draft.complete(connection.call)
  const { part, fields, inPath } = draft
  const [, param = ''] = /:(\w+)/.exec(key) ?? []
  let id = ''
  const send = (found: string) => {
    id = found
    const input = {
      ...(fields && { [part]: fields }),
      ...(inPath && { params: { [param]: found } }),
    }
    return callAny(connection.call, key, input)
  }
  const { id: given = '', of } = inPath ?? {}
  const isChosen = of !== undefined && isIdentified(of)
  const response = await (isChosen ? withId(given, kindOf(of, connection.call), send) : send(given))
  for (const line of noticesOf(response)) say(line)
  printResponse(row, response, options, { url: connection.url, id })
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
