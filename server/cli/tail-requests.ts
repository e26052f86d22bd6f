import { setTimeout as sleep } from 'node:timers/promises'
import type { ControlInput } from '../contract/control-call.ts'
import type { RequestItem } from '../contract/control-requests.ts'
import { ControlError } from '../web/control-error.ts'
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
  /** Client id or name of an app, which may not exist yet. Absent = all. */
  client: string | undefined
  /** Number of past requests to show first. */
  limit: number
  show: (item: RequestItem) => void
}

/** Number of ids remembered for a reconnect; few logs keep more. */
const mostSeen = 100_000

/** Interval between attempts to reconnect. */
const retryMs = 500

/**
 * Prints requests as they complete, until a signal arrives or stdout closes. Reconnects to a restarted sandbox, at any
 * port, and reports possible gaps.
 */
export async function tailRequests(options: ConnectOptions, tail: Tail): Promise<void> {
  // Before any output: its reader may end this process at once. The stream is open and would keep the process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit())
  }
  let connection = await connect(options)
  let run = await runOf(connection)
  const earlier = await allOf(connection, tail)
  for (const item of earlier.slice(-tail.limit)) tail.show(item)
  const seen = new Set(earlier.map(({ id }) => id))
  say(`Following the requests of ${connection.url}. Press Ctrl-C to stop.`)
  for (;;) {
    await showNew(connection, tail, seen)
    say('The sandbox closed the stream. Waiting for it to restart.')
    connection = await findAgain(options)
    const before = run
    run = await runOf(connection)
    if (run === before) await sayWhatIsMissing(connection, tail, seen)
    else {
      // With a seed, a restarted sandbox reuses ids.
      seen.clear()
      say(
        `Reconnected to ${connection.url}. Requests sent in between may be missing: the log starts with the sandbox.`,
      )
    }
  }
}

/** Prints new requests of the stream until it ends. */
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
    // A lost connection means that the sandbox was killed.
    if (!(error instanceof CommandError)) throw error
  }
}

/** Returns the matching requests of the log, oldest first. */
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

/** Identifies a run of the sandbox. */
async function runOf({ call }: Connection): Promise<string> {
  return (await call('GET overview')).startedAt
}

async function findAgain(options: ConnectOptions): Promise<Connection> {
  for (;;) {
    await sleep(retryMs)
    try {
      // The lock file leads to the new port.
      const connection = await connect(options)
      await runOf(connection)
      return connection
    } catch (error) {
      if (error instanceof ControlError && error.status < 500) throw error
      if (!(error instanceof CommandError || error instanceof ControlError)) throw error
    }
  }
}

/** If the log has none of the shown requests left, others may have been dropped in between. */
async function sayWhatIsMissing(
  connection: Connection,
  tail: Tail,
  seen: ReadonlySet<string>,
): Promise<void> {
  const left = await allOf(connection, tail)
  const isContinued = seen.size === 0 || left.some(({ id }) => seen.has(id))
  say(isContinued ? 'Reconnected.' : 'Reconnected. Some requests may be missing here.')
}
