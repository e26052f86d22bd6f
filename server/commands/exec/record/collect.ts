import type { ControlCall } from '../../../contract/control-call.ts'
import type { FlowItem, RequestDetail } from '../../../contract/control-requests.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { pathOf } from '../../../core/request-target.ts'
import { ControlError } from '../../../embedded/control-error.ts'
import { readAll } from '../../read-run.ts'
import { parametersOf } from './parameters.ts'
import type { RecordedRequest } from './run-record.ts'

/** Reads at a time: more would crowd out whoever else asks the sandbox. */
const portion = 16

/** What comes or does not come as a browser likes. */
const byChance = /^\/(?:favicon\.ico|apple-touch-icon|robots\.txt)/

export async function readRequestIds(call: ControlCall): Promise<string[]> {
  const items = await readAll((cursor) =>
    call('GET requests', { query: { limit: 1000, ...cursor } }),
  )
  return items.map(({ id }) => id).toReversed()
}

/** The requests of a run, in the order in which they came. */
export async function readRequests(
  call: ControlCall,
  before: ReadonlySet<string>,
): Promise<RecordedRequest[]> {
  const flows = await readAll((cursor) => call('GET flows', { query: { limit: 1000, ...cursor } }))
  const flowOf = new Map(flows.map((flow) => [flow.id, flow]))
  const ids = (await readRequestIds(call)).filter((id) => !before.has(id))
  const details: RequestDetail[] = []
  for (let index = 0; index < ids.length; index += portion) {
    const some = await Promise.all(
      ids.slice(index, index + portion).map((id) => readRequest(call, id)),
    )
    details.push(...some.filter((detail) => detail !== undefined))
  }
  return details
    .filter(({ method, path }) => method !== 'OPTIONS' && !byChance.test(path))
    .map((detail) => describe(detail, flowOf.get(detail.flowId ?? '')))
}

/** The log may have dropped it since it was listed. */
async function readRequest(call: ControlCall, id: string): Promise<RequestDetail | undefined> {
  try {
    return await call('GET requests/:id', { params: { id } })
  } catch (error) {
    if (error instanceof ControlError && error.status === 404) return undefined
    throw error
  }
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
 * Who asks. Apps and people act side by side, and the clock decides who is first; what one of them does for one
 * purpose comes in its order. Whose sign-in it is, most of its requests do not say themselves.
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

/** A form or JSON as its members; what else it is, or what is not whole, says nothing that could be compared. */
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
