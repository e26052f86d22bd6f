import type { DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import {
  bodyFacts,
  type Fact,
  headerFacts,
  namedFacts,
  timingFacts,
} from '../../../shared/compare/compare-facts.ts'
import { formatTook } from '../../../lib/format.ts'
import { words } from '../words.ts'
import { shownAttempt } from './first-pane.ts'

/** Values of a delivery and its last result, to compare it with another one. */
export function deliveryFacts(delivery: DeliveryItem): Fact[] {
  const attempt = shownAttempt(delivery)
  const { request, response, error, timings = {} } = attempt ?? {}
  return [
    ...namedFacts(words.delivery, {
      [words.event]: `${delivery.scope} ${delivery.action}`,
      [words.repo]: delivery.repo,
      [words.state]: delivery.state,
      [words.target]: request && `${request.method} ${request.url}`,
      [words.result]: response?.status ?? error?.class,
    }),
    ...bodyFacts(words.payload, JSON.stringify(delivery.payload)),
    ...headerFacts(words.headersOf('Request'), request?.headers),
    ...headerFacts(words.headersOf(words.response), response?.headers),
    ...bodyFacts(words.bodyOf(words.response), response?.body),
    ...namedFacts('Timing', { ['Attempts']: delivery.attempts.length }),
    ...timingFacts('Timing', {
      [words.durationColumn]:
        attempt?.durationMs === undefined ? undefined : formatTook(attempt.durationMs),
      ...Object.fromEntries(Object.entries(timings).map(([name, ms]) => [name, formatTook(ms)])),
    }),
  ]
}
