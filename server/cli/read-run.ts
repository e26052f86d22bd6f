import type { ControlCall } from '../contract/control-call.ts'
import type { DeliveryItem } from '../contract/control-deliveries.ts'
import { allFlows, wholeList, pageSize, readEach } from '../client/lists.ts'
import { readWebhookNames } from './webhook-names.ts'
import { casesOf, type RunCase } from '../inspect/exports/run-cases.ts'

/** Ids of items from before the run, which do not belong to it. */
export type Seen = ReadonlySet<string>

export async function readSeen(call: ControlCall): Promise<Seen> {
  const [flows, deliveries] = await Promise.all([readFlowIds(call), readDeliveries(call)])
  return new Set([...flows, ...deliveries.map(({ id }) => id)])
}

/** Returns the sign-ins and deliveries of a run with their results, oldest first. */
export async function readCases(call: ControlCall, seen: Seen = new Set()): Promise<RunCase[]> {
  const ids = (await readFlowIds(call)).filter((id) => !seen.has(id))
  const flows = await readEach(ids, (id) => call('GET flows/:id', { params: { id } }))
  const deliveries = (await readDeliveries(call)).filter(({ id }) => !seen.has(id))
  return casesOf(flows, deliveries, await readWebhookNames({ call }))
}

async function readFlowIds(call: ControlCall): Promise<string[]> {
  return (await allFlows(call)).map(({ id }) => id)
}

function readDeliveries(call: ControlCall): Promise<DeliveryItem[]> {
  return wholeList((cursor) =>
    call('GET deliveries', { query: { view: 'rows', limit: pageSize, cursor } }),
  )
}
