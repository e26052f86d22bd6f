import { omitUndefined } from '../core/omit-undefined.ts'
import type {
  EventCatalog,
  RepeatList,
  TriggerRequest,
  TriggerResult,
} from '../contract/control-events.ts'
import type { ControlError } from '../handle/control-error.ts'
import { CommandError } from './command-error.ts'
import { connect, type Connection, type ConnectOptions, nextCommand } from './connect.ts'
import { withId } from './known.ts'
import { print, printJson, renderTable } from './output.ts'
import { readOverride } from './overrides.ts'

export interface TriggerOptions extends ConnectOptions {
  repo?: string
  kind?: string
  set?: string[]
  remove?: string[]
  send?: boolean
  repeat?: string
  perSecond?: string
  preview?: boolean
  list?: boolean
  repeats?: boolean
  stop?: string
  json?: boolean
}

/** Triggers an event and prints its deliveries. */
export async function trigger(event: string | undefined, options: TriggerOptions): Promise<void> {
  const connection = await connect(options)
  const { call } = connection
  if (options.list === true) {
    const catalog = await call('GET events')
    return options.json === true ? printJson(catalog.items) : print(renderCatalog(catalog))
  }
  if (options.stop !== undefined) {
    const stopped = await withId(options.stop, ofRepeats(connection), async (id) => {
      await call('DELETE events/repeats/:id', { params: { id } })
      return id
    })
    return options.json === true ? printJson({ stopped }) : print(`stopped ${stopped}`)
  }
  if (options.repeats === true) {
    const repeats = await call('GET events/repeats')
    return options.json === true ? printJson(repeats.items) : print(renderRepeats(repeats))
  }
  const result = await call('POST events', { body: requestOf(event, options) })
  if (options.json === true) printJson(result)
  else print(renderResult(result, options))
}

function ofRepeats({ call }: Connection) {
  return {
    what: 'running repetition',
    ids: async () => (await call('GET events/repeats')).items.map(({ id }) => id).toReversed(),
    // A finished repetition is reported as such.
    ownSentence: ({ status, message }: ControlError) => (status === 404 ? message : undefined),
  }
}

export function requestOf(event: string | undefined, options: TriggerOptions): TriggerRequest {
  if (event === undefined) {
    throw new CommandError('Missing event. "trigger --list" shows all.', { exitCode: 2 })
  }
  if (options.repo === undefined) {
    throw new CommandError('Missing --repo, for example --repo acme/corpus.', { exitCode: 2 })
  }
  const { kind, set = [], remove, send, repeat, perSecond, preview } = options
  return {
    event,
    repo: options.repo,
    ...omitUndefined({ kind }),
    ...(send === true ? { mode: 'send' as const } : {}),
    ...(set.length === 0 ? {} : { overrides: Object.fromEntries(set.map(readOverride)) }),
    ...omitUndefined({ remove }),
    ...(repeat === undefined
      ? {}
      : {
          repeat: {
            times: readNumber('--repeat', repeat),
            ...(perSecond === undefined
              ? {}
              : { perSecond: readNumber('--per-second', perSecond) }),
          },
        }),
    ...(preview === true ? { preview } : {}),
  }
}

function readNumber(flag: string, text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && value > 0) return value
  throw new CommandError(`${flag} must be a number above 0, not ${text}`, { exitCode: 2 })
}

function renderCatalog({ items }: EventCatalog): string {
  return renderTable(
    items.map(({ event, title, kinds }) => [
      event,
      title,
      kinds.length === 0 ? '' : `--kind ${kinds.map(({ kind }) => kind).join(' | ')}`,
    ]),
  )
}

function renderRepeats({ items }: RepeatList): string {
  if (items.length === 0) return 'No running repetitions.'
  return renderTable(
    items.map(({ id, event, repo, done, times, perSecond }) => [
      id,
      `${event} of ${repo}`,
      `${done} of ${times}`,
      `${perSecond} per second`,
    ]),
  )
}

function renderResult(
  { events, deliveries, skipped, payloads, repeatId }: TriggerResult,
  options: ConnectOptions,
): string {
  const lines = events.map(({ id, scope, action }) => `event     ${id}  ${scope} ${action}`)
  lines.push(...deliveries.map(({ id, webhookId }) => `delivery  ${id}  webhook ${webhookId}`))
  lines.push(...skipped.map(({ webhookId, reason }) => `skipped   webhook ${webhookId}: ${reason}`))
  if (deliveries.length === 0 && payloads === undefined)
    lines.push('No webhook receives this event.')
  for (const { payload } of payloads ?? []) lines.push(JSON.stringify(payload, undefined, 2))
  if (repeatId !== undefined) {
    const stop = nextCommand(['trigger', '--stop', repeatId], options)
    lines.push(`repeats   ${repeatId}`, `Stop it:  ${stop}`)
  }
  return lines.join('\n')
}
