import { isoTime } from '../../core/time.ts'
import type { WebhookStatistics } from '../../contract/control-webhooks.ts'
import type { Webhook } from '../../store/entities/webhook-entities.ts'
import { countErrors, countOverTime, measureLatency } from './views/charts.ts'
import type { HubServices } from '../services.ts'

import { describeUsage } from './control-view.ts'
import { describeStatistics } from './views/statistics.ts'

const mostErrors = 12
const mostSpans = 48

/**
 * Computes statistics of a webhook from its kept deliveries.
 * @param since milliseconds since 1970 on the sandbox clock; default: all of them
 */
export function describeWebhookStatistics(
  deps: HubServices,
  webhook: Webhook,
  since = -Infinity,
): WebhookStatistics {
  const { state, clock } = deps
  const deliveries = state.deliveries
    .group('webhook', webhook.id)
    .filter(({ createdAt }) => createdAt >= since)
  const attempts = deliveries.flatMap(({ id }) => state.attempts.group('delivery', id))
  const { errors, others } = countErrors(attempts, mostErrors)
  const { spanMs, spans } = countOverTime(deliveries, clock.now(), mostSpans)
  return {
    deliveries: describeStatistics(deliveries),
    usage: describeUsage(deps, webhook),
    latency: measureLatency(attempts),
    errors: errors.map(({ lastAt, ...error }) => ({ ...error, lastAt: isoTime(lastAt) })),
    otherErrors: others,
    overTime: {
      spanMs,
      spans: spans.map(({ from, ...span }) => ({ from: isoTime(from), ...span })),
    },
  }
}
