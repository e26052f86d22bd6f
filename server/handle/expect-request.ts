import { takeMatcher, takeTimeout } from '../core/arguments.ts'
import type { ControlCall } from '../contract/control-call.ts'
import type { RequestDetail, RequestItem } from '../contract/control-types.ts'
import { ControlError } from './control-error.ts'
import { checkMatch, differencesInDetail, differencesInHead } from './request-differences.ts'
import type { RequestMatch } from './sandbox-api.ts'
import type { SandboxServer } from './sandbox-server.ts'
import type { Closing } from './until-closed.ts'
import { defaultWaitMs, waitForLine } from './wait-for-line.ts'

/** As many as a message can hold. */
const mostTold = 3

interface Miss {
  request: RequestItem
  differences: readonly string[]
}

/** The first request that matches, oldest first; what came instead is told when none does. */
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
      // A log that was emptied meanwhile has it no more.
      if (inHead.length === 0 && detail === undefined) return undefined
      const differences = detail === undefined ? inHead : differencesFrom(detail)
      if (differences.length === 0) return detail
      misses.push({ request, differences })
      return undefined
    },
    late: () => describeMisses(misses, timeoutMs),
  })
}

/** @throws {TypeError} for a function that cannot tell at once */
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
  if (misses.length === 0) return `${begin}; the sandbox was asked nothing`
  // The latest first among those that are equally near.
  const nearest = misses
    .toReversed()
    .toSorted((one, other) => one.differences.length - other.differences.length)
    .slice(0, mostTold)
  const lines = nearest.map(
    ({ request, differences }) => `\n  ${describeRequestLine(request)}: ${differences.join(', ')}`,
  )
  return `${begin}; the nearest of ${misses.length} that came:${lines.join('')}`
}

/** A request in a line: what it asked for, and what it was answered. */
function describeRequestLine({ method, path, status, error, detail }: RequestItem): string {
  const answer = status === 0 ? 'cut off' : [status, error].filter(Boolean).join(' ')
  return `${method} ${path} -> ${answer}${detail === undefined ? '' : ` (${detail})`}`
}
