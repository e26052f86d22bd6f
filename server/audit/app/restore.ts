import type { Clock } from '../../core/clock.ts'
import type { Collection, Entity } from '../../state/collection.ts'
import type { State } from '../../state/state.ts'

type AppState = Pick<
  State,
  'consents' | 'codes' | 'tokens' | 'refreshTokens' | 'deviceAuthorizations'
>

/**
 * Remembers what an app has at the hub. A whole snapshot would also undo what other apps did meanwhile, and erase the
 * request log, which proves the verdicts.
 * @returns a function that restores it
 */
export function rememberApp(state: AppState, clientId: string): () => void {
  const restores = [
    remember(state.consents, clientId),
    remember(state.codes, clientId),
    remember(state.tokens, clientId),
    remember(state.refreshTokens, clientId),
    remember(state.deviceAuthorizations, clientId),
  ]
  return () => {
    for (const restore of restores) restore()
  }
}

function remember<T extends Entity & { readonly clientId?: string | undefined }>(
  collection: Pick<Collection<T>, 'values' | 'put' | 'delete' | 'get'>,
  clientId: string,
): () => void {
  const own = () => [...collection.values()].filter((entity) => entity.clientId === clientId)
  const before = new Map(own().map((entity) => [entity.id, entity]))
  return () => {
    for (const { id } of own()) if (!before.has(id)) collection.delete(id)
    for (const [id, entity] of before) if (collection.get(id) !== entity) collection.put(entity)
  }
}

/** Moves a clock, and back. */
export interface MovedClock {
  advance(ms: number): void
  restore(): void
}

export function createMovedClock(clock: Pick<Clock, 'advance'>): MovedClock {
  let movedMs = 0
  return {
    advance(ms) {
      clock.advance(ms)
      movedMs += ms
    },
    restore() {
      if (movedMs !== 0) clock.advance(-movedMs)
      movedMs = 0
    },
  }
}
