import { omitUndefined } from '../core/omit-undefined.ts'
import type { DeliveryItem } from '../contract/control-deliveries.ts'
import { shownWordOf } from '../contract/delivery-result.ts'
import { listedDeliveryStates, plainWord } from '../contract/words/webhook-words.ts'
import type { CreateWebhookRequest } from '../contract/control-webhooks.ts'
import { ControlError } from '../web/control-error.ts'
import { CommandError } from './command-error.ts'
import { connect, type Connection } from './connect.ts'
import { tookOf } from './deliveries.ts'
import { printJsonLine, printTable } from './output.ts'
import type { ControlOptions } from './read-options.ts'

export interface ListenCommandOptions extends ControlOptions {
  forwardTo?: string
  secret?: string
}

/**
 * Prints deliveries as they happen, until a signal arrives. With a URL, forwards them through a
 * temporary webhook, which is bound to the connection of this process.
 */
export async function listen(options: ListenCommandOptions): Promise<void> {
  const target = options.forwardTo === undefined ? undefined : forwardAddress(options.forwardTo)
  const connection = await connect(options)
  const { now } = await connection.call('GET clock')
  const body =
    target === undefined ? undefined : await describeWebhook(connection, target, options.secret)
  // Before the webhook exists, so that a signal at any moment deletes it.
  const end = onceStopped()
  const webhook = body && (await connection.call('POST webhooks', { body }))
  process.stderr.write(
    webhook === undefined
      ? `Watching all deliveries of ${connection.url}. Press Ctrl-C to stop.\n`
      : `Forwarding events that ${webhook.owner.username} may see to ${webhook.target}. Skipped events are listed with the reason.\nPress Ctrl-C to stop and delete the webhook.\n`,
  )
  const follow = async () => {
    const query = {
      follow: '1',
      since: now,
      // Deliveries that other webhooks skip are not shown; those of this webhook are.
      ...(webhook && { webhookId: webhook.id, state: listedDeliveryStates.join(',') }),
    } as const
    const news = createNews()
    for await (const delivery of connection.lines('GET deliveries', { query })) {
      for (const attempt of news(delivery)) {
        if (options.json === true) printJsonLine(delivery)
        else printTable([deliveryRow(delivery, attempt)])
      }
    }
  }
  const isStopped = await Promise.race([follow().then(() => false, sayWhy), end.then(() => true)])
  if (!isStopped) process.stderr.write('The sandbox closed the stream.\n')
  if (isStopped && webhook !== undefined) await removeWebhook(connection, webhook.id)
  // The open stream would keep the process alive.
  process.exit()
}

/** A lost connection means that the sandbox was killed. */
function sayWhy(error: unknown): boolean {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
  return false
}

/** Deletes the webhook. An unreachable sandbox has deleted it, or will at its next start. */
async function removeWebhook({ call }: Connection, id: string): Promise<void> {
  try {
    await call('DELETE webhooks/:id', { params: { id } })
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof ControlError)) throw error
  }
}

/**
 * Parses a target as people type it: a port, a host with or without a path, or a URL.
 * @param what the argument, for the error
 * @throws {CommandError} for anything else
 */
export function forwardAddress(given: string, what = '--forward-to'): string {
  const local = /^:?\d+(?=\/|$)/.test(given) ? `localhost:${given.replace(/^:/, '')}` : given
  const url = /^[a-z][\w+.-]*:\/\//i.test(local) ? local : `http://${local}`
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url
  throw new CommandError(
    `${what} must be a port (8000), localhost:8000/path or an http(s) URL, not ${given}`,
    { exitCode: 2 },
  )
}

type Attempt = DeliveryItem['attempts'][number]

/**
 * Returns the news about a changed delivery: every attempt that has ended, and once
 * that it is skipped.
 */
