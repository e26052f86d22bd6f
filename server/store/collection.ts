import type { TSchema } from 'typebox'
import { GroupIndex, type Place, UniqueIndex } from './indexes.ts'

/** A stored object. Never changed in place: a change puts a new object under the same id. */
export interface Entity {
  readonly id: string
}

export interface CollectionDefinition<
  T extends Entity,
  U extends string = never,
  G extends string = never,
> {
  /** Checks every record that is read from disk. */
  schema: TSchema
  /** Unique indexes: each function returns the key, or undefined to leave the entity out. */
  unique?: Record<U, (entity: T) => string | undefined>
  /** Group indexes: each function returns the key or keys of the entity's groups. */
  groups?: Record<G, (entity: T) => string | readonly string[] | undefined>
}

export interface Collection<T extends Entity, U extends string = never, G extends string = never> {
  readonly size: number
  get(id: string): T | undefined
  has(id: string): boolean
  /**
   * Inserts the entity, or replaces the one with its id, which keeps its place in the order.
   * @throws {Error} if another entity has one of its unique keys; nothing is changed then
   */
  put(entity: T): T
  /** @returns whether the entity existed */
  delete(id: string): boolean
  clear(): void
  /** Iterates in insertion order. The collection may change meanwhile. */
  values(): IterableIterator<T>
  /** Iterates from the newest to the oldest, without entities added meanwhile. The collection may change meanwhile. */
  newestFirst(): IterableIterator<T>
  /** The oldest entity. */
  first(): T | undefined
  /** The newest entity. */
  last(): T | undefined
  find(index: U, key: string): T | undefined
  /** Entities of a group in insertion order; empty for an unknown group. */
  group(index: G, key: string): T[]
  groupSize(index: G, key: string): number
}

/** A change of a collection. It is idempotent. */
export type Change =
  | readonly [kind: 'put', collection: string, entity: Entity]
  | readonly [kind: 'delete', collection: string, id: string]
  | readonly [kind: 'clear', collection: string]

/**
 * Receives a change.
 * @param before entity that is replaced
 */
export type RecordChange = (change: Change, before?: Entity) => void

/** Defines a collection of an entity type; the names of the indexes are inferred. */
export function defineCollection<T extends Entity>() {
  return <U extends string = never, G extends string = never>(
    definition: CollectionDefinition<T, U, G>,
  ): CollectionDefinition<T, U, G> => definition
}

/** Collection of unknown type. */
export type AnyCollection = MemoryCollection<Entity, string, string>

/** Collection in memory that passes every change to `record` right before making it. */
export class MemoryCollection<
  T extends Entity,
  U extends string,
  G extends string,
> implements Collection<T, U, G> {
  readonly schema: TSchema
  readonly #name: string
  readonly #record: RecordChange
  readonly #places = new Map<string, Place<T>>()
  #nextSequence = 0
  /** Linked, because a `Map` passes over all deleted entries to reach its first one. */
  #oldest: Place<T> | undefined
  #newest: Place<T> | undefined
  readonly #unique = new Map<string, UniqueIndex<T>>()
  readonly #groups = new Map<string, GroupIndex<T>>()
  readonly #indexes: readonly (UniqueIndex<T> | GroupIndex<T>)[]

  constructor(name: string, definition: CollectionDefinition<T, U, G>, record: RecordChange) {
    this.schema = definition.schema
    this.#name = name
    this.#record = record
    for (const [index, keyOf] of entriesOf(definition.unique)) {
      this.#unique.set(index, new UniqueIndex(keyOf))
    }
    for (const [index, keysOf] of entriesOf(definition.groups)) {
      this.#groups.set(index, new GroupIndex(keysOf, this.#places))
    }
    this.#indexes = [...this.#unique.values(), ...this.#groups.values()]
  }

  get size(): number {
    return this.#places.size
  }

  get(id: string): T | undefined {
    return this.#places.get(id)?.value
  }

  has(id: string): boolean {
    return this.#places.has(id)
  }

  put(entity: T): T {
    const place = this.#places.get(entity.id)
    this.#refuseTakenKeys(entity, place)
    this.#record(['put', this.#name, entity], place?.value)
    if (place) this.#replace(place, entity)
    else this.#insert(entity)
    return entity
  }

  delete(id: string): boolean {
    const place = this.#places.get(id)
    if (!place) return false
    this.#record(['delete', this.#name, id])
    for (const index of this.#indexes) index.remove(place)
    this.#places.delete(id)
    this.#unlink(place)
    return true
  }

  clear(): void {
    if (this.#places.size === 0) return
    this.#record(['clear', this.#name])
    for (const index of this.#indexes) index.clear()
    this.#places.clear()
    this.#oldest = undefined
    this.#newest = undefined
  }

  *values(): Generator<T, void, undefined> {
    for (const place of this.#places.values()) yield place.value
  }

  *newestFirst(): Generator<T, void, undefined> {
    const places = [...this.#places.values()].toReversed()
    for (const place of places) {
      if (this.#places.get(place.value.id) === place) yield place.value
    }
  }

  first(): T | undefined {
    return this.#oldest?.value
  }

  last(): T | undefined {
    return this.#newest?.value
  }

  find(index: U, key: string): T | undefined {
    return this.#indexNamed(this.#unique, index).get(key)
  }

  group(index: G, key: string): T[] {
    return this.#indexNamed(this.#groups, index).get(key)
  }

  groupSize(index: G, key: string): number {
    return this.#indexNamed(this.#groups, index).size(key)
  }

  #insert(entity: T): void {
    const place: Place<T> = {
      value: entity,
      sequence: this.#nextSequence++,
      previous: this.#newest,
      next: undefined,
    }
    this.#places.set(entity.id, place)
    if (this.#newest === undefined) this.#oldest = place
    else this.#newest.next = place
    this.#newest = place
    for (const index of this.#indexes) index.add(place)
  }

  #unlink({ previous, next }: Place<T>): void {
    if (previous === undefined) this.#oldest = next
    else previous.next = next
    if (next === undefined) this.#newest = previous
    else next.previous = previous
  }

  #replace(place: Place<T>, entity: T): void {
    for (const index of this.#indexes) index.move(place, entity)
    place.value = entity
  }

  #refuseTakenKeys(entity: T, own: Place<T> | undefined): void {
    for (const [name, index] of this.#unique) {
      const key = index.conflict(entity, own)
      if (key === undefined) continue
      const holder = index.get(key)?.id
      throw new Error(
        `${this.#name}: "${entity.id}" cannot have the ${name} "${key}", "${holder}" has it`,
      )
    }
  }

  #indexNamed<I>(indexes: Map<string, I>, name: string): I {
    const index = indexes.get(name)
    if (!index) throw new TypeError(`${this.#name} has no index "${name}"`)
    return index
  }
}

function entriesOf<V>(record: Record<string, V> | undefined): [string, V][] {
  return record ? Object.entries(record) : []
}
