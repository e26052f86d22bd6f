import { omitUndefined } from '../../../core/omit-undefined.ts'
import { createValueComparison, type ValueComparison } from './compare-values.ts'
import type { RecordedRequest } from './run-record.ts'

/** The first request in which a run differs from the record. */
export interface RunDifference {
  /** Its number in the record, from 1; absent where it is only in the run. */
  readonly recordedAs?: number
  /** Its number in the run, from 1; absent where it did not come. */
  readonly cameAs?: number
  readonly request: RecordedRequest
  /** What differs, such as `scope of its body`; absent where one of the two has no such request. */
  readonly what?: string
  readonly before?: unknown
  readonly now?: unknown
  readonly why?: string
}

/** A request and its number in its run. */
interface Numbered {
  readonly number: number
  readonly request: RecordedRequest
}

interface ComparisonOptions {
  /** Values that are the same in every run, such as the ids of the fixtures. */
  readonly fixed: ReadonlySet<string>
  /** Whether what the sandbox makes must be the same, too: both runs had the same seed. */
  readonly isSeeded: boolean
}

/** Segments of the log of one sandbox, in their order. */
type Segments = readonly (readonly Numbered[])[]

/**
 * Compares two runs request by request: segment by segment, and each lane of a segment in its own order. Tests that run
 * side by side make their forks in any order, so a fork is compared with the one that is like it.
 * @returns the first difference, in the order of the record
 */
export function compareRuns(
  recorded: readonly RecordedRequest[],
  came: readonly RecordedRequest[],
  options: ComparisonOptions,
): RunDifference | undefined {
  const before = sandboxesOf(recorded)
  const now = sandboxesOf(came)
  const difference = compareSandboxes(before.own, now.own, options)
  if (difference !== undefined) return difference
  const open = [...now.forks]
  const unmatched = before.forks.filter((fork) => {
    const match = open.findIndex((other) => compareSandboxes(fork, other, options) === undefined)
    if (match !== -1) open.splice(match, 1)
    return match === -1
  })
  if (unmatched.length === 0 && open.length === 0) return undefined
  return compareSandboxes(unmatched[0] ?? [], open[0] ?? [], options)
}

/** Requests of a run by the sandbox and the segment that they came in. */
function sandboxesOf(requests: readonly RecordedRequest[]): { own: Segments; forks: Segments[] } {
  const forks = new Map<number | undefined, Map<number, Numbered[]>>()
  for (const [index, request] of requests.entries()) {
    const segments = forks.get(request.fork) ?? new Map<number, Numbered[]>()
    forks.set(request.fork, segments)
    const { segment = 1 } = request
    const some = segments.get(segment) ?? []
    segments.set(segment, some)
    some.push({ number: index + 1, request })
  }
  const own = [...(forks.get(undefined)?.values() ?? [])]
  forks.delete(undefined)
  return { own, forks: Array.from(forks.values(), (segments) => [...segments.values()]) }
}

function compareSandboxes(
  recorded: Segments,
  came: Segments,
  options: ComparisonOptions,
): RunDifference | undefined {
  for (let index = 0; index < Math.max(recorded.length, came.length); index += 1) {
    const found = compareSegments(recorded[index] ?? [], came[index] ?? [], options)
    if (found !== undefined) return found
  }
  return undefined
}

function compareSegments(
  recorded: readonly Numbered[],
  came: readonly Numbered[],
  options: ComparisonOptions,
): RunDifference | undefined {
  const values = createValueComparison(options)
  const lanes = lanesOf(recorded)
  const lanesOfRun = lanesOf(came)
  const places = new Map<string, number>()
  for (const expected of inOrder([...lanes.values()])) {
    const { lane } = expected.request
    const place = places.get(lane) ?? 0
    places.set(lane, place + 1)
    const found = compareOne(values, expected, lanesOfRun.get(lane)?.[place])
    if (found !== undefined) return found
  }
  const beyond = Array.from(lanesOfRun, ([lane, requests]) =>
    requests.slice(lanes.get(lane)?.length ?? 0),
  )
  const [more] = inOrder(beyond)
  return more === undefined ? undefined : { cameAs: more.number, request: more.request }
}

function compareOne(
  values: ValueComparison,
  { number, request }: Numbered,
  actual: Numbered | undefined,
): RunDifference | undefined {
  if (actual === undefined) return { recordedAs: number, request }
  for (const [name, label] of parts) {
    const found = values.difference(name, request[name], actual.request[name])
    if (found === undefined) continue
    const { at, before, now, why } = found
    const what = at === '' ? label : `${at} of its ${label}`
    const numbers = { recordedAs: number, cameAs: actual.number }
    return { ...numbers, request: actual.request, what, before, now, ...omitUndefined({ why }) }
  }
  return undefined
}

/** What is compared, what was asked before what was answered. */
const parts = [
  ['method', 'method'],
  ['path', 'address'],
  ['authorization', 'authorization'],
  ['body', 'body'],
  ['status', 'status'],
  ['error', 'error'],
  ['location', 'redirect'],
  ['answer', 'answer'],
] as const satisfies readonly (readonly [keyof RecordedRequest, string])[]

function lanesOf(requests: readonly Numbered[]): Map<string, Numbered[]> {
  const lanes = new Map<string, Numbered[]>()
  for (const { number, request } of requests) {
    const lane = lanes.get(request.lane) ?? []
    const previous = lane.at(-1)
    // How often a device asks depends on how fast the user is.
    if (previous !== undefined && isPoll(request) && isSamePoll(previous.request, request)) continue
    lane.push({ number, request })
    lanes.set(request.lane, lane)
  }
  return lanes
}

const inOrder = (lanes: readonly (readonly Numbered[])[]) =>
  lanes.flat().toSorted((a, b) => a.number - b.number)

const isPoll = ({ error }: RecordedRequest) =>
  error === 'authorization_pending' || error === 'slow_down'

const isSamePoll = (before: RecordedRequest, now: RecordedRequest) =>
  isPoll(before) && before.path === now.path
