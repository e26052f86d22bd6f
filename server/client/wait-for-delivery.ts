import { takeMatcher, takeTimeout } from '../core/arguments.ts'
import type { Delivery } from './sandbox-api.ts'
import type { SandboxServer } from './sandbox-server.ts'
import type { Closing } from './until-closed.ts'
import { defaultWaitMs, waitForLine } from './wait-for-line.ts'

/** Maximum number of items in a message. */
const mostShown = 5

/** Returns the oldest matching delivery. */
export function waitForDelivery(
  server: Pick<SandboxServer, 'lines'>,
  closing: Closing,
  matches: (delivery: Delivery) => boolean = () => true,
  options: { timeoutMs?: number } = {},
): Promise<Delivery> {
  const fits = takeMatcher('waitForDelivery()', matches, "({ state }) => state === 'succeeded'")
  const timeoutMs = takeTimeout('waitForDelivery()', options.timeoutMs, defaultWaitMs)
  const seen = new Map<string, Delivery>()
  return waitForLine(server, closing, {
    key: 'GET deliveries',
    input: [{ query: { follow: '1' } }],
    timeoutMs,
    find(delivery) {
      seen.set(delivery.id, delivery)
      return fits(delivery) ? delivery : undefined
    },
    late: () =>
      `no such delivery within ${timeoutMs} ms; ${describeDeliveries([...seen.values()])}`,
  })
}

/** Describes the deliveries for an error message. */
export function describeDeliveries(deliveries: readonly Delivery[]): string {
  if (deliveries.length === 0) return 'there was none'
  const lines = deliveries
    .slice(-mostShown)
    .toReversed()
    .map(({ scope, action, repo, state, explanation, attempts }) => {
      const why = explanation ?? attempts.at(-1)?.explanation
      return `\n  ${scope} ${action} of ${repo}: ${state}${why === undefined ? '' : `. ${why}`}`
    })
  const first = deliveries.length > mostShown ? `the latest of ${deliveries.length}` : 'there was'
  return `${first}:${lines.join('')}`
}
