import type { AttemptItem, DeliveryItem, ReplayedMany } from '../contract/control-deliveries.ts'
import {
  lackOfResponse,
  lastDecided,
  responseTimeOf,
  shownWordOf,
} from '../contract/delivery-result.ts'
import { deliveryStatusWords, plainWord } from '../contract/words/webhook-words.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { CommandError } from './command-error.ts'
import { connect, type Connection, nextCommand } from './connect.ts'
import { readListWords } from './list-words.ts'
import { nothingOf, withId } from './known.ts'
import { print, printResponse, printJson, printList, printTable } from './output.ts'
import { kindOf } from './program/kinds.ts'
import { oneLine } from '../core/terminal-text.ts'
import { readValue } from './read-file.ts'
import { type ControlOptions, type ListOptions, readLimit } from './read-options.ts'
import { pageSize, wholeList } from '../client/lists.ts'
import { suggestion } from '../contract/suggestion.ts'
import type { WebhookItem } from '../contract/control-webhooks.ts'
import { readWebhookNames, webhookName } from './webhook-names.ts'
import { type HtmlOption, refuseHtml, writeReport } from './write-report.ts'

export interface DeliveriesOptions extends ListOptions {
  state?: string
  webhook?: string
  repo?: string
  scope?: string
  since?: string
  html?: HtmlOption
}

/** Prints the deliveries, newest last and so right above the prompt, or one of them with every attempt. */
export async function listOrShowDeliveries(
  words: readonly string[],
  options: DeliveriesOptions,
): Promise<void> {
  const { id, q } = readListWords(words)
  if (q !== undefined) refuseHtml(options, 'delivery')
  const connection = await connect(options)
  if (id !== undefined && options.html !== undefined) {
    const report = await withId(id, kindOf('delivery', connection.call), (found) =>
      connection.call('GET deliveries/:id/report', { params: { id: found } }),
    )
    return writeReport(report, { ...options, html: options.html })
  }
  if (id !== undefined) return showDelivery(connection, id, options)
  const { state, webhook, repo, scope, since } = options
  const wanted = state === undefined ? q : [q ?? '', statusTerm(state)].join(' ').trim()
  const { items } = await connection.call('GET deliveries', {
    query: {
      limit: readLimit(options),
      ...(options.json === true ? {} : { view: 'rows' }),
      ...omitUndefined({
        q: wanted,
        webhookId: webhook,
        repo,
        scope,
        since,
      }),
    },
  })
  // JSON keeps the order of the control API.
  const ordered = options.json === true ? items : items.toReversed()
  const names = items.length === 0 ? undefined : await readWebhookNames(connection)
  const none = nothingOf('delivery', [q, state, webhook, repo, scope, since])
  const next = nextCommand(['trigger', 'repo.content', '--repo', 'acme/corpus'], options)
  printList(options, ordered, (item) => rowOf(item, names), `${none} Trigger an event: ${next}`)
}

/** Returns the word of a query for states: as the list shows them, or as the control API names them. */
function statusTerm(states: string): string {
  const names = states.split(',').map((name) => name.trim().toLowerCase().replaceAll(' ', '-'))
  const unknown = names.find((name) => !deliveryStatusWords.includes(name))
  if (unknown !== undefined) {
    throw new CommandError(`Unknown state "${unknown}": use ${deliveryStatusWords.join(', ')}.`, {
      exitCode: 2,
    })
  }
  return `status:${names.join(',')}`
}

function rowOf(delivery: DeliveryItem, names?: ReadonlyMap<string, string>): string[] {
  const { id, createdAt, scope, action, repo, attempts, reason } = delivery
  const last = lastDecided(attempts)
  const outcome = last === undefined ? (reason ?? '') : `${attempts.length} × ${endOf(last)}`
  const webhook = receiverOf(delivery, names)
  return [
    id,
    createdAt,
    plainWord(shownWordOf(delivery)),
    `${scope} ${action}`,
    repo,
    webhook,
    outcome,
  ]
}

/** Returns the name of the webhook, or the module of the audit that sent it. */
function receiverOf(
  { webhookId, audit }: DeliveryItem,
  names: ReadonlyMap<string, string> | undefined,
): string {
  return audit === undefined ? webhookName(names, webhookId) : `audit ${audit.module}`
}

/** Returns the status of an attempt, or the reason for a missing one. */
function endOf({ status, error, outcome, jobId }: AttemptItem): string {
  if (jobId !== undefined && status === undefined && outcome === 'succeeded') return 'job not run'
  return String(status ?? error?.message ?? outcome ?? 'in flight')
}

