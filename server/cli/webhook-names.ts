import { pageSize, wholeList } from '../client/lists.ts'
import type { Connection } from './connect.ts'

/** Returns the name of each webhook, else its target, by id. */
export async function readWebhookNames({
  call,
}: Pick<Connection, 'call'>): Promise<Map<string, string>> {
  const webhooks = await wholeList((cursor) =>
    call('GET webhooks', { query: { limit: pageSize, cursor } }),
  )
  return new Map(webhooks.map(({ id, name, target }) => [id, name ?? target]))
}

/** Returns the name of a webhook; for a deleted one its id. */
export function webhookName(names: ReadonlyMap<string, string> | undefined, id: string): string {
  return names?.get(id) ?? `deleted webhook ${id}`
}
