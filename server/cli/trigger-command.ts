import { omitUndefined } from '../core/omit-undefined.ts'
import type { DeliveryItem } from '../contract/control-deliveries.ts'
import type { EventDescription, TriggerRequest, TriggerResult } from '../contract/control-events.ts'
import { eventCatalog } from '../lab/triggers/event-catalog.ts'
import { CommandError } from './command-error.ts'
import { connect, type Connection } from './connect.ts'
import { deliveryRow } from './listen-command.ts'
import { print, printJson, printTable } from './output.ts'
import { readOverride } from './overrides.ts'
import type { ControlOptions } from './read-options.ts'
import { oneLine } from '../core/terminal-text.ts'
import { readWebhookNames, webhookName } from './webhook-names.ts'

export interface TriggerOptions extends ControlOptions {
  repo?: string
  kind?: string
  set?: string[]
  remove?: string[]
  send?: boolean
  repeat?: string
  preview?: boolean
  /** False: do not wait for the deliveries. */
  wait?: boolean
  list?: boolean
}

/** Triggers an event and prints its deliveries. */
export async function trigger(event: string | undefined, options: TriggerOptions): Promise<void> {
  if (options.list === true) {
    return options.json === true ? printJson(eventCatalog) : printTable(eventCatalog.map(eventRow))
  }
  const connection = await connect(options)
  const { call } = connection
  const result = await call('POST events', { body: requestOf(event, options) })
  if (options.json === true) return printJson(result)
  const names = await readWebhookNames(connection)
  print(renderResult(result, names))
  if (options.wait !== false) await printDeliveries(connection, result, names)
}

export function requestOf(event: string | undefined, options: TriggerOptions): TriggerRequest {
  if (event === undefined) {
    throw new CommandError('Missing event. "trigger --list" shows all.', { exitCode: 2 })
  }
  if (options.repo === undefined) {
    throw new CommandError('Missing --repo, for example --repo acme/corpus.', { exitCode: 2 })
  }
  const { kind, set = [], remove, send, repeat, preview } = options
  return {
    event,
    repo: options.repo,
    ...omitUndefined({ kind }),
    ...(send === true ? { mode: 'send' as const } : {}),
    ...(set.length === 0 ? {} : { overrides: Object.fromEntries(set.map(readOverride)) }),
    ...omitUndefined({ remove }),
    ...(repeat === undefined ? {} : { repeat: { times: readNumber('--repeat', repeat) } }),
    ...(preview === true ? { preview } : {}),
  }
}

function readNumber(flag: string, text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && value > 0) return value
  throw new CommandError(`${flag} must be a number above 0, not ${text}`, { exitCode: 2 })
}

function eventRow({ event, title, kinds }: EventDescription): string[] {
  const options = kinds.length === 0 ? '' : `--kind ${kinds.map(({ kind }) => kind).join(' | ')}`
  return [event, title, options]
}

/** Waits for the first result of each delivery and prints it. */
async function printDeliveries(
  connection: Connection,
  { events, deliveries }: TriggerResult,
  names: ReadonlyMap<string, string>,
): Promise<void> {
  const open = new Set(deliveries.map(({ id }) => id))
  for (const { id: eventId } of events) {
    const isWaited = deliveries.some((delivery) => delivery.eventId === eventId)
    if (!isWaited) continue
    for await (const delivery of connection.lines('GET deliveries', {
      query: { follow: '1', eventId },
    })) {
      if (!open.has(delivery.id) || isUnderWay(delivery)) continue
      open.delete(delivery.id)
      const attempt = delivery.attempts.at(-1)
      const row = deliveryRow(delivery, attempt)
      const outcome = [row.at(-1), `to ${webhookName(names, delivery.webhookId)}`]
      printTable([[...row.slice(0, -1), outcome.filter((part) => part !== '').join('  ')]])
      if (!deliveries.some(({ id, eventId: of }) => of === eventId && open.has(id))) break
    }
  }
}

function isUnderWay({ state }: DeliveryItem): boolean {
  return state === 'queued' || state === 'sending'
}

function renderResult(
  { events, deliveries, skipped, payloads }: TriggerResult,
  names: ReadonlyMap<string, string>,
): string {
  const nameOf = (id: string) => oneLine(webhookName(names, id))
  const lines = events.map(({ id, scope, action }) => `event     ${id}  ${scope} ${action}`)
  lines.push(...deliveries.map(({ id, webhookId }) => `delivery  ${id}  to ${nameOf(webhookId)}`))
  lines.push(...skipped.map(({ webhookId, reason }) => `skipped   ${nameOf(webhookId)}: ${reason}`))
  if (deliveries.length === 0 && (payloads ?? []).length === 0)
    lines.push('No webhook receives this event.')
  for (const { payload } of payloads ?? []) lines.push(JSON.stringify(payload, undefined, 2))
  return lines.join('\n')
}
