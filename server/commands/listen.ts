import type { ClockReading } from '../contract/control-clock.ts'
import type { OrganizationList, UserList } from '../contract/control-accounts.ts'
import type { DeliveryItem } from '../contract/control-deliveries.ts'
import type { WebhookItem } from '../contract/control-webhooks.ts'
import { connect, type Connection, type ConnectOptions } from './connect.ts'
import { print } from './output.ts'

export interface ListenOptions extends ConnectOptions {
  forwardTo?: string
  secret?: string
  json?: boolean
}

/**
 * Shows deliveries as they happen, until a signal comes. With an address they are sent there, by a
 * webhook that goes away at the end.
 */
export async function listen(options: ListenOptions): Promise<void> {
  const connection = await connect(options)
  const { now } = await connection.control<ClockReading>('GET', 'clock')
  const webhook =
    options.forwardTo === undefined
      ? undefined
      : await createWebhook(connection, options.forwardTo, options.secret)
  const filter = webhook === undefined ? '' : `&webhookId=${webhook.id}`
  process.stderr.write(
    webhook === undefined
      ? `Watching all deliveries of ${connection.url}. Ctrl-C ends it.\n`
      : `Sending every event to ${webhook.target}. Ctrl-C ends it and removes the webhook.\n`,
  )
  const end = onceStopped()
  const follow = async () => {
    const path = `/_sandbox/api/deliveries?follow=1&since=${encodeURIComponent(now)}${filter}`
    for await (const line of connection.lines(path)) {
      if (line === '') continue
      print(options.json === true ? line : renderDelivery(JSON.parse(line) as DeliveryItem))
    }
    process.stderr.write('The sandbox has ended the stream.\n')
  }
  try {
    await Promise.race([follow(), end])
  } finally {
    if (webhook !== undefined) await connection.control('DELETE', `webhooks/${webhook.id}`)
  }
  // The stream is still open and would keep the process.
  process.exit()
}

async function createWebhook(
  { control }: Connection,
  url: string,
  secret: string | undefined,
): Promise<WebhookItem> {
  const users = await control<UserList>('GET', 'users?limit=1000')
  const organizations = await control<OrganizationList>('GET', 'organizations?limit=1000')
  const { users: loaded } = await control<{ users: { username: string }[] }>('GET', 'fixtures')
  return control<WebhookItem>('POST', 'webhooks', {
    user: loaded[0]?.username ?? users.items[0]?.username,
    name: 'hub-sandbox listen',
    url,
    watched: [
      ...users.items.map(({ username }) => ({ type: 'user', name: username })),
      ...organizations.items.map(({ name }) => ({ type: 'org', name })),
    ],
    ...(secret === undefined ? {} : { secret }),
  })
}

function onceStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
}

/** `10:15:03  succeeded  repo.content update  acme/corpus  200 in 12 ms` */
export function renderDelivery(delivery: DeliveryItem): string {
  const attempt = delivery.attempts.at(-1)
  const at = attempt?.at ?? delivery.createdAt
  return [
    at.slice(11, 19),
    delivery.state.padEnd(9),
    `${delivery.scope} ${delivery.action}`.padEnd(25),
    delivery.repo,
    describeOutcome(delivery),
  ]
    .join('  ')
    .trimEnd()
}

function describeOutcome({ attempts, reason, nextRetryAt }: DeliveryItem): string {
  const attempt = attempts.at(-1)
  const outcome = attempt?.status ?? attempt?.error?.message ?? reason ?? ''
  const duration =
    attempt?.durationMs === undefined ? '' : ` in ${Math.round(attempt.durationMs)} ms`
  const retry = nextRetryAt === undefined ? '' : `, next try ${nextRetryAt.slice(11, 19)}`
  return `${outcome}${duration}${retry}`
}
