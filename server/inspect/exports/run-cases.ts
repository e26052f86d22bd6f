import type { AttemptItem, DeliveryItem } from '../../contract/control-deliveries.ts'
import type { FlowDetail, FlowStep } from '../../contract/control-flows.ts'
import type { FlowKind } from '../../contract/words/sandbox-words.ts'
import { maskText } from '../../core/mask.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'

/** Sign-in or delivery as a test case. */
export interface RunCase {
  readonly id: string
  readonly suite: 'sign-ins' | 'deliveries'
  /** Not unique within a run. */
  readonly name: string
  /** Start on the sandbox clock, ISO 8601. */
  readonly startedAt: string
  /** In real time. */
  readonly seconds: number
  /** Reason of a failure, as a sentence. */
  readonly failure?: string
  /** Description of an unfinished case, as a sentence: neither passed nor failed. */
  readonly waiting?: string
}

const flowNames: Record<FlowKind, string> = {
  'authorization-code': 'sign-in with a browser',
  'device-code': 'sign-in of a device',
  'token-exchange': 'token exchange',
  refresh: 'refresh',
  registration: 'app registration',
  'metadata-document': 'client metadata document',
}

/** Errors of refused tokens. Other refusals of the hub, such as for a missing repo, are not failures. */
const refusals: ReadonlySet<number> = new Set([0, 401, 403])

/**
 * Lists the sign-ins and deliveries of a run with their outcome, without sign-ins of audits and skipped deliveries.
 * @param targets URLs of the webhooks that still exist, by id
 */
export function casesOf(
  flows: readonly FlowDetail[],
  deliveries: readonly DeliveryItem[],
  targets: ReadonlyMap<string, string> = new Map(),
): RunCase[] {
  return [
    ...flows.filter(({ audit }) => audit !== true).map(caseOfFlow),
    ...deliveries
      .filter(({ state }) => state !== 'skipped')
      .map((delivery) => caseOfDelivery(delivery, targets.get(delivery.webhookId))),
  ]
}

function caseOfFlow(flow: FlowDetail): RunCase {
  const { id, kind, app, user, startedAt, outcome, denied, steps, explanation } = flow
  const who = [app?.name, user?.username].filter((name) => name !== undefined)
  // A denial that reached the app may be the outcome that a test expects.
  const isFailed = outcome === 'refused' && denied !== true
  const failure = isFailed ? explanation : unfixed(steps)
  const lastMs = Math.max(0, ...steps.filter(isReal).map(({ sinceMs }) => sinceMs))
  return {
    id,
    suite: 'sign-ins',
    name: [flowNames[kind], ...who, ...(denied === true ? ['denied by the user'] : [])].join(', '),
    startedAt,
    seconds: lastMs / 1000,
    ...omitUndefined({ failure }),
    ...(failure === undefined && outcome === 'pending' ? { waiting: explanation } : {}),
  }
}

/** Checks whether the case is still waiting: its duration grows. */
function isReal({ kind }: FlowStep): boolean {
  return kind === 'message' || kind === 'polls'
}

/**
 * Finds the last refusal that neither a new token nor a repeated request made up for. Polls of a device are one step and
 * not refusals.
 */
function unfixed(steps: readonly FlowStep[]): string | undefined {
  const requests = new Map(
    steps.flatMap(({ id, requestId, name }) => (id === requestId ? [[id, name] as const] : [])),
  )
  const answers = steps.filter(({ id, requestId }) => id === `${requestId}.answer`)
  const asked = ({ requestId = '' }: FlowStep) => requests.get(requestId)
  const isError = ({ outcome, status = 0 }: FlowStep) =>
    !['ok', 'pending', 'changed'].includes(outcome) && (refusals.has(status) || status >= 500)
  const last = answers.findLast(
    (answer, index) =>
      isError(answer) &&
      !answers
        .slice(index + 1)
        .some(
          (later) =>
            (later.outcome === 'ok' || later.outcome === 'changed') &&
            (asked(later) === asked(answer) || later.name === 'token response'),
        ),
  )
  return last === undefined ? undefined : sentenceOf(last, asked(last))
}

function sentenceOf({ error, status, explanation }: FlowStep, asked = 'a request'): string {
  const code = error ?? (status === 0 ? 'no answer' : `status ${status}`)
  return [`${asked}: ${code}`, explanation].filter((part) => part !== undefined).join(': ')
}

function caseOfDelivery(delivery: DeliveryItem, target: string | undefined): RunCase {
  const { id, scope, action, repo, createdAt, attempts, webhookId } = delivery
  const to = target === undefined ? `webhook ${webhookId}` : shownTarget(target)
  const ms = attempts.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0)
  return {
    id,
    suite: 'deliveries',
    name: `${scope} ${action} of ${repo} to ${to}`,
    startedAt: createdAt,
    seconds: ms / 1000,
    ...verdictOn(delivery),
  }
}

/** URL without its query, which may contain secrets. */
function shownTarget(target: string): string {
  return maskText(target).split(/[?#]/, 1)[0] ?? ''
}

/** Outcome of a delivery: its last attempt counts. */
function verdictOn(delivery: DeliveryItem): Pick<RunCase, 'failure' | 'waiting'> {
  const { state, attempts, cancelledBecause = 'it was cancelled', nextRetryAt } = delivery
  const last = attempts.findLast(({ error }) => error !== undefined)
  const failed = last === undefined ? undefined : failureOf(last)
  switch (state) {
    case 'succeeded':
      return delivery.recorded === true ? { waiting: 'Its job was recorded, but not run.' } : {}
    case 'failed':
      return { failure: failed ?? 'The delivery failed.' }
    case 'cancelled':
      return failed === undefined
        ? { waiting: `Never sent: ${cancelledBecause}.` }
        : { failure: `${failed} It was given up: ${cancelledBecause}.` }
    case 'waiting':
      return { waiting: `Waits for a retry at ${nextRetryAt}. ${failed ?? ''}`.trim() }
    default:
      return { waiting: delivery.explanation ?? `It was ${state} when the run ended.` }
  }
}

function failureOf({ number, status, error, explanation }: AttemptItem): string {
  const what = error?.message ?? (status === undefined ? 'failed' : `status ${status}`)
  return [`Attempt ${number}: ${asSentence(what)}`, explanation]
    .filter((part) => part !== undefined)
    .join(' ')
}

function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
