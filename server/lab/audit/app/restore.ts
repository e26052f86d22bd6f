import type { Clock, ClockReading } from '../../../core/clock.ts'
import { own } from '../../../core/own.ts'
import type { Collection, Entity } from '../../../store/collection.ts'
import type { KeptState } from '../../../store/kept-state.ts'
import { type AuditMemory, readMeta, writeMeta } from '../../../store/meta.ts'
import { createRecordCheck } from '../../../store/record-check.ts'
import { definitions, recordFormatVersion, type State } from '../../../store/state.ts'

/** Collections with what an app has at the hub. */
const ofApps = ['consents', 'codes', 'tokens', 'refreshTokens', 'deviceAuthorizations'] as const

type AuditedState = Pick<State, (typeof ofApps)[number] | 'meta' | 'apps'>

/**
 * Remembers the clock, and what an app has at the hub. A whole snapshot would also undo what other apps did meanwhile, and
 * erase the request log, which proves the verdicts. The memory is part of the state, so that the next start restores it
 * after the process was killed.
 */
export function rememberApp(
  state: AuditedState,
  clientId: string,
  { frozen, now, offsetMs }: ClockReading,
): void {
  const collections = ofApps.map((name) => [name, recordsOf(state[name], clientId)] as const)
  writeMeta(state, 'audit', {
    format: recordFormatVersion,
    clientId,
    clock: frozen ? { frozenAt: now } : { offsetMs },
    collections: Object.fromEntries(collections),
  })
}

/** Forgets what {@link rememberApp} remembered, because another state has taken the place of the audited one. */
export function forgetApp(state: AuditedState): void {
  state.meta.delete('audit')
}

/** Restores what an app had at the hub. The clock restores itself, module by module. */
export function restoreApp(state: AuditedState): void {
  const memory = readMeta(state, 'audit')
  if (memory !== undefined) restoreRecords(state, memory)
  forgetApp(state)
}

/** Returns a captured state as it was before an audit that is running: snapshots and forks carry nothing of it. */
export function beforeAudit<K extends Pick<KeptState, 'clock' | 'collections'>>(
  state: Pick<State, 'meta'>,
  kept: K,
): K {
  const memory = readMeta(state, 'audit')
  if (memory === undefined) return kept
  const { clientId, clock } = memory
  const collections = ofApps.map((name) => {
    const others = ((own(kept.collections, name) ?? []) as readonly AppRecord[]).filter(
      (record) => record.clientId !== clientId,
    )
    return [name, [...others, ...(own(memory.collections, name) ?? [])]] as const
  })
  return {
    ...kept,
    clock,
    collections: { ...kept.collections, ...Object.fromEntries(collections) },
  }
}

/**
 * Restores the clock and what an app had at the hub after the process was killed in the middle of an audit. It has to run
 * before the clock is created.
 * @returns the name of the app; `undefined` if no audit was interrupted
 */
export async function restoreInterrupted(state: State): Promise<string | undefined> {
  const memory = readMeta(state, 'audit')
  if (memory === undefined) return undefined
  const { clientId, clock, format, collections } = memory
  writeMeta(state, 'clock', clock)
  // A newer program may have other records. Those of the audit are not worth keeping either way.
  const isReadable = format === recordFormatVersion && (await areValid(collections))
  restoreRecords(state, isReadable ? memory : { ...memory, collections: {} })
  forgetApp(state)
  return state.apps.get(clientId)?.name ?? clientId
}

async function areValid(collections: AuditMemory['collections']): Promise<boolean> {
  const check = await createRecordCheck(new Map(Object.entries(definitions)))
  return ofApps.every((name) =>
    (own(collections, name) ?? []).every((record) => check(name, record) === undefined),
  )
}

function restoreRecords(state: AuditedState, { clientId, collections }: AuditMemory): void {
  for (const name of ofApps) {
    // The remembered records came from this collection.
    const collection = state[name] as unknown as AppRecords
    const before = new Map((own(collections, name) ?? []).map((record) => [record.id, record]))
    for (const { id } of recordsOf(collection, clientId)) {
      if (!before.has(id)) collection.delete(id)
    }
    for (const [id, record] of before) if (collection.get(id) !== record) collection.put(record)
  }
}

type AppRecord = Entity & { readonly clientId?: string | undefined }
type AppRecords = Pick<Collection<AppRecord>, 'values' | 'put' | 'delete' | 'get'>

function recordsOf(collection: Pick<AppRecords, 'values'>, clientId: string): AppRecord[] {
  return [...collection.values()].filter((record) => record.clientId === clientId)
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
