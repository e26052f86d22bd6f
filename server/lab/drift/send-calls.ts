import { waitOfRefusal } from '../../fixtures/pull/wait-time.ts'
import type { Role, Send, Sent } from './tour.ts'

/** A Hub or document that cannot be compared; the message is a sentence. */
export class DriftError extends Error {
  override readonly name = 'DriftError'
}

export interface Target {
  origin: string
  /** Token of each role; a role without one sends none. */
  tokens: Readonly<Partial<Record<Role, string>>>
  /** Most calls a second. Default: no limit. */
  perSecond?: number
  /** Bytes of a body that are read at most; a file may be large. Default: 4 MiB. */
  mostBytes?: number
}

export interface SendDeps {
  fetch: typeof fetch
  wait: (ms: number) => Promise<void>
  /** Real time, in milliseconds since 1970. */
  now: () => number
  /** Tells that a host asked to wait. */
  onWait?: (seconds: number) => void
}

const deadlineMs = 30_000
const usualBytes = 4 * 1024 * 1024
/** A host that is busy for longer is not waited for. */
const mostWaits = 5
const longestWaitSeconds = 300

/**
 * Creates a function that sends calls to one host: not more than so many a second, each at most 30 s long, and again after
 * the time that a 429 names. Redirects are not followed, so a token goes to this host alone.
 * @throws {DriftError} from the function it returns
 */
export function createSend(target: Target, deps: SendDeps): Send {
  const { perSecond } = target
  let next = deps.now()
  const inTurn = async () => {
    if (perSecond === undefined) return
    const early = next - deps.now()
    next = Math.max(next, deps.now()) + 1000 / perSecond
    if (early > 0) await deps.wait(early)
  }
  return async (sent) => {
    for (let waits = 0; ; waits++) {
      await inTurn()
      const response = await ask(target, sent, deps)
      if (response.status !== 429) return response
      const waitMs = waitOfRefusal(Object.fromEntries(response.headers), deps.now())
      const seconds = waitMs / 1000
      if (waits >= mostWaits || seconds > longestWaitSeconds) {
        throw new DriftError(
          `${target.origin} refuses further calls (429): wait ${seconds} s, and lower --rate.`,
        )
      }
      deps.onWait?.(seconds)
      await deps.wait(waitMs)
    }
  }
}

async function ask(
  { origin, tokens, mostBytes = usualBytes }: Target,
  { method, path, headers, body, as }: Sent,
  { fetch }: SendDeps,
): Promise<Awaited<ReturnType<Send>>> {
  const token = tokens[as]
  const isOwn = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  try {
    const response = await fetch(new URL(path, origin), {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(deadlineMs),
      headers: {
        ...(token !== undefined && !isOwn && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    })
    return {
      status: response.status,
      headers: response.headers,
      text: await textOf(response, mostBytes),
    }
  } catch (error) {
    const why =
      error instanceof Error && error.name === 'TimeoutError'
        ? `did not respond within ${deadlineMs / 1000} s`
        : `cannot be reached (${reasonOf(error)})`
    throw new DriftError(`${origin} ${why}: ${method} ${path}.`, { cause: error })
  }
}

function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown }
  return cause instanceof Error
    ? cause.message || String((cause as NodeJS.ErrnoException).code)
    : String(cause)
}

async function textOf({ body }: Response, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > mostBytes) break
  }
  return Buffer.concat(chunks).toString('utf8')
}
