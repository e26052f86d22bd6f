import type { Difference } from './difference.ts'
import { inputDifferences, type OperationPair } from './input-differences.ts'
import {
  counterpartOf,
  type OpenApiDocument,
  type Operation,
  operationsAt,
} from './openapi-document.ts'
import { responseDifferences } from './response-differences.ts'
import { isJsonType, type Visit } from './tour.ts'

/** Result of comparing the sandbox with the OpenAPI document of the Hub. */
export interface OpenApiDrift {
  /** Operations of the document. */
  operations: number
  /** Those of them that the sandbox has. */
  emulated: number
  /** Responses that were compared. */
  responses: number
  differences: readonly Difference[]
}

/**
 * Compares two OpenAPI documents, and the responses of a tour with that of the Hub.
 * @param visits calls at the sandbox; those of operations that the Hub's document lacks are left out
 */
export function openApiDrift(
  documents: { hub: OpenApiDocument; here: OpenApiDocument },
  visits: readonly Visit[],
): OpenApiDrift {
  const { hub, here } = documents
  const found = hub.operations.map((operation) => ({
    hub: operation,
    here: counterpartOf(operation, here.operations),
  }))
  const pairs = found.filter((pair): pair is OperationPair => pair.here !== undefined)
  const taken = new Set(pairs.map((pair) => pair.here))
  const visited = responsesOf(hub, visits)
  return {
    operations: hub.operations.length,
    emulated: pairs.length,
    responses: [...visited.values()].reduce((sum, list) => sum + list.length, 0),
    differences: [
      ...found.flatMap((pair) => (pair.here === undefined ? [missing(pair.hub)] : [])),
      ...here.operations.filter((one) => isOfTheHub(one) && !taken.has(one)).map(extra),
      ...pairs.flatMap((pair) => [
        ...inputDifferences(pair, documents),
        ...visitedDifferences(pair.hub, hub, visited.get(pair.hub) ?? []),
      ]),
    ],
  }
}

const whole = { member: '' } as const

const missing = ({ key }: Operation): Difference => ({
  operation: key,
  kind: 'missing operation',
  ...whole,
  hub: 'has it',
  here: 'refuses it as not emulated',
})

const extra = ({ key }: Operation): Difference => ({
  operation: key,
  kind: 'extra operation',
  ...whole,
  hub: 'not in the document',
  here: 'has it',
})

function isOfTheHub({ path }: Operation): boolean {
  return !/^\/_sandbox(\/|$)/.test(path)
}

type Response = Extract<Visit, { status: number }>

/** Groups the responses by the operation of the document that they belong to. */
function responsesOf(
  hub: OpenApiDocument,
  visits: readonly Visit[],
): ReadonlyMap<Operation, readonly Response[]> {
  const groups = new Map<Operation, Response[]>()
  for (const visit of visits) {
    if (!('status' in visit)) continue
    const { method, path } = visit.sent
    const [bare = ''] = path.split('?')
    for (const operation of operationsAt(hub.operations, method, bare)) {
      const group = groups.get(operation)
      if (group === undefined) groups.set(operation, [visit])
      else group.push(visit)
    }
  }
  return groups
}

/** Compares responses of success; the document describes few refusals. */
function visitedDifferences(
  operation: Operation,
  { resolve }: OpenApiDocument,
  responses: readonly Response[],
): readonly Difference[] {
  const granted = responses.filter(({ status }) => status < 400)
  if (granted.length === 0) {
    const statuses = [...new Set(responses.map(({ status }) => status))].join(', ')
    const here = statuses === '' ? 'no call of the tour' : `status ${statuses}`
    return [{ operation: operation.key, kind: 'not called', ...whole, hub: 'has it', here }]
  }
  const found = new Map<string, Difference>()
  for (const response of granted) {
    for (const one of differencesOfResponse(operation, response, resolve)) {
      const difference = { operation: operation.key, ...one }
      found.set(`${difference.kind} ${difference.member}`, difference)
    }
  }
  return [...found.values()]
}

function differencesOfResponse(
  { responses }: Operation,
  { status, headers, body }: Response,
  resolve: OpenApiDocument['resolve'],
): readonly Omit<Difference, 'operation'>[] {
  if (responses.size === 0) return []
  if (!responses.has(String(status))) {
    const hub = [...responses.keys()].join(' or ')
    return [{ kind: 'status', member: '', hub, here: String(status) }]
  }
  const schema = responses.get(String(status))
  // Where the document knows JSON only, files are text, and redirects have a sentence for people.
  const isJson = isJsonType(headers.get('content-type'))
  return schema === undefined || !isJson ? [] : responseDifferences(body, schema, resolve)
}
