import { own } from '../core/own.ts'
import { checksumOf } from './checksum.ts'
import type { Change, Entity } from './collection.ts'

/**
 * Formats a change for the journal. Of an entity that replaces another only new and changed members are written, and
 * the names of removed ones, because most changes affect few.
 */
export type WrittenChange =
  | Change
  | readonly [
      kind: 'set',
      collection: string,
      id: string,
      members: Members,
      gone?: readonly string[],
    ]

/**
 * @param before entity that is replaced
 * @returns JSON; `undefined` if nothing has changed
 */
export function encodeChange(change: Change, before: Entity | undefined): string | undefined {
  const [kind, collection, entity] = change
  if (kind !== 'put' || before === undefined) return written(change)
  const { changed, gone } = compareMembers(membersOf(before), membersOf(entity))
  if (changed.length === 0 && gone.length === 0) return undefined
  const set = ['set', collection, entity.id, Object.fromEntries(changed)] as const
  return written(gone.length === 0 ? set : [...set, gone])
}

const written = (change: WrittenChange) => JSON.stringify(change)

type Members = Readonly<Record<string, unknown>>

/** A record that a change of the journal puts or changes. */
export interface ReadChange {
  readonly collection: string
  readonly id: string
  /** New and changed members. */
  readonly members: Members
  /** Record that it replaces. */
  readonly before: Entity | undefined
}

/** Checks whether the data that a change refers to is there. */
export type Holds = (change: ReadChange) => boolean

const membersOf = (entity: Entity): Members => entity as unknown as Members

/**
 * Compared by identity: entities are never changed in place, so the same object has the same contents. A member that is
 * `undefined` counts as absent, as in JSON.
 */
function compareMembers(
  before: Members,
  after: Members,
): { changed: [name: string, value: unknown][]; gone: string[] } {
  const changed: [name: string, value: unknown][] = []
  let kept = 0
  for (const member of Object.entries(after)) {
    const [name, value] = member
    if (value === undefined) continue
    const old = own(before, name)
    if (old !== undefined) kept += 1
    if (old !== value) changed.push(member)
  }
  const names = Object.keys(before)
  // Usually all members are still present.
  if (kept === names.length) return { changed, gone: [] }
  const isGone = (name: string) => own(after, name) === undefined && own(before, name) !== undefined
  return { changed, gone: names.filter(isGone) }
}

/** @returns a new entity with these members, without the removed ones */
export function changeMembers(
  before: Entity,
  members: Members,
  gone: readonly string[] = [],
): Entity {
  const all = [...Object.entries(before), ...Object.entries(members)]
  const left = gone.length === 0 ? all : all.filter(([name]) => !gone.includes(name))
  // Members are never deleted: an object with deleted members takes several times the memory.
  return Object.fromEntries(left) as unknown as Entity
}

const checksumStart = ',"crc32:'
/** Length of the checksum and the end of the list. */
const checksumEnd = '00000000"]'.length

/** Formats changes that are kept or lost together as a line of the journal; its checksum is the last item of the list. */
export function encodeUnit(changes: readonly string[]): string {
  const text = `[${changes.join(',')}`
  return `${text}${checksumStart}${checksumOf(text)}"]\n`
}

/**
 * Checks a line of the journal and its checksum, which lines of earlier versions do not have.
 * @param unit the parsed line
 * @returns its changes; `undefined` if the line was changed
 */
export function checkedUnit(text: string, unit: unknown): unknown {
  const last: unknown = Array.isArray(unit) ? unit.at(-1) : undefined
  if (typeof last !== 'string' || !last.startsWith('crc32:')) return unit
  const start = text.length - checksumEnd - checksumStart.length
  const isRight = text.endsWith(`${checksumStart}${checksumOf(text.slice(0, start))}"]`)
  return isRight ? (unit as unknown[]).slice(0, -1) : undefined
}
