import { firstAndLatest } from '../../core/first-and-latest.ts'
import type { FlowStep } from '../../contract/control-flows.ts'
import { deviceCodeGrant, pollAgainErrors } from '../../contract/words/oauth-words.ts'
import { isoTime } from '../../core/time.ts'
import type { DeviceAuthorization } from '../../store/entities/oauth-entities.ts'
import type { RequestRecord } from '../log/request-log.ts'
import { answeredMs, type DrawingDeps, type DrawingInput, roundMs, sinceStart } from './context.ts'
import { changesOf, isRefusedByFault, isTouched } from '../log/fault-effect.ts'
import type { Standing } from './flow-outcome.ts'

/** Default interval of polls, and what each `slow_down` adds (RFC 8628 §3.2, §3.5). */
const usualIntervalSeconds = 5

/** Number of first and of latest polls that are listed. */
const listedPolls = 100

/** Checks whether a device polls again after this request: only the last poll is a message of its own. */
export function isFoldedPoll(record: RequestRecord): boolean {
  const { grantType, status, error } = record
  if (grantType !== deviceCodeGrant || status === 200) return false
  return isRefusedByFault(record) || status === 0 || pollAgainErrors.has(error ?? '')
}

/** Draws all polls of a device as one step. */
export function drawPolls(
  deps: DrawingDeps,
  input: DrawingInput,
  { device, standing }: { device: DeviceAuthorization | undefined; standing: Standing },
): FlowStep[] {
  const polls = input.flow.records.filter(isFoldedPoll)
  const [first, last] = [polls[0], polls.at(-1)]
  if (first === undefined || last === undefined) return []
  const changed = polls.filter(isTouched)
  const expiresAt = device?.expiresAt ?? first.at + deps.settings.lifetimes.deviceCodeMs
  return [
    {
      id: 'polls',
      kind: 'polls',
      from: 'device',
      to: 'hub',
      name: 'polls',
      at: isoTime(first.at),
      sinceMs: sinceStart(input, first.receivedMs),
      tookMs: roundMs(answeredMs(last) - first.receivedMs),
      outcome: standing.outcome === 'pending' ? 'pending' : changed.length > 0 ? 'changed' : 'ok',
      explanation: explain(polls, changed.length),
      ...(changed.length === 0 ? {} : { changes: changesOf(changed) }),
      polls: {
        count: polls.length,
        list: firstAndLatest(polls, listedPolls).map((poll) => ({
          sinceMs: sinceStart(input, poll.receivedMs),
          answer: answerOf(poll),
          requestId: poll.id,
        })),
        intervalSeconds: intervalOf(deps, polls),
        expiresAt: isoTime(expiresAt),
      },
    },
  ]
}

/** Returns the error that reached the device, even if a fault caused it. */
function answerOf({ error, status }: RequestRecord): string {
  return error ?? (status > 0 ? `status ${status}` : 'cut off')
}

function intervalOf({ settings }: DrawingDeps, polls: readonly RequestRecord[]): number {
  const tooFast = polls.filter(({ error }) => error === 'slow_down').length
  const first = settings.device.intervalSeconds ?? usualIntervalSeconds
  return first + tooFast * usualIntervalSeconds
}

function explain(polls: readonly RequestRecord[], changed: number): string {
  const counts = new Map<string, number>()
  for (const poll of polls) counts.set(answerOf(poll), (counts.get(answerOf(poll)) ?? 0) + 1)
  const answers = Array.from(counts, ([answer, count]) => `${count} × ${answer}`).join(', ')
  const slower = counts.has('slow_down')
    ? ' Each slow_down makes the interval 5 seconds longer (RFC 8628 §3.5).'
    : ''
  const times = polls.length === 1 ? 'once' : `${polls.length} times`
  const faults = changed === 0 ? '' : ` A fault changed ${changed} of the responses.`
  return `The device asked ${times}: ${answers}.${slower}${faults}`
}
