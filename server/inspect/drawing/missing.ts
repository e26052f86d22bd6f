import type { FlowStep } from '../../contract/control-flows.ts'
import { deviceCodeGrant } from '../../contract/words/oauth-words.ts'
import { isoTime } from '../../core/time.ts'
import type { RecordedMessage, RequestRecord } from '../log/request-log.ts'
import type { DrawingDeps, DrawingInput } from './context.ts'
import { formOf, recordPath } from './exchanges.ts'

/** Number of truncated bodies that are named; there may be thousands. */
const namedBodies = 5

/** Draws dropped requests at the beginning as a step. */
export function drawMissing(deps: DrawingDeps, { flow }: DrawingInput): FlowStep[] {
  const [first] = flow.records
  const explanation = missingBeginning(deps, { flow })
  if (first === undefined || explanation === undefined) return []
  return [
    {
      id: 'missing',
      kind: 'missing',
      from: 'hub',
      to: 'hub',
      name: 'earlier requests are missing',
      at: isoTime(first.at),
      sinceMs: 0,
      outcome: 'ok',
      explanation,
      ...(flow.droppedCount === 0 ? {} : { missingCount: flow.droppedCount }),
    },
  ]
}

/** Lists the parts that a drawing lacks, each as a sentence. */
export function describeMissing(deps: DrawingDeps, input: Pick<DrawingInput, 'flow'>): string[] {
  const beginning = missingBeginning(deps, input)
  const bodies = input.flow.records.flatMap(missingBodies)
  const more = bodies.length - namedBodies
  return [
    ...(beginning === undefined ? [] : [beginning]),
    ...bodies.slice(0, namedBodies),
    ...(more > 0 ? [`${more} more bodies were not kept whole.`] : []),
  ]
}

function missingBeginning(
  { state, settings }: DrawingDeps,
  { flow: { records, droppedCount } }: Pick<DrawingInput, 'flow'>,
): string | undefined {
  if (droppedCount > 0) {
    const what = droppedCount === 1 ? 'first request' : `first ${droppedCount} requests`
    return `The log no longer has the ${what} of this sign-in: it keeps the latest ${settings.caps.requests}.`
  }
  const [first] = records
  if (first === undefined || recordPath(first) !== '/oauth/token') return undefined
  // An unknown code or token was never issued: no earlier request can be missing.
  const form = formOf(first)
  const [code, refresh, device] = ['code', 'refresh_token', 'device_code'].map(
    (name) => form.get(name) ?? '',
  )
  if (first.grantType === 'refresh_token') {
    return state.refreshTokens.get(refresh ?? '') === undefined
      ? undefined
      : 'The sign-in that issued this refresh token is no longer in the log.'
  }
  const known =
    first.grantType === deviceCodeGrant
      ? state.deviceAuthorizations.get(device ?? '')
      : state.codes.get(code ?? '')
  return known === undefined
    ? undefined
    : 'The request that issued this code is no longer in the log.'
}

function missingBodies(record: RequestRecord): string[] {
  const sides = [
    ['request', record.request],
    ['answer', record.response],
  ] as const
  return sides.flatMap(([side, message]) =>
    isCut(message)
      ? [
          `The body of the ${side} of ${record.method} ${recordPath(record)} was not kept whole: ${message.size} bytes.`,
        ]
      : [],
  )
}

/** Checks whether a relevant body was truncated; pages are not relevant. */
function isCut({ truncated, size, headers }: RecordedMessage<object>): boolean {
  const { 'content-type': type } = headers as Record<string, unknown>
  return truncated && size > 0 && !String(type).startsWith('text/html')
}
