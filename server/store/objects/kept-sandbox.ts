import { type Clock, type ClockReading, createClock } from '../../core/clock.ts'
import type { IdPosition } from '../../core/ids.ts'
import { captureState, fillState, type KeptState, reposOf } from '../kept-state.ts'
import { definitions, type State } from '../state.ts'
import { createCollections } from '../store.ts'
import { createMemoryObjects } from './memory-objects.ts'
import type { KeptObjects, ObjectStores } from './object-store.ts'

/** A saved state with the contents of its repos. */
export interface KeptSandbox extends KeptState {
  readonly objects: KeptObjects
}

/** Storage of a sandbox. */
interface Place {
  readonly state: State
  readonly objects: ObjectStores
}

export function captureSandbox(
  { state, objects }: Place,
  clock: ClockReading,
  ids?: IdPosition,
): KeptSandbox {
  return { ...captureState(state, clock, ids), objects: objects.capture() }
}

/**
 * Prepares {@link fillSandbox}. To be called before the present state is cleared: it stays if the disk refuses the new one.
 * @throws {StateError}
 */
export function prepareSandbox({ objects }: Pick<Place, 'objects'>, kept: KeptSandbox): void {
  objects.prepare(kept.objects, reposOf(kept))
}

/** Fills an empty state. */
export function fillSandbox({ state, objects }: Place, kept: KeptSandbox): void {
  objects.adopt(kept.objects, reposOf(kept))
  fillState(state, kept)
}

/**
 * Runs a task with a state and a clock of its own.
 * @param base contents that its repos start with; absent = none
 */
export function aside<T>(
  work: (place: PlaceAside) => T,
  realNow: () => number = Date.now,
  base?: KeptObjects,
): T {
  const place = makePlace(realNow, base)
  try {
    return work(place)
  } finally {
    place.clock.close()
  }
}

interface PlaceAside extends Place {
  readonly clock: Clock
}

function makePlace(realNow: () => number, base?: KeptObjects): PlaceAside {
  return {
    state: createCollections(definitions),
    objects: createMemoryObjects(base),
    clock: createClock({ realNow }),
  }
}
