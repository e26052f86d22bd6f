import type { AttemptItem, DeliveryItem } from '../../contract/control-deliveries.ts'
import type { FlowDetail, FlowStep } from '../../contract/control-flows.ts'
import { decidedOfItem, resultOfDelivery } from '../../contract/delivery-result.ts'
import { resultOf } from '../../contract/flow-result.ts'
import type { FlowKind, FlowResult } from '../../contract/words/sandbox-words.ts'
import { plainWord } from '../../contract/words/webhook-words.ts'
import { maskText } from '../../core/mask.ts'

/** Suites of a run; `requests` has refused requests of sign-ins that nothing made up for. */
export const runSuites = ['sign-ins', 'requests', 'deliveries'] as const

/** Sign-in, refused request or delivery as a test case. */
export interface RunCase {
  /** Of the sign-in or delivery. */
  readonly id: string
  readonly suite: (typeof runSuites)[number]
  /** Word for the result, as every list shows it. */
  readonly result: string
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
  /** Description of a case that ended neither passed nor failed, such as a denied sign-in. */
  readonly aside?: string
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
 * Lists the sign-ins and deliveries of a run with their results, without sign-ins of audits and skipped deliveries.
 * @param targets URLs of the webhooks that still exist, by id
 */
export function casesOf(
  flows: readonly FlowDetail[],
  deliveries: readonly DeliveryItem[],
  targets: ReadonlyMap<string, string> = new Map(),
): RunCase[] {
  return [
    ...flows.filter(({ audit }) => audit !== true).flatMap(casesOfFlow),
    ...deliveries
      .filter(({ state }) => state !== 'skipped')
      .map((delivery) => caseOfDelivery(delivery, targets.get(delivery.webhookId))),
  ]
}

/** Returns a sign-in, and the request with its token that was refused in the end. */
function casesOfFlow(flow: FlowDetail): RunCase[] {
  const { id, kind, app, user, startedAt, steps, explanation } = flow
  const who = [app?.name, user?.username].filter((name) => name !== undefined)
  const result = resultOf(flow)
  const lastMs = Math.max(0, ...steps.filter(isReal).map(({ sinceMs }) => sinceMs))
  const by = result === 'denied' ? ['denied by the user'] : []
  const own: RunCase = {
    id,
    suite: 'sign-ins',
    result,
    name: [flowNames[kind], ...who, ...by].join(', '),
    startedAt,
    seconds: lastMs / 1000,
    ...verdictOfFlow(result, explanation),
  }
  const refusal = result === 'refused' ? undefined : unfixed(steps)
  if (refusal === undefined) return [own]
  const name = `${refusal.asked} of ${own.name}`
  return [own, { ...own, suite: 'requests', result: 'refused', name, failure: refusal.sentence }]
}

function verdictOfFlow(
  result: FlowResult,
  explanation: string,
): Pick<RunCase, 'failure' | 'waiting' | 'aside'> {
  switch (result) {
    case 'completed':
      return {}
    case 'refused':
      return { failure: explanation }
    case 'pending':
      return { waiting: explanation }
    default:
      return { aside: explanation }
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
function unfixed(steps: readonly FlowStep[]): { asked: string; sentence: string } | undefined {
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
  if (last === undefined) return undefined
  const what = asked(last) ?? 'a request'
  return { asked: what, sentence: sentenceOf(last, what) }
}

function sentenceOf({ error, status, explanation }: FlowStep, asked: string): string {
  const code = error ?? (status === 0 ? 'no response' : `status ${status}`)
  return [`${asked}: ${code}`, explanation].filter((part) => part !== undefined).join(': ')
}

function caseOfDelivery(delivery: DeliveryItem, target: string | undefined): RunCase {
  const { id, scope, action, repo, createdAt, attempts, webhookId } = delivery
  const to = target === undefined ? `webhook ${webhookId}` : shownTarget(target)
  const ms = attempts.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0)
  return {
    id,
    suite: 'deliveries',
    result: plainWord(resultOfDelivery(decidedOfItem(delivery))),
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

/** Verdict on a delivery, by its result; its last failed attempt explains it. */
function verdictOn(delivery: DeliveryItem): Pick<RunCase, 'failure' | 'waiting' | 'aside'> {
  const { state, attempts, cancelledBecause = 'by hand', nextRetryAt, explanation } = delivery
  const last = attempts.findLast(({ error }) => error !== undefined)
  const failed = last === undefined ? '' : ` ${failureOf(last)}`
  switch (resultOfDelivery(decidedOfItem(delivery))) {
    case 'succeeded':
      return {}
    case 'not-run':
      return { aside: 'Its job was recorded, but not run.' }
    case 'failed':
      return { failure: failed.trim() || 'The delivery failed.' }
    case 'cancelled':
      return { aside: `Cancelled: ${cancelledBecause}.${failed}` }
    case 'failing': {
      const waits =
        nextRetryAt === undefined ? `is ${state}` : `waits for a retry at ${nextRetryAt}`
      return { waiting: `${explanation ?? `It ${waits}.`}${failed}` }
    }
    default:
      return { waiting: explanation ?? `It was ${state} when the run ended.` }
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
