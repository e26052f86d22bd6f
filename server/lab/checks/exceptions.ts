import { createHash } from 'node:crypto'
import type { Attempt } from '../../store/entities/webhook-entities.ts'
import type { RequestRecord } from '../../inspect/log/request-log.ts'

/** Findings that the developer accepts, with the reason. */
export interface AdviceIgnore {
  /** The same for the same rule, app and webhook. */
  readonly id: string
  readonly rule: string
  /** Client id or name; absent = all apps. */
  readonly app?: string | undefined
  /** Id, name or URL; absent = all webhooks. */
  readonly webhook?: string | undefined
  readonly reason: string
  /** Whether the fixtures file has it. */
  readonly fixed?: boolean
}

/** A moment in real time: the sandbox clock may be moved within a pause, and back. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly realAt: number
  /** Milliseconds since the process started. */
  readonly realMs: number
}

interface Pause {
  readonly from: Moment
  /** App that is audited in this time. */
  readonly clientId?: string | undefined
  to?: Moment
}

/** Exceptions from the checks: findings that are ignored, and times that are not judged. */
export interface AdviceExceptions {
  ignore(what: Omit<AdviceIgnore, 'id' | 'fixed'>): AdviceIgnore
  /** @returns whether there was one */
  removeIgnore(id: string): boolean
  readonly ignores: readonly AdviceIgnore[]
  /**
   * Begins a time whose requests and attempts are not judged.
   * @param clientId app that is audited in this time
   * @returns its id
   */
  pause(from: Moment, clientId?: string): string
  /** Ends it. */
  resume(id: string, to: Moment): void
  isJudged(record: RequestRecord): boolean
  isAttemptJudged(attempt: Attempt): boolean
  /** Checks whether a request of an app came while that app was audited. */
  isOfAudit(record: Pick<RequestRecord, 'receivedMs'>, clientId: string | undefined): boolean
  clear(): void
}

export function createAdviceExceptions(): AdviceExceptions {
  const ignores = new Map<string, AdviceIgnore>()
  const pauses = new Map<string, Pause>()
  let count = 0
  const isPaused = (isIn: (pause: Pause) => boolean) => [...pauses.values()].some(isIn)

  return {
    ignore(what) {
      const ignore = withId(what)
      ignores.set(ignore.id, ignore)
      return ignore
    },
    removeIgnore: (id) => ignores.delete(id),
    get ignores() {
      return [...ignores.values()]
    },
    pause(from, clientId) {
      count += 1
      const id = `pause-${count}`
      pauses.set(id, { from, clientId })
      return id
    },
    resume(id, to) {
      const pause = pauses.get(id)
      if (pause !== undefined) pause.to ??= to
    },
    isJudged: (record) => !isPaused((pause) => isWithin(pause, record)),
    // One without a real time was made before this process started.
    isAttemptJudged: ({ realAt = 0 }) =>
      !isPaused(
        ({ from, to }) => realAt >= from.realAt && (to === undefined || realAt <= to.realAt),
      ),
    isOfAudit: (record, clientId) =>
      clientId !== undefined &&
      isPaused((pause) => pause.clientId === clientId && isWithin(pause, record)),
    clear() {
      ignores.clear()
      pauses.clear()
    },
  }
}

function isWithin({ from, to }: Pause, { receivedMs }: Pick<RequestRecord, 'receivedMs'>): boolean {
  return receivedMs >= from.realMs && (to === undefined || receivedMs <= to.realMs)
}

/** Gives an ignore its id. */
export function withId(what: Omit<AdviceIgnore, 'id'>): AdviceIgnore {
  const parts = JSON.stringify([what.rule, what.app ?? '', what.webhook ?? ''])
  return { id: createHash('sha256').update(parts).digest('hex').slice(0, 16), ...what }
}
