import type { RecordedRunItem } from '../contract/control-overrides.ts'
import type { State } from './state.ts'

/** Small facts of the sandbox itself. */
export interface MetaValues {
  clock: { offsetMs?: number; frozenAt?: number }
  /** Hash of the fixtures that were loaded. */
  fixtures: string
  /** Number of the run in this data folder, from 0. */
  generation: number
  /** Recorded run that is shown and not yet resumed. */
  recordedRun: RecordedRunItem
}

// Value that the program wrote under this id; the store has checked that it is JSON.
export function readMeta<K extends keyof MetaValues>(
  state: State,
  id: K,
): MetaValues[K] | undefined {
  return state.meta.get(id)?.value as MetaValues[K] | undefined
}

export function writeMeta<K extends keyof MetaValues>(
  state: State,
  id: K,
  value: MetaValues[K],
): void {
  state.meta.put({ id, value })
}

/** Deletes everything except the sandbox's own facts: number of the run and fixtures in use. */
export function clearState({ meta: _ownFacts, ...collections }: State): void {
  for (const collection of Object.values(collections)) collection.clear()
}
