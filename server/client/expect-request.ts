import { takeMatcher, takeTimeout } from '../core/arguments.ts'
import type { ControlCall } from '../contract/control-call.ts'
import type { RequestDetail, RequestItem } from '../contract/control-types.ts'
import { ControlError } from '../web/control-error.ts'
import { checkMatch, differencesInDetail, differencesInHead } from './request-differences.ts'
import type { RequestMatch } from './sandbox-api.ts'
import type { SandboxServer } from './sandbox-server.ts'
import type { Closing } from './until-closed.ts'
import { defaultWaitMs, waitForLine } from './wait-for-line.ts'

/** Maximum number of items in a message. */
const mostShown = 3

interface Miss {
  request: RequestItem
  differences: readonly string[]
}

/** Returns the oldest matching request; the error lists the closest ones. */
export async function expectRequest(
  server: Pick<SandboxServer, 'lines'>,
  closing: Closing,
  call: ControlCall,
  match: RequestMatch | ((request: RequestDetail) => boolean),
  options: { timeoutMs?: number } = {},
): Promise<RequestDetail> {
  checkMatch(match)
  const differencesFrom = comparison(match)
  const timeoutMs = takeTimeout('expectRequest()', options.timeoutMs, defaultWaitMs)
  const misses: Miss[] = []
  return waitForLine(server, closing, {
    key: 'GET requests',
    input: [{ query: { follow: '1' } }],
    timeoutMs,
    async find(request) {
      const inHead = typeof match === 'function' ? [] : differencesInHead(request, match)
      const detail = inHead.length === 0 ? await readDetail(call, request.id) : undefined
      // The log may have been cleared meanwhile.
      if (inHead.length === 0 && detail === undefined) return undefined
      const differences = detail === undefined ? inHead : differencesFrom(detail)
      if (differences.length === 0) return detail
      misses.push({ request, differences })
      return undefined
    },
    late: () => describeMisses(misses, timeoutMs),
  })
}

/** @throws {TypeError} for an async function */
function comparison(
  match: RequestMatch | ((request: RequestDetail) => boolean),
): (detail: RequestDetail) => readonly string[] {
  if (typeof match !== 'function') return (detail) => differencesInDetail(detail, match)
  const fits = takeMatcher('expectRequest()', match, '({ status }) => status === 200')
  return (detail) => (fits(detail) ? [] : ['it does not match'])
}

async function readDetail(call: ControlCall, id: string): Promise<RequestDetail | undefined> {
  try {
    return await call('GET requests/:id', { params: { id } })
  } catch (error) {
    if (error instanceof ControlError && error.status === 404) return undefined
    throw error
  }
}

function describeMisses(misses: readonly Miss[], timeoutMs: number): string {
  const begin = `no such request within ${timeoutMs} ms`
  if (misses.length === 0) return `${begin}; the sandbox received no requests`
  // Newest first among equally close ones.
  const nearest = misses
    .toReversed()
    .toSorted((one, other) => one.differences.length - other.differences.length)
    .slice(0, mostShown)
  const lines = nearest.map(
    ({ request, differences }) => `\n  ${describeRequestLine(request)}: ${differences.join(', ')}`,
  )
  return `${begin}; the closest of ${misses.length} received:${lines.join('')}`
}

/** Describes a request and its response in one line. */
function describeRequestLine({ method, path, status, error, detail }: RequestItem): string {
  const answer = status === 0 ? 'cut off' : [status, error].filter(Boolean).join(' ')
  return `${method} ${path} -> ${answer}${detail === undefined ? '' : ` (${detail})`}`
}