export function createNews(): (delivery: DeliveryItem) => (Attempt | undefined)[] {
  // By number: attempts end in any order, and only the last ones are kept.
  const reported = new Map<string, ReadonlySet<number | undefined>>()
  return ({ id, state, attempts }) => {
    const before = reported.get(id)
    const isOver = attempts.length === 0 && (state === 'skipped' || state === 'cancelled')
    const ended = isOver ? [undefined] : attempts.filter(({ outcome }) => outcome !== undefined)
    reported.set(id, new Set(ended.map((attempt) => attempt?.number)))
    return ended.filter((attempt) => before?.has(attempt?.number) !== true)
  }
}

/** Returns a temporary webhook that watches everything. */
async function describeWebhook(
  { call }: Connection,
  url: string,
  secret: string | undefined,
): Promise<CreateWebhookRequest> {
  const users = await call('GET users', { query: { limit: 1000 } })
  const organizations = await call('GET organizations', { query: { limit: 1000 } })
  const owner = users.items[0]?.username
  if (owner === undefined) throw new CommandError('The sandbox has no users. Create one first.')
  return {
    owner,
    name: 'hub-sandbox listen',
    url,
    temporary: true,
    watched: [
      ...users.items.map(({ username }) => ({ type: 'user' as const, name: username })),
      ...organizations.items.map(({ name }) => ({ type: 'org' as const, name })),
    ],
    ...omitUndefined({ secret }),
  }
}

/** Resolves with the first signal to stop. */
export function onceStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => resolve())
    }
  })
}

/** Returns the cells of `10:15:03  succeeded  repo.content update  acme/corpus  200 in 12 ms`, or of a skipped delivery. */
export function deliveryRow(delivery: DeliveryItem, attempt?: Attempt): string[] {
  const { reason, cancelledBecause, nextRetryAt } = delivery
  return [
    (attempt?.at ?? delivery.createdAt).slice(11, 19),
    (attempt === undefined ? wordOf(delivery) : stateAfter(delivery, attempt)).padEnd(9),
    `${delivery.scope} ${delivery.action}`.padEnd(25),
    delivery.repo,
    attempt === undefined
      ? (reason ?? cancelledBecause ?? '')
      : [
          describeAttempt(attempt, isLastOfCourse(delivery, attempt) ? nextRetryAt : undefined),
          ...(delivery.recorded === true ? [delivery.explanation] : []),
        ]
          .filter(Boolean)
          .join(': '),
  ]
}

/** Returns the outcome of an attempt, or the state of the delivery if this attempt caused it. */
function stateAfter(delivery: DeliveryItem, attempt: Attempt): string {
  const { outcome = 'unknown' } = attempt
  if (delivery.recorded === true && outcome === 'succeeded') return wordOf(delivery)
  if (outcome !== 'failed') return outcome
  const isOpen = delivery.state === 'waiting' || delivery.state === 'cancelled'
  return isOpen && isLastOfCourse(delivery, attempt) ? wordOf(delivery) : 'failed'
}

/** Returns the word for a delivery, as every list shows it. */
export function wordOf(delivery: Pick<DeliveryItem, 'state' | 'recorded'>): string {
  return plainWord(shownWordOf(delivery))
}

/** Replays do not affect the state of a delivery. */
function isLastOfCourse({ attempts }: DeliveryItem, { number }: Attempt): boolean {
  return attempts.findLast(({ source }) => source !== 'replay')?.number === number
}

function describeAttempt(attempt: Attempt, nextRetryAt: string | undefined): string {
  const { status, error, jobId } = attempt
  // A recorded job that was not executed has no exit code.
  const job = jobId === undefined ? '' : `job ${jobId}`
  const took = tookOf(attempt)
  const duration = took.endsWith('ms') ? ` in ${took}` : ''
  const retry = nextRetryAt === undefined ? '' : `, next attempt ${nextRetryAt.slice(11, 19)}`
  return `${status ?? error?.message ?? job}${duration}${retry}`.trimStart()
}
