import { setTimeout as sleep } from 'node:timers/promises'
import type { ControlInput } from '../contract/control-call.ts'
import type { RequestItem } from '../contract/control-requests.ts'
import { ControlError } from '../handle/control-error.ts'
import { appNamed, listApps } from './app-named.ts'
import { CommandError } from './command-error.ts'
import { connect, type Connection, type ConnectOptions } from './connect.ts'
import { say } from './output.ts'

export type RequestFilters = Omit<
  NonNullable<ControlInput<'GET requests'>['query']>,
  'follow' | 'cursor' | 'limit'
>

export interface Tail {
  filters: Omit<RequestFilters, 'clientId'>
  /** Client id or name of the app whose requests are shown; it may come later. Absent = of all. */
  client: string | undefined
  /** So many of those that are there already are shown first. */
  limit: number
  show: (item: RequestItem) => void
}

/** So many are known again where the connection is made anew; few logs keep more. */
const mostSeen = 100_000

/** How often a sandbox that is gone is looked for again. */
const retryMs = 500

/**
 * Shows requests as they are answered, until a signal comes or nobody reads. A sandbox that ends is waited for, wherever
 * it comes back; where requests may be missing, that is said.
 */
export async function tailRequests(options: ConnectOptions, tail: Tail): Promise<void> {
  // Before anything is said: whoever reads it may end it at once. The stream is open and would keep the process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit())
  }
  let connection = await connect(options)
  let run = await runOf(connection)
  const earlier = await allOf(connection, tail)
  for (const item of earlier.slice(-tail.limit)) tail.show(item)
  const seen = new Set(earlier.map(({ id }) => id))
  say(`Following the requests of ${connection.url}. Ctrl-C ends it.`)
  for (;;) {
    await showNew(connection, tail, seen)
    say('The sandbox has ended the stream. Waiting for it to come back.')
    connection = await findAgain(options)
    const before = run
    run = await runOf(connection)
    if (run === before) await sayWhatIsMissing(connection, tail, seen)
    else {
      // A seed makes the same ids again.
      seen.clear()
      say(
        `It runs again, at ${connection.url}. What was asked in between may be missing: the log begins with the start.`,
      )
    }
  }
}

/** Shows what the stream tells that was not shown before, until it ends. */
async function showNew(connection: Connection, tail: Tail, seen: Set<string>): Promise<void> {
  const query = { ...(await filtersOf(connection, tail)), follow: '1' } as const
  try {
    for await (const item of connection.lines('GET requests', { query })) {
      if (seen.has(item.id)) continue
      if (seen.size >= mostSeen) seen.clear()
      seen.add(item.id)
      tail.show(item)
    }
  } catch (error) {
    // A connection that breaks is the end of a sandbox that was killed.
    if (!(error instanceof CommandError)) throw error
  }
}

/** Everything in the log that is wanted, oldest first. */
async function allOf(connection: Connection, tail: Tail): Promise<RequestItem[]> {
  const { call } = connection
  const filters = await filtersOf(connection, tail)
  const found: RequestItem[] = []
  let cursor: string | undefined
  do {
    const page = await call('GET requests', { query: { ...filters, limit: 1000, cursor } })
    found.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return found.toReversed()
}

async function filtersOf({ call }: Connection, { filters, client }: Tail): Promise<RequestFilters> {
  if (client === undefined) return filters
  return { ...filters, clientId: appNamed(await listApps(call), client)?.clientId ?? client }
}

/** Tells the runs of a sandbox apart. */
async function runOf({ call }: Connection): Promise<string> {
  return (await call('GET overview')).startedAt
}

async function findAgain(options: ConnectOptions): Promise<Connection> {
  for (;;) {
    await sleep(retryMs)
    try {
      // By its lock it is found at another port, too.
      const connection = await connect(options)
      await runOf(connection)
      return connection
    } catch (error) {
      if (error instanceof ControlError && error.status < 500) throw error
      if (!(error instanceof CommandError || error instanceof ControlError)) throw error
    }
  }
}

/** The log keeps only so many: where none of those shown is left in it, others may have come and gone. */
async function sayWhatIsMissing(
  connection: Connection,
  tail: Tail,
  seen: ReadonlySet<string>,
): Promise<void> {
  const left = await allOf(connection, tail)
  const isContinued = seen.size === 0 || left.some(({ id }) => seen.has(id))
  say(isContinued ? 'It is there again.' : 'It is there again. Some requests may be missing here.')
}
