import type { RecordedRunItem } from '../contract/control-overrides.ts'
import type { Entity } from './collection.ts'
import type { State } from './state.ts'

/** Small facts of the sandbox itself. */
export interface MetaValues {
  clock: { offsetMs?: number; frozenAt?: number }
  /** Hash of the fixtures that were loaded. */
  fixtures: string
  /** Number of the run in this data folder, from 0. */
  generation: number
  /** Recorded run that is shown. */
  recordedRun: RecordedRunItem
  /** What the audit of an app restores when it ends. It is still there if the process was killed meanwhile. */
  audit: AuditMemory
}

/** Clock, and records of one app, from before an audit. */
export interface AuditMemory {
  /** Version of the records. */
  format: number
  clientId: string
  clock: { offsetMs: number } | { frozenAt: number }
  collections: Record<string, readonly Entity[]>
}

// Value that the program wrote under this id; the store has checked that it is JSON.
export function readMeta<K extends keyof MetaValues>(
  state: Pick<State, 'meta'>,
  id: K,
): MetaValues[K] | undefined {
  return state.meta.get(id)?.value as MetaValues[K] | undefined
}

export function writeMeta<K extends keyof MetaValues>(
  state: Pick<State, 'meta'>,
  id: K,
  value: MetaValues[K],
): void {
  state.meta.put({ id, value })
}

/** Deletes everything except the sandbox's own facts: number of the run and fixtures in use. */
export function clearState({ meta: _ownFacts, ...collections }: Partial<State>): void {
  for (const collection of Object.values(collections)) collection.clear()
}
