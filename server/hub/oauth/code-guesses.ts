import type { Clock } from '../../core/clock.ts'

/** Number of wrong codes before the lockout, and its duration. */
const maxWrongCodes = 5
const lockoutMs = 60_000

/**
 * Limits wrong device codes per user, because a new session is one click away. Kept in memory: a restart resets it.
 * @see RFC 8628 §5.1
 */
export interface CodeGuesses {
  /** Returns the seconds until the user may try again; 0 = now. */
  waitSeconds(userId: string): number
  wrong(userId: string): void
  right(userId: string): void
  clear(): void
}

export function createCodeGuesses(clock: Pick<Clock, 'now'>): CodeGuesses {
  const guesses = new Map<string, { count: number; until: number }>()
  /** Ignores lockouts that are too far in the future, because the clock was set back. */
  const isOver = (until: number, now: number) => until <= now || until > now + lockoutMs
  return {
    waitSeconds(userId) {
      const now = clock.now()
      const { count, until } = guesses.get(userId) ?? { count: 0, until: now }
      if (count < maxWrongCodes || isOver(until, now)) return 0
      return Math.ceil((until - now) / 1000)
    },
    wrong(userId) {
      const now = clock.now()
      for (const [id, { until }] of guesses) if (isOver(until, now)) guesses.delete(id)
      const count = (guesses.get(userId)?.count ?? 0) + 1
      guesses.set(userId, { count, until: now + lockoutMs })
    },
    right: (userId) => void guesses.delete(userId),
    clear: () => guesses.clear(),
  }
}
