import { type Clock, type ClockReading, createClock } from '../core/clock.ts'
import type { IdPosition } from '../core/ids.ts'
import { captureState, fillState, type KeptState } from '../state/kept-state.ts'
import type { Repo } from '../state/entities/hub.ts'
import { definitions, type State } from '../state/state.ts'
import { createCollections } from '../state/store.ts'
import { createMemoryObjects } from './memory-objects.ts'
import type { KeptObjects, ObjectStores } from './object-store.ts'

/** A kept state with the contents of its repos. */
export interface KeptSandbox extends KeptState {
  readonly objects: KeptObjects
}

/** Where a sandbox keeps what it knows. */
interface Place {
  readonly state: State
  readonly objects: ObjectStores
}

export function captureSandbox(
  { state, objects }: Place,
  clock: ClockReading,
  ids?: IdPosition,
): KeptSandbox {
  return { ...captureState(state, clock, ids), objects: objects.capture(state.repos.values()) }
}

/** Fills a state that is empty. */
export function fillSandbox({ state, objects }: Place, kept: KeptSandbox): void {
  objects.adopt(kept.objects, (kept.collections['repos'] ?? []) as readonly Repo[])
  fillState(state, kept)
}

/**
 * Works with a state and a clock that nobody else sees.
 * @param base what is in its repos to begin with; absent = nothing
 */
export function aside<T>(
  work: (place: Place & { clock: Clock }) => T,
  realNow: () => number = Date.now,
  base?: KeptObjects,
): T {
  const clock = createClock({ realNow })
  const objects = createMemoryObjects(base)
  try {
    return work({ state: createCollections(definitions), objects, clock })
  } finally {
    clock.close()
  }
}
