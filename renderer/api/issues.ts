import type { ReplayedMany } from '../../server/contract/control-deliveries.ts'
import type { DeliveryIssue } from '../../server/contract/control-summary.ts'
import { mostReplays } from '../../server/contract/words/webhook-words.ts'
import { callApi } from './client.ts'
import { useWrite } from './query.ts'

type Figures = Pick<ReplayedMany, 'succeeded' | 'failed' | 'refused'>

/** Replays all deliveries of an issue, oldest first. */
export function useReplayIssue() {
  return useWrite({
    call: async (issue: DeliveryIssue) => replayAll(await listDeliveries(issue)),
    changes: ['deliveries', 'webhooks', 'issues'],
  })
}

/** Replays the deliveries that have failed, up to 1,000 of the newest ones. */
export async function replayFailed(): Promise<Figures> {
  const { items } = await callApi('GET deliveries', {
    query: { state: 'failed', view: 'rows', limit: 1000 },
  })
  return replayAll(items.map(({ id }) => id).toReversed())
}

async function replayAll(ids: readonly string[]): Promise<Figures> {
  const sum: Figures = { succeeded: 0, failed: 0, refused: 0 }
  for (let start = 0; start < ids.length; start += mostReplays) {
    const body = { ids: ids.slice(start, start + mostReplays) }
    const { succeeded, failed, refused } = await callApi('POST deliveries/replay', { body })
    sum.succeeded += succeeded
    sum.failed += failed
    sum.refused += refused
  }
  return sum
}

/** Lists the undelivered deliveries that failed last as the issue says, oldest first. */
async function listDeliveries({ webhookId, ...issue }: DeliveryIssue): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await callApi('GET deliveries', {
      query: { webhookId, state: 'waiting,failed', view: 'rows', limit: 1000, cursor },
    })
    for (const { id, attempts } of page.items) {
      const last = attempts.findLast(({ error }) => error !== undefined)
      if (last?.error?.class === issue.class && last.status === issue.status) ids.push(id)
    }
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return ids.toReversed()
}
