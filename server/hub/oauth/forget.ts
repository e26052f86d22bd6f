import { inBackground, type Report, warn } from '../../core/background.ts'
import type { OAuthDeps } from './oauth-deps.ts'
import { refreshTokenExpiry } from './tokens.ts'
import type { Collection, Entity } from '../../store/collection.ts'

/** Time during which an error can still say that a code or token is expired, used or revoked. */
const keptMs = 7 * 86_400_000
const intervalMs = 10 * 60_000
/** Most records to delete at once, to keep the server responsive; the rest follows a second later. */
const mostAtOnce = 2000
const breakMs = 1000

type ForgetDeps = Pick<OAuthDeps, 'state' | 'clock' | 'polls' | 'settings'>

/**
 * Deletes expired sessions, and codes and tokens that have been invalid for a week, so that the state of a sandbox does
 * not grow with each sign-in.
 * @param budget most records to delete
 * @returns the number of deleted records
 */
export function forgetExpired(
  { state, clock, polls, settings }: ForgetDeps,
  budget = mostAtOnce,
): number {
  const now = clock.now()
  const isOld = (time: number | undefined) => time !== undefined && time + keptMs <= now
  let left = budget

  function forget<T extends Entity>(
    collection: Pick<Collection<T, string, string>, 'values' | 'delete'>,
    isOver: (entity: T) => boolean,
  ): void {
    for (const entity of collection.values()) {
      if (left === 0) return
      if (!isOver(entity)) continue
      collection.delete(entity.id)
      left -= 1
    }
  }

  forget(state.sessions, ({ expiresAt }) => expiresAt <= now)
  forget(state.codes, ({ expiresAt }) => isOld(expiresAt))
  forget(state.deviceAuthorizations, ({ id, expiresAt }) => {
    if (expiresAt <= now) polls.forget(id)
    return isOld(expiresAt)
  })
  forget(state.tokens, ({ expiresAt, revokedAt }) => isOld(expiresAt) || isOld(revokedAt))
  forget(
    state.refreshTokens,
    (token) =>
      isOld(token.usedAt) || isOld(token.revokedAt) || isOld(refreshTokenExpiry(settings, token)),
  )
  return budget - left
}

/** Deletes expired records regularly until the clock is closed. */
export function keepForgetting(deps: ForgetDeps, report: Report = warn): void {
  const { clock } = deps
  let dueAt = Number.POSITIVE_INFINITY
  let cancel = () => {}

  function plan(inMs: number): void {
    cancel()
    dueAt = clock.now() + inMs
    cancel = clock.at(dueAt, () => {
      plan(intervalMs)
      inBackground(report, 'deleting expired records', () => {
        if (forgetExpired(deps) >= mostAtOnce) plan(breakMs)
      })
    })
  }
  plan(intervalMs)
  // After the clock was set back, for example by a reset, the next run would be far ahead.
  clock.onChange(({ now }) => {
    if (dueAt > now + intervalMs) plan(intervalMs)
  })
}
