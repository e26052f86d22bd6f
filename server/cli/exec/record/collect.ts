import type { ControlCall } from '../../../contract/control-call.ts'
import type { FlowItem, RequestDetail } from '../../../contract/control-requests.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { pathOf } from '../../../core/request-target.ts'
import { allFlows, allRequests, readEach } from '../../../client/lists.ts'
import { parametersOf } from './recorded-parameters.ts'
import type { RecordedRequest } from './run-record.ts'

/** Paths that browsers request at will. */
const byChance = /^\/(?:favicon\.ico|apple-touch-icon|robots\.txt)/

export async function readRequestIds(call: ControlCall): Promise<string[]> {
  return (await allRequests(call, {})).map(({ id }) => id)
}

/** Returns the requests of a run in the order of receipt. */
export async function readRequests(
  call: ControlCall,
  before: ReadonlySet<string>,
): Promise<RecordedRequest[]> {
  const flowOf = new Map((await allFlows(call)).map((flow) => [flow.id, flow]))
  const ids = (await readRequestIds(call)).filter((id) => !before.has(id))
  const details = await readEach(ids, (id) => call('GET requests/:id', { params: { id } }))
  return details
    .filter(({ method, path }) => method !== 'OPTIONS' && !byChance.test(path))
    .map((detail) => describe(detail, flowOf.get(detail.flowId ?? '')))
}

function describe(detail: RequestDetail, flow: FlowItem | undefined): RecordedRequest {
  const { method, path, status, error, request, response } = detail
  return {
    lane: laneOf(detail, flow),
    method,
    path,
    status,
    ...omitUndefined({
      body: bodyOf(request),
      authorization: headerOf(request, 'authorization')?.split(' ')[0],
      error,
      location: headerOf(response, 'location'),
      answer: bodyOf(response),
    }),
  }
}

/**
 * Identifies the caller. Apps and people act in parallel, in any order; the requests of one caller for one purpose are
 * ordered. Most requests of a sign-in do not name their user.
 */
function laneOf({ app, user, path }: RequestDetail, flow: FlowItem | undefined): string {
  const names = [(app ?? flow?.app)?.name, (user ?? flow?.user)?.username]
  const who = names.filter((name) => name !== undefined)
  return who.length > 0 ? who.join(', ') : pathOf(path)
}

type Message = RequestDetail['request']

function headerOf({ headers }: Message, wanted: string): string | undefined {
  return headers.find(([name]) => name?.toLowerCase() === wanted)?.[1]
}

/** Parses a form or JSON body; other or truncated bodies cannot be compared. */
function bodyOf(message: Message): unknown {
  const { body, truncated } = message
  if (body === undefined || truncated) return undefined
  const type = headerOf(message, 'content-type') ?? ''
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return parametersOf(new URLSearchParams(body))
  }
  if (!/^application\/(?:[\w.-]+\+)?json/.test(type)) return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
