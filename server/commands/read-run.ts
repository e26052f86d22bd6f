import type { ControlCall } from '../contract/control-call.ts'
import type { DeliveryItem } from '../contract/control-deliveries.ts'
import { ControlError } from '../embedded/control-error.ts'
import { casesOf, type RunCase } from '../requests/exports/run-cases.ts'

/** What a sandbox had seen when a run began, by ids: none of it belongs to the run. */
export type Seen = ReadonlySet<string>

/** Reads at a time: more would crowd out whoever else asks the sandbox. */
const portion = 16

export async function readSeen(call: ControlCall): Promise<Seen> {
  const [flows, deliveries] = await Promise.all([readFlowIds(call), readDeliveries(call)])
  return new Set([...flows, ...deliveries.map(({ id }) => id)])
}

/** The sign-ins and deliveries of a run, the oldest first, each with how it ended. */
export async function readCases(call: ControlCall, seen: Seen = new Set()): Promise<RunCase[]> {
  const ids = (await readFlowIds(call)).filter((id) => !seen.has(id))
  const flows = []
  for (let index = 0; index < ids.length; index += portion) {
    const some = ids.slice(index, index + portion).map((id) => readFlow(call, id))
    flows.push(...(await Promise.all(some)).filter((flow) => flow !== undefined))
  }
  const deliveries = (await readDeliveries(call)).filter(({ id }) => !seen.has(id))
  return casesOf(flows, deliveries, await readTargets(call))
}

/** The log may have dropped it since it was listed. */
async function readFlow(call: ControlCall, id: string) {
  try {
    return await call('GET flows/:id', { params: { id } })
  } catch (error) {
    if (error instanceof ControlError && error.status === 404) return undefined
    throw error
  }
}

async function readFlowIds(call: ControlCall): Promise<string[]> {
  const flows = await readAll((cursor) => call('GET flows', { query: { limit: 1000, ...cursor } }))
  return flows.map(({ id }) => id).toReversed()
}

async function readDeliveries(call: ControlCall): Promise<DeliveryItem[]> {
  const deliveries = await readAll((cursor) =>
    call('GET deliveries', { query: { view: 'rows', limit: 1000, ...cursor } }),
  )
  return deliveries.toReversed()
}

async function readTargets(call: ControlCall): Promise<Map<string, string>> {
  const webhooks = await readAll((cursor) =>
    call('GET webhooks', { query: { limit: 1000, ...cursor } }),
  )
  return new Map(webhooks.map(({ id, name, target }) => [id, name ?? target]))
}

/** All pages of a list. */
export async function readAll<T>(
  page: (cursor: { cursor?: string }) => Promise<{ items: T[]; nextCursor?: string }>,
): Promise<T[]> {
  const all: T[] = []
  let cursor: string | undefined
  do {
    const { items, nextCursor } = await page(cursor === undefined ? {} : { cursor })
    all.push(...items)
    cursor = nextCursor
  } while (cursor !== undefined)
  return all
}
