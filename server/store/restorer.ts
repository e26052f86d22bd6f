import { messageOf } from '../core/background.ts'
import { isObject } from '../core/is-object.ts'
import type { AnyCollection, Entity } from './collection.ts'
import { lineError, UnknownRecordError } from './errors.ts'
import type { RecordCheck } from './record-check.ts'
import { changeMembers, type Holds } from './written-change.ts'

/** Line of a file that a record or change was read from. */
export interface Place {
  file: string
  line: number
}

/** Most characters of a damaged change in the message. */
const longestShown = 200

/** Checks records from files and adds them to the collections. Errors name the place. */
export class Restorer {
  readonly #collections: ReadonlyMap<string, AnyCollection>
  readonly #check: RecordCheck

  constructor(collections: ReadonlyMap<string, AnyCollection>, check: RecordCheck) {
    this.#collections = collections
    this.#check = check
  }

  /** Adds a record of a snapshot, which has each id once. */
  add(name: string, record: Entity, { file, line }: Place): void {
    const collection = this.#collection(name, { file, line })
    const { size } = collection
    this.#put(collection, name, record, { file, line })
    if (collection.size === size)
      throw lineError(file, line, `${name} "${record.id}" is duplicated`)
  }

  /** Checks whether everything is there that a line of the journal refers to. */
  isBacked(unit: unknown, holds: Holds | undefined): boolean {
    // Applying it reports what is wrong with it.
    if (holds === undefined || !Array.isArray(unit)) return true
    return unit.every((change) => {
      const [kind, collection, value, given] = Array.isArray(change) ? (change as unknown[]) : []
      const members = kind === 'put' ? value : given
      const id = kind === 'put' && isObject(value) ? value['id'] : value
      if ((kind !== 'put' && kind !== 'set') || typeof collection !== 'string') return true
      if (typeof id !== 'string' || !isObject(members)) return true
      const before = this.#collections.get(collection)?.get(id)
      return holds({ collection, id, members, before })
    })
  }

  /** Applies a line of the journal. */
  applyUnit(unit: unknown, place: Place): void {
    if (!Array.isArray(unit)) throw new UnknownRecordError('not a list of changes', place)
    for (const change of unit) this.#apply(change, place)
  }

  #apply(change: unknown, place: Place): void {
    const [kind, name, value, ...more] = Array.isArray(change) ? (change as unknown[]) : []
    if (typeof name !== 'string') throw notAChange(change, place)
    const collection = this.#collection(name, place)
    if (kind === 'put') this.#put(collection, name, value, place)
    else if (kind === 'set' && typeof value === 'string' && isMemberChange(more)) {
      const before = collection.get(value)
      if (!before) throw lineError(place.file, place.line, `${name} has no "${value}" to change`)
      this.#put(collection, name, changeMembers(before, ...more), place)
    } else if (kind === 'delete' && typeof value === 'string') collection.delete(value)
    else if (kind === 'clear') collection.clear()
    else throw notAChange(change, place)
  }

  #collection(name: string, { file, line }: Place): AnyCollection {
    const collection = this.#collections.get(name)
    if (!collection)
      throw new UnknownRecordError(`there is no collection "${name}"`, { file, line })
    return collection
  }

  #put(collection: AnyCollection, name: string, record: unknown, { file, line }: Place): void {
    const problem = this.#check(name, record)
    if (problem !== undefined) throw new UnknownRecordError(problem, { file, line })
    try {
      collection.put(record as Entity)
    } catch (error) {
      throw lineError(file, line, messageOf(error), error)
    }
  }
}

function isMemberChange(
  change: readonly unknown[],
): change is [members: Record<string, unknown>, gone?: string[]] {
  const [members, gone = []] = change
  if (typeof members !== 'object' || members === null || Array.isArray(members)) return false
  return Array.isArray(gone) && gone.every((name) => typeof name === 'string')
}

function notAChange(change: unknown, { file, line }: Place) {
  return new UnknownRecordError(`not a change: ${shorten(change)}`, { file, line })
}

/** Damaged data can have any size and depth. */
function shorten(value: unknown): string {
  try {
    const text = JSON.stringify(value)
    return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
  } catch (error) {
    if (error instanceof RangeError) return 'it is nested too deeply'
    throw error
  }
}
