import { isObject } from '../core/is-object.ts'
import type { RecordedRunItem } from '../contract/control-overrides.ts'
import type { LogFixture } from '../contract/fixtures-types.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { assertShallow, deepestJson } from '../core/json-depth.ts'
import { type Clock, type ClockReading, isClockTime } from '../core/clock.ts'
import type { IdPosition } from '../core/ids.ts'
import type { Entity } from './collection.ts'
import type { Repo } from './entities/hub-entities.ts'
import { messageOf } from '../core/background.ts'
import { own, setOwn } from '../core/own.ts'
import { readMeta } from './meta.ts'
import { createRecordCheck } from './record-check.ts'
import { definitions, recordFormatVersion, type State } from './state.ts'
import { createCollections } from './store.ts'

/** All entities, and the state of the clock and of seeded ids. */
export interface KeptState {
  /** {@link recordFormatVersion} of the program that saved it. */
  format: number
  clock: { frozenAt: number } | { offsetMs: number }
  ids?: IdPosition
  collections: Record<string, readonly Entity[]>
  /** Recorded run that is shown. */
  recordedRun?: RecordedRunItem
  /** Log of that run, if it comes from a fixtures file. */
  log?: Pick<LogFixture, 'lengthMs' | 'requests' | 'clockMoves' | 'facts'>
}

/** The sandbox's own facts (number of the run, fixtures in use) are not part of a saved state. */
const ownFacts = 'meta'

/** A request body is a few levels deep in its record, and the record in the file. */
const deepestState = deepestJson + 8

/** Lists the repos of a saved state, whose records are not checked. */
export function reposOf({ collections }: KeptState): readonly Repo[] {
  return (collections['repos'] ?? []) as readonly Repo[]
}

export function captureState(
  state: State,
  { frozen, now, offsetMs }: ClockReading,
  ids?: IdPosition,
): KeptState {
  return {
    format: recordFormatVersion,
    clock: frozen ? { frozenAt: now } : { offsetMs },
    ...omitUndefined({ ids, recordedRun: readMeta(state, 'recordedRun') }),
    collections: Object.fromEntries(
      Object.entries(state)
        .filter(([name]) => name !== ownFacts)
        .map(([name, collection]) => [name, [...collection.values()].filter(isLasting)]),
    ),
  }
}

/** Followers of a temporary webhook will not exist when the state is restored. */
const isLasting = (entity: Entity) => !('temporary' in entity && entity.temporary === true)

/** @param clock runs on real time */
export function setClock(clock: Clock, kept: KeptState['clock']): void {
  if ('frozenAt' in kept) clock.freeze(kept.frozenAt)
  else clock.advance(kept.offsetMs)
}

/** Fills empty collections; a saved state has none of the sandbox's own facts. */
export function fillState(state: State, { collections }: KeptState): void {
  for (const [name, collection] of Object.entries(state)) {
    // The saved records came from this collection.
    const put = collection.put.bind(collection) as (entity: Entity) => unknown
    for (const entity of own(collections, name) ?? []) put(entity)
  }
}

/**
 * Checks a state from a file as fully as a start does: format, clock, every record and their references.
 * @returns the problem; `undefined` if the state can replace the current one
 */
export async function keptStateProblem(value: unknown): Promise<string | undefined> {
  if (!isObject(value)) return 'it is not a saved state'
  const { format, clock, ids, collections } = value
  if (typeof format !== 'number') return 'it has no format'
  if (format !== recordFormatVersion) {
    return `it has format ${format}; this version reads ${recordFormatVersion}`
  }
  if (!isClock(clock)) return 'its clock is invalid'
  if (ids !== undefined && !isPosition(ids)) return 'its id state is invalid'
  if (!isObject(collections)) return 'it has no collections'
  try {
    assertShallow(value, deepestState)
    const records = await checkRecords(collections)
    fillState(createCollections(definitions), { format, clock, collections: records })
  } catch (error) {
    return messageOf(error)
  }
  return undefined
}

async function checkRecords(collections: Record<string, unknown>) {
  const known = new Map(Object.entries(definitions))
  const check = await createRecordCheck(known)
  const checked: Record<string, Entity[]> = {}
  for (const [name, records] of Object.entries(collections)) {
    if (name === ownFacts || !known.has(name) || !Array.isArray(records)) {
      throw new Error(`there is no collection "${name}"`)
    }
    const ids = new Set<string>()
    for (const record of records as Entity[]) {
      const problem = check(name, record)
      if (problem !== undefined) throw new Error(problem)
      if (ids.has(record.id)) throw new Error(`${name} "${record.id}" is duplicated`)
      ids.add(record.id)
    }
    setOwn(checked, name, records as Entity[])
  }
  return checked
}

function isClock(value: unknown): value is KeptState['clock'] {
  if (!isObject(value)) return false
  const { frozenAt, offsetMs } = value
  if (typeof frozenAt === 'number') return isClockTime(frozenAt)
  return typeof offsetMs === 'number' && isClockTime(Date.now() + offsetMs)
}

function isPosition(value: unknown): value is IdPosition {
  if (!isObject(value)) return false
  const { generation, streams = {} } = value
  if (!Number.isSafeInteger(generation) || !isObject(streams)) return false
  return Object.values(streams).every((bytes) => Number.isSafeInteger(bytes) && Number(bytes) >= 0)
}
