import type { State } from './state.ts'

/** Small facts of the sandbox itself. */
export interface MetaValues {
  clock: { offsetMs?: number; frozenAt?: number }
  /** Hash of the fixtures that were loaded. */
  fixtures: string
  /** Runs of this data folder, from 0. */
  generation: number
}

// What the program itself wrote under this id; the store has checked that it is JSON.
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

/** Forgets everything but what tells the runs of a seeded sandbox apart. */
export function clearState(state: State): void {
  const generation = readMeta(state, 'generation')
  for (const collection of Object.values(state)) collection.clear()
  if (generation !== undefined) writeMeta(state, 'generation', generation)
}
