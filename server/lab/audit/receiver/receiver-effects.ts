import type { Bus } from '../../../hub/events/bus.ts'
import { profileNamed } from '../../../hub/webhooks/delivery/profiles.ts'
import type { Probes } from '../../../hub/webhooks/engine/probes.ts'
import { AuditProblem } from '../runs.ts'
import type { Effects } from './audited-receiver.ts'

/** Reads the amount of work that a receiver has done. */
export type ReadEffects = () => Promise<string>

const pauseMs = 120
const mostReads = 25
const longestText = 16 * 1024

/** Reads effects until they no longer change: a receiver may respond first and work afterwards. */
export function settle(read: ReadEffects, wait: (ms: number) => Promise<void>): Effects['settled'] {
  return async () => {
    let last = await read()
    for (let count = 0; count < mostReads; count++) {
      await wait(pauseMs)
      const next = await read()
      if (next === last) return next
      last = next
    }
    return last
  }
}

/**
 * Reads effects from a URL.
 * @throws {AuditProblem} when the URL does not respond with 2xx
 */
export function effectsOfUrl(
  engine: Pick<Probes, 'probe'>,
  url: string,
  signal: AbortSignal,
): ReadEffects {
  return async () => {
    const text = await readUrl(engine, url, signal, 'The effects could not be read')
    return text.slice(0, longestText).trim()
  }
}

/**
 * Restarts a receiver by a URL, which responds when it receives again.
 * @throws {AuditProblem} when the URL does not respond with 2xx
 */
export function restartByUrl(
  engine: Pick<Probes, 'probe'>,
  url: string,
  signal: AbortSignal,
): () => Promise<unknown> {
  return () => readUrl(engine, url, signal, 'The receiver could not be restarted')
}

/** @param problem start of the message of a failure */
async function readUrl(
  engine: Pick<Probes, 'probe'>,
  url: string,
  signal: AbortSignal,
  problem: string,
): Promise<string> {
  const { response, error } = await engine.probe(
    { webhook: { id: 'effects', url }, profile: profileNamed('hub') },
    { method: 'GET', messageId: 'effects', scope: 'repo', action: 'update', body: '', signal },
  )
  if (response !== undefined && error === undefined) return response.body
  throw new AuditProblem(`${problem}: ${error?.message ?? 'no response'}.`)
}

/** Counts what a user changes on the hub: comments, commits, discussions. */
export function countWrites(bus: Bus, userId: string): { read: ReadEffects; stop: () => void } {
  let count = 0
  const stop = bus.on('hub.event', ({ data }) => {
    if (data.actorId === userId) count++
  })
  return { read: async () => String(count), stop }
}
