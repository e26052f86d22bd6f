import { omitUndefined } from '../core/omit-undefined.ts'
import type { DeliveryItem } from '../contract/control-deliveries.ts'
import { listedDeliveryStates } from '../contract/words/webhooks.ts'
import type { WebhookItem } from '../contract/control-webhooks.ts'
import { ControlError } from '../handle/control-error.ts'
import { CommandError } from './command-error.ts'
import { connect, type Connection, type ConnectOptions } from './connect.ts'
import { print, printJsonLine } from './output.ts'
import { oneLine } from './paint.ts'

export interface ListenCommandOptions extends ConnectOptions {
  forwardTo?: string
  secret?: string
  json?: boolean
}

/**
 * Shows deliveries as they happen, until a signal comes. With an address they are sent there, by a
 * webhook that goes away at the end, however that comes: it lives by the connection that follows it.
 */
export async function listen(options: ListenCommandOptions): Promise<void> {
  const target = options.forwardTo === undefined ? undefined : forwardAddress(options.forwardTo)
  const connection = await connect(options)
  const { now } = await connection.call('GET clock')
  const webhook =
    target === undefined ? undefined : await createWebhook(connection, target, options.secret)
  // Before anything is said: whoever reads it may end it at once.
  const end = onceStopped()
  process.stderr.write(
    webhook === undefined
      ? `Watching all deliveries of ${connection.url}. Ctrl-C ends it.\n`
      : `Sending to ${webhook.target} every event that ${webhook.owner.username} may see, and saying why where one is not sent.\nCtrl-C ends it and removes the webhook.\n`,
  )
  const follow = async () => {
    const query = {
      follow: '1',
      since: now,
      // What other webhooks pass over is of no interest here; of this one nobody expects it.
      ...(webhook && { webhookId: webhook.id, state: listedDeliveryStates.join(',') }),
    } as const
    const news = createNews()
    for await (const delivery of connection.lines('GET deliveries', { query })) {
      for (const attempt of news(delivery)) {
        if (options.json === true) printJsonLine(delivery)
        else print(oneLine(renderDelivery(delivery, attempt)))
      }
    }
  }
  const isStopped = await Promise.race([follow().then(() => false, sayWhy), end.then(() => true)])
  if (!isStopped) process.stderr.write('The sandbox has ended the stream.\n')
  if (isStopped && webhook !== undefined) await removeWebhook(connection, webhook.id)
  // The stream is still open and would keep the process.
  process.exit()
}

/** A connection that breaks is the end of a sandbox that was killed. */
function sayWhy(error: unknown): boolean {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
  return false
}

/** Waits until it is gone; a sandbox that cannot be reached any more has removed it, or will at its start. */
async function removeWebhook({ call }: Connection, id: string): Promise<void> {
  try {
    await call('DELETE webhooks/:id', { params: { id } })
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof ControlError)) throw error
  }
}

/**
 * An address as people type it: a port, a host with or without a path, or a whole URL.
 * @throws {CommandError} for what is none of these
 */
export function forwardAddress(given: string): string {
  const local = /^:?\d+(?=\/|$)/.test(given) ? `localhost:${given.replace(/^:/, '')}` : given
  const url = /^[a-z][\w+.-]*:\/\//i.test(local) ? local : `http://${local}`
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url
  throw new CommandError(
    `--forward-to must be a port (8000), localhost:8000/path or an http(s) URL, not ${given}`,
    { exitCode: 2 },
  )
}

type Attempt = DeliveryItem['attempts'][number]

/**
 * Tells of a delivery, each time it has changed, what was not told before: every attempt that has ended, and once
 * that there will be none.
 */
export function createNews(): (delivery: DeliveryItem) => (Attempt | undefined)[] {
  // By their numbers: they end in any order, and of many only the last are kept.
  const told = new Map<string, ReadonlySet<number | undefined>>()
  return ({ id, state, attempts }) => {
    const before = told.get(id)
    const isOver = attempts.length === 0 && (state === 'skipped' || state === 'cancelled')
    const ended = isOver ? [undefined] : attempts.filter(({ outcome }) => outcome !== undefined)
    told.set(id, new Set(ended.map((attempt) => attempt?.number)))
    return ended.filter((attempt) => before?.has(attempt?.number) !== true)
  }
}

async function createWebhook(
  { call }: Connection,
  url: string,
  secret: string | undefined,
): Promise<WebhookItem> {
  const users = await call('GET users', { query: { limit: 1000 } })
  const organizations = await call('GET organizations', { query: { limit: 1000 } })
  const user = users.items[0]?.username
  if (user === undefined) throw new CommandError('The sandbox has no user; make one first.')
  return call('POST webhooks', {
    body: {
      user,
      name: 'hub-sandbox listen',
      url,
      temporary: true,
      watched: [
        ...users.items.map(({ username }) => ({ type: 'user' as const, name: username })),
        ...organizations.items.map(({ name }) => ({ type: 'org' as const, name })),
      ],
      ...omitUndefined({ secret }),
    },
  })
}

function onceStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => resolve())
    }
  })
}

/** `10:15:03  succeeded  repo.content update  acme/corpus  200 in 12 ms`; without an attempt, why there is none. */
export function renderDelivery(delivery: DeliveryItem, attempt?: Attempt): string {
  const { state, reason, cancelledBecause, nextRetryAt } = delivery
  return [
    (attempt?.at ?? delivery.createdAt).slice(11, 19),
    (attempt === undefined ? state : stateAfter(delivery, attempt)).padEnd(9),
    `${delivery.scope} ${delivery.action}`.padEnd(25),
    delivery.repo,
    attempt === undefined
      ? (reason ?? cancelledBecause ?? '')
      : describeAttempt(attempt, isLastOfCourse(delivery, attempt) ? nextRetryAt : undefined),
  ]
    .join('  ')
    .trimEnd()
}

/** What an attempt came to, in the word for the delivery where it is this attempt that left it so. */
function stateAfter(delivery: DeliveryItem, attempt: Attempt): string {
  const { outcome = 'unknown' } = attempt
  if (outcome !== 'failed') return outcome
  const isOpen = delivery.state === 'waiting' || delivery.state === 'cancelled'
  return isOpen && isLastOfCourse(delivery, attempt) ? delivery.state : 'failed'
}

/** Replays go beside a delivery's own course. */
function isLastOfCourse({ attempts }: DeliveryItem, { number }: Attempt): boolean {
  return attempts.findLast(({ source }) => source !== 'replay')?.number === number
}

function describeAttempt(
  { status, error, jobId, durationMs }: Attempt,
  nextRetryAt: string | undefined,
): string {
  // A job that is recorded and not executed has no exit code.
  const job = jobId === undefined ? '' : `job ${jobId}`
  const duration = durationMs === undefined ? '' : ` in ${Math.round(durationMs)} ms`
  const retry = nextRetryAt === undefined ? '' : `, next try ${nextRetryAt.slice(11, 19)}`
  return `${status ?? error?.message ?? job}${duration}${retry}`.trimStart()
}
