import type { Clock } from '../core/clock.ts'

/** Wrong codes a user may type before they have to wait, and for how long. */
const maxWrongCodes = 5
const lockoutMs = 60_000

/**
 * Limits how often users type wrong device codes. By user and not by session: a new session is one click away.
 * In memory only, so a restart forgives.
 * @see RFC 8628 §5.1
 */
export interface CodeGuesses {
  /** Seconds until the user may try again; 0 = now. */
  waitSeconds(userId: string): number
  wrong(userId: string): void
  right(userId: string): void
  clear(): void
}

export function createCodeGuesses(clock: Pick<Clock, 'now'>): CodeGuesses {
  const guesses = new Map<string, { count: number; until: number }>()
  /** A clock that was set back leaves times of the future behind: none is further ahead than the lockout is long. */
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
