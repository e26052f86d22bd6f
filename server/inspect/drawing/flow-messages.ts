import type { FlowStep } from '../../contract/control-flows.ts'
import type { FlowActor } from '../../contract/words/sandbox-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { isoTime } from '../../core/time.ts'
import { tokenOfResponse } from '../flows/parties.ts'
import type { RequestRecord } from '../log/request-log.ts'
import { isUserDenial } from '../log/request-reason.ts'
import { endingOf } from './request-ending.ts'
import { answeredMs, type DrawingDeps, type DrawingInput, roundMs, sinceStart } from './context.ts'
import { changesOf, isTouched } from '../log/fault-effect.ts'
import { formOf, isStandIn, type MessagePair, queryOf, readExchange } from './exchanges.ts'
import { meaningOf } from './message-names.ts'
import { isFoldedPoll } from './polls.ts'

/** Draws requests and responses as arrows, with the messages around them that the sandbox cannot see. */
export function drawMessages(deps: DrawingDeps, input: DrawingInput): FlowStep[] {
  const { flow } = input
  return flow.records
    .filter((record) => !isFoldedPoll(record))
    .flatMap((record) => {
      const exchange = readExchange(record, flow.kind)
      return [
        ...messageBefore(input, record, exchange),
        drawRequest(input, record, exchange),
        ...drawDocument(deps, input, record),
        drawResponse(deps, input, record, exchange),
        ...messageAfter(input, record, exchange),
      ]
    })
}

function drawRequest(input: DrawingInput, record: RequestRecord, exchange: MessagePair): FlowStep {
  const sentences = [
    meaningOf(exchange.request),
    isStandIn(record) ? 'Done by the control API instead of the browser.' : undefined,
    resourceSentence('The token is to be for', resourcesOf(record)),
  ]
  const explanation = joined(sentences)
  return {
    ...arrow(input, record, exchange.from, 'hub', exchange.request),
    id: record.id,
    requestId: record.id,
    ...omitUndefined({ explanation }),
  }
}

function drawResponse(
  deps: DrawingDeps,
  input: DrawingInput,
  record: RequestRecord,
  exchange: MessagePair,
): FlowStep {
  const recorded = tokenOfResponse(deps, record)?.resources
  const meaning = joined([
    meaningOf(exchange.answer),
    resourceSentence('It is recorded with the token that it is for', recorded ?? []),
  ])
  const { outcome, error, explanation = meaning } = endingOf(record)
  const name = record.status === 0 ? 'no response' : exchange.answer
  return {
    ...arrow(input, record, 'hub', exchange.from, name),
    id: `${record.id}.answer`,
    requestId: record.id,
    at: isoTime(record.endedAt),
    sinceMs: sinceStart(input, answeredMs(record)),
    tookMs: record.durationMs,
    outcome,
    ...(outcome === 'refused' && isUserDenial(record) ? { denied: true } : {}),
    status: record.status,
    ...omitUndefined({ error, explanation }),
    ...(isTouched(record) ? { changes: changesOf([record]) } : {}),
  }
}

/** Servers that a request names as the target of its token (RFC 8707). */
function resourcesOf(record: RequestRecord): string[] {
  if (!record.url.startsWith('/oauth/')) return []
  const named = [queryOf(record), formOf(record)].flatMap((form) => form.getAll('resource'))
  return [...new Set(named)].filter((resource) => resource !== '')
}

/** Longest list in a sentence, in characters. */
const longestResources = 300

function resourceSentence(beginning: string, resources: readonly string[]): string | undefined {
  if (resources.length === 0) return undefined
  const list = resources.join(', ')
  const shown = list.length > longestResources ? `${list.slice(0, longestResources)}…` : list
  return `${beginning} ${shown} (RFC 8707).`
}

function joined(sentences: readonly (string | undefined)[]): string | undefined {
  const known = sentences.filter((sentence) => sentence !== undefined)
  return known.length === 0 ? undefined : known.join(' ')
}

/** Checks whether the app redirected its browser here: not for a request that the login page repeats. */
function messageBefore(
  input: DrawingInput,
  record: RequestRecord,
  exchange: MessagePair,
): FlowStep[] {
  const isFirst = record === input.flow.records[0]
  if (!isFirst || input.flow.droppedCount > 0 || exchange.request !== 'authorization request') {
    return []
  }
  return [inferred(input, record, { from: 'app', to: 'browser', name: 'redirect to the Hub' })]
}

function messageAfter(
  input: DrawingInput,
  record: RequestRecord,
  exchange: MessagePair,
): FlowStep[] {
  const { answer } = exchange
  const sinceMs = sinceStart(input, answeredMs(record))
  if (answer === 'code → redirect URI' || answer === 'error → redirect URI') {
    const what = { from: 'browser', to: 'app', name: 'redirect URI called' } as const
    return [{ ...inferred(input, record, what), id: `${record.id}.after`, sinceMs }]
  }
  if (answer === 'device authorization response') {
    const what = { from: 'device', to: 'browser', name: 'user code shown' } as const
    return [{ ...inferred(input, record, what), id: `${record.id}.after`, sinceMs }]
  }
  return []
}

/** Draws how the hub fetches the metadata document of an app whose id is a URL. */
function drawDocument(deps: DrawingDeps, input: DrawingInput, record: RequestRecord): FlowStep[] {
  const { documentFetch: fetched, clientId = '' } = record
  if (fetched === undefined) {
    const isServed = deps.state.metadataDocuments.get(clientId) !== undefined
    const isFirst = record === input.flow.records[0] && input.flow.droppedCount === 0
    if (!isServed || !isFirst) return []
    const served = inferred(input, record, { from: 'app', to: 'hub', name: 'metadata document' })
    const explanation = `The sandbox serves ${clientId} itself; the Hub fetches it from there.`
    return [{ ...served, id: `${record.id}.document`, explanation }]
  }
  const isRefused = fetched.problem !== undefined || fetched.status !== 200
  const { startedMs, endedMs, problem, status } = fetched
  return [
    {
      ...arrow(input, record, 'hub', 'app', 'metadata document request'),
      id: `${record.id}.document-request`,
      sinceMs: sinceStart(input, Math.max(startedMs, record.receivedMs)),
      explanation: `${meaningOf('metadata document request')} It is ${fetched.url}.`,
    },
    {
      ...arrow(input, record, 'app', 'hub', 'metadata document'),
      id: `${record.id}.document`,
      sinceMs: sinceStart(input, endedMs),
      tookMs: roundMs(endedMs - startedMs),
      outcome: isRefused ? 'refused' : 'ok',
      explanation:
        problem === undefined
          ? (meaningOf('metadata document') ?? '')
          : `It could not be fetched: ${problem}.`,
      ...omitUndefined({ status }),
    },
  ]
}

function inferred(
  input: DrawingInput,
  record: RequestRecord,
  { from, to, name }: { from: FlowActor; to: FlowActor; name: string },
): FlowStep {
  const explanation = meaningOf(name)
  return {
    ...arrow(input, record, from, to, name),
    id: `${record.id}.before`,
    inferred: true,
    ...omitUndefined({ explanation }),
  }
}

function arrow(
  input: DrawingInput,
  { at, receivedMs }: RequestRecord,
  from: FlowActor,
  to: FlowActor,
  name: string,
): Omit<FlowStep, 'id'> {
  const sinceMs = sinceStart(input, receivedMs)
  return { kind: 'message', from, to, name, at: isoTime(at), sinceMs, outcome: 'ok' }
}
