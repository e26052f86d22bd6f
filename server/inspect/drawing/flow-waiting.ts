import type { FlowStep } from '../../contract/control-flows.ts'
import { isoTime } from '../../core/time.ts'
import type { RequestRecord } from '../log/request-log.ts'
import { answeredMs, type DrawingInput, roundMs, sinceStart } from './context.ts'
import { readExchange } from './exchanges.ts'
import type { Standing } from './flow-outcome.ts'

/** Pages that wait for the user, with the action that they wait for. */
const pages: Readonly<Record<string, string>> = {
  'login page': 'Waiting for the user to sign in.',
  'password page': 'Waiting for the user’s password.',
  'consent page': 'Waiting for the user’s decision.',
  'code page': 'Waiting for the user to enter the code.',
}

/** Draws the time in which a user looks at a page, or an app has not used its code; it may still continue. */
export function drawWaiting(input: DrawingInput, standing: Standing): FlowStep[] {
  const { records, kind } = input.flow
  const steps: FlowStep[] = []
  let next: RequestRecord | undefined
  for (const record of records.toReversed()) {
    const exchange = readExchange(record, kind)
    if (exchange.from !== 'browser') continue
    const explanation = pages[exchange.answer]
    const ends = next?.receivedMs ?? (standing.outcome === 'pending' ? 'open' : undefined)
    if (explanation !== undefined && ends !== undefined) {
      const what = { name: `user on ${exchange.answer}`, explanation }
      steps.push(waitingStep(input, record, ends, { ...what, to: 'browser' }))
    }
    next = record
  }
  return [...steps.toReversed(), ...waitingForApp(input, standing)]
}

function waitingForApp(input: DrawingInput, standing: Standing): FlowStep[] {
  const last = input.flow.records.at(-1)
  if (last === undefined || standing.outcome !== 'pending') return []
  if (readExchange(last, input.flow.kind).answer !== 'code → redirect URI') return []
  const explanation = 'The app has a code and must exchange it before it expires.'
  return [
    waitingStep(input, last, 'open', {
      name: 'code not exchanged yet',
      explanation,
      to: 'app',
    }),
  ]
}

function waitingStep(
  input: DrawingInput,
  record: RequestRecord,
  ends: number | 'open',
  what: Pick<FlowStep, 'name' | 'explanation' | 'to'>,
): FlowStep {
  const startedMs = answeredMs(record)
  const endedMs = ends === 'open' ? input.nowMs : ends
  return {
    id: `${record.id}.waiting`,
    kind: 'waiting',
    from: 'hub',
    ...what,
    at: isoTime(record.endedAt),
    sinceMs: sinceStart(input, startedMs),
    tookMs: roundMs(Math.max(0, endedMs - startedMs)),
    outcome: ends === 'open' ? 'pending' : 'ok',
  }
}
