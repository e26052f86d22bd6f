import type { Evidence, SeenRequest } from '../../evidence.ts'
import { jsonOf } from '../../../requests/details/json-body.ts'
import { bodyText } from '../../../requests/log/body-text.ts'

/** Seconds between polls, 5 where the response names none (RFC 8628 §3.2). */
export function intervalOf({ issued }: Evidence['devices'][number]): number {
  const interval = jsonOf(bodyText(issued.record.response.body))?.['interval']
  return typeof interval === 'number' ? interval : 5
}

/** Polls with the one before each. */
export function pairsOf(polls: readonly SeenRequest[]): [before: SeenRequest, poll: SeenRequest][] {
  return polls.slice(1).flatMap((poll, index) => {
    const before = polls[index]
    return before === undefined ? [] : [[before, poll] as [SeenRequest, SeenRequest]]
  })
}
