import type { Attempt } from '../../../state/entities/webhooks.ts'
import { bodyText } from '../../../requests/log/body-text.ts'
import { groupBy } from '../../../core/group-by.ts'
import { because, type Evidence, type SeenRequest, type SeenWebhook } from '../../evidence.ts'
import { type Rule, webhookGuide } from '../../rule.ts'
import { attempted } from './attempts.ts'

/** Time in which a receiver has done its work. */
const withinMs = 10_000
const writes = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

export const actsTwice: Rule = {
  id: 'webhook/acts-twice',
  level: 'warning',
  certainty: 'likely',
  title: 'The receiver seems to do its work again for each repetition of a delivery.',
  fix: 'Remember each Webhook-Id that was handled, and respond with 200 to it without doing the work: option dedupe of the receiver helper.',
  exceptions: ['both writes came after the last attempt'],
  sources: [webhookGuide],
  check(evidence) {
    const repeated = evidence.webhooks.filter(({ deliveries }) =>
      deliveries.some(({ attempts }) => attempts.length > 1),
    )
    return {
      judged: repeated.length,
      sightings: repeated.flatMap((seen) => {
        const works = writesOf(evidence, seen)
        const groups = groupBy(works, ({ attempt, write }) =>
          JSON.stringify([
            attempt.deliveryId,
            write.record.method,
            write.record.url,
            bodyText(write.record.request.body),
          ]),
        )
        return [...groups.values()].flatMap(([first, ...later]) => {
          const again = later.find(({ attempt }) => attempt.id !== first?.attempt.id)
          if (first === undefined || again === undefined) return []
          return {
            subject: { webhookId: seen.webhook.id },
            key: `${again.write.record.method} ${again.write.path}`,
            at: again.write.record.at,
            evidence: [
              because(first.write, `came after attempt ${first.attempt.number}`),
              attempted(again.attempt, 'repeated the delivery'),
              because(again.write, 'did the same again'),
            ],
          }
        })
      }),
    }
  },
}

/** Writes by the user of the receiver, each with the attempt before it. */
function writesOf({ requests }: Evidence, { webhook, attempts }: SeenWebhook) {
  const userId = webhook.actsAs ?? webhook.ownerId
  const sent = attempts.toSorted((one, other) => one.at - other.at)
  return requests.flatMap((write) => {
    if (!isWrite(write) || write.record.userId !== userId) return []
    const attempt = sent.findLast(({ at }) => at <= write.record.at)
    return attempt !== undefined && isSoonAfter(attempt, write) ? [{ attempt, write }] : []
  })
}

function isWrite({ path, record }: SeenRequest): boolean {
  return (
    writes.has(record.method) &&
    path.startsWith('/api/') &&
    record.status < 300 &&
    record.request.body !== undefined &&
    !record.request.truncated
  )
}

function isSoonAfter({ at, durationMs = 0 }: Attempt, { record }: SeenRequest): boolean {
  return record.at <= at + durationMs + withinMs
}