async function showDelivery(
  connection: Connection,
  given: string,
  options: ControlOptions,
): Promise<void> {
  const delivery = await findDelivery(connection, given)
  if (options.json === true) return printJson(delivery)
  const { id, scope, action, repo, explanation, attempts, audit } = delivery
  const names = audit === undefined ? await readWebhookNames(connection) : undefined
  const webhook = receiverOf(delivery, names)
  const word = plainWord(shownWordOf(delivery))
  print(oneLine(`${id}  ${scope} ${action}  ${repo}  to ${webhook}  ${word}`))
  if (explanation !== undefined) print(oneLine(explanation))
  if (attempts.length > 0) printTable(attempts.map(attemptRow))
}

function attemptRow(attempt: AttemptItem): string[] {
  const { number, source, at, explanation } = attempt
  return [String(number), source, at, endOf(attempt), tookOf(attempt), explanation ?? '']
}

/** Returns the response time of an attempt, as far as there is one. */
export function tookOf({ durationMs, error }: Pick<AttemptItem, 'durationMs' | 'error'>): string {
  if (durationMs === undefined) return ''
  const tookMs = responseTimeOf({ durationMs, errorClass: error?.class })
  return tookMs === undefined ? lackOfResponse(error?.class) : `${Math.round(tookMs)} ms`
}

/**
 * Replays deliveries, or a single one with the payload of a file. Exits with 1 if one fails.
 */
export async function replayDeliveries(
  given: readonly string[],
  options: ControlOptions & { payload?: string },
): Promise<void> {
  if (options.payload !== undefined) return replayWithPayload(given, options.payload, options)
  const connection = await connect(options)
  const ids: string[] = []
  // An unknown id is refused before anything is sent.
  for (const one of given) ids.push((await findDelivery(connection, one)).id)
  const replayed = await connection.call('POST deliveries/replay', { body: { ids } })
  const failures = replayed.failed + replayed.refused
  if (options.json === true) printJson(replayed)
  else printTable(replayed.items.map(replayedRow))
  if (failures > 0) {
    throw new CommandError(`${failures} of ${replayed.items.length} deliveries failed.`)
  }
}

function replayedRow({ deliveryId, attempt, refused }: ReplayedMany['items'][number]): string[] {
  return [deliveryId, attempt === undefined ? (refused ?? '') : endOf(attempt)]
}

async function replayWithPayload(
  given: readonly string[],
  file: string,
  options: ControlOptions,
): Promise<void> {
  const [only = '', ...others] = given
  if (others.length > 0) {
    throw new CommandError('--payload requires exactly one delivery.', {
      exitCode: 2,
    })
  }
  const payload = await readValue(file)
  const connection = await connect(options)
  const attempt = await withId(only, kindOf('delivery', connection.call), (id) =>
    connection.call('POST deliveries/:id/replay', { params: { id }, body: { payload } }),
  )
  printResponse(options, attempt, oneLine(endOf(attempt)))
  if (attempt.outcome !== 'succeeded') throw new CommandError('The delivery failed.')
}

/** Makes the sandbox wait for receivers that fail, or stop waiting for them. */
export async function replayWhenBack(
  given: string | undefined,
  options: ControlOptions & { cancel?: true },
): Promise<void> {
  const { call } = await connect(options)
  const webhooks = await wholeList((cursor) =>
    call('GET webhooks', { query: { limit: pageSize, cursor } }),
  )
  const wanted = options.cancel !== true
  const chosen = webhooks.filter(({ id, name, url, awaitedSince, health }) => {
    if (given !== undefined) return id === given || name === given
    return wanted ? url !== undefined && health.state === 'failing' : awaitedSince !== undefined
  })
  if (given !== undefined && chosen.length === 0) {
    const names = webhooks.flatMap(({ id, name }) => [id, ...(name === undefined ? [] : [name])])
    throw new CommandError(`Unknown webhook ${given}${suggestion(given, names)}.`)
  }
  const changed: WebhookItem[] = []
  for (const { id } of chosen) {
    const body = { replayWhenBack: wanted }
    changed.push(await call('PATCH webhooks/:id', { params: { id }, body }))
  }
  const none = wanted ? 'No webhook is failing.' : 'No webhook waits for its receiver.'
  printList(options, changed, (item) => [item.id, item.name ?? item.target, waitOf(item)], none)
}

function waitOf({ awaitedSince }: WebhookItem): string {
  return awaitedSince === undefined ? 'not waiting' : `waiting since ${awaitedSince}`
}

function findDelivery(connection: Connection, given: string): Promise<DeliveryItem> {
  return withId(given, kindOf('delivery', connection.call), (id) =>
    connection.call('GET deliveries/:id', { params: { id } }),
  )
}
