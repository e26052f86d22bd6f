import { own } from '../core/own.ts'
import type { Change, Entity } from './collection.ts'

/**
 * A change as it stands in the journal. Of an entity that takes the place of another one only the members are written
 * that are new or others now, and the names of those that it has no more: most changes are of a few.
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
 * @param before the entity that another one takes the place of
 * @returns JSON; `undefined` when nothing is another than before
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

const membersOf = (entity: Entity): Members => entity as unknown as Members

/**
 * By identity, which is enough: entities are never changed in place, so what is the same object has the same contents.
 * A member that is `undefined` counts as none, as in JSON.
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
  // Mostly they are all there still, and need not be looked for one by one.
  if (kept === names.length) return { changed, gone: [] }
  const isGone = (name: string) => own(after, name) === undefined && own(before, name) !== undefined
  return { changed, gone: names.filter(isGone) }
}

/** @returns a new entity with these members, and without those that are gone */
export function changeMembers(
  before: Entity,
  members: Members,
  gone: readonly string[] = [],
): Entity {
  const all = [...Object.entries(before), ...Object.entries(members)]
  const left = gone.length === 0 ? all : all.filter(([name]) => !gone.includes(name))
  // Never a deletion: what members are deleted from takes several times the memory.
  return Object.fromEntries(left) as unknown as Entity
}
