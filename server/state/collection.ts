import type { TSchema } from 'typebox'
import { GroupIndex, UniqueIndex } from './indexes.ts'
import { LinkedList } from './linked-list.ts'
import type { ListNode } from './linked-list.ts'

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
  /** Iterates from the newest to the oldest, lazily. The collection may change meanwhile. */
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
  readonly #list = new LinkedList<T>()
  readonly #nodes = new Map<string, ListNode<T>>()
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
      this.#groups.set(index, new GroupIndex(keysOf, this.#list))
    }
    this.#indexes = [...this.#unique.values(), ...this.#groups.values()]
  }

  get size(): number {
    return this.#nodes.size
  }

  get(id: string): T | undefined {
    return this.#nodes.get(id)?.value
  }

  has(id: string): boolean {
    return this.#nodes.has(id)
  }

  put(entity: T): T {
    const node = this.#nodes.get(entity.id)
    this.#refuseTakenKeys(entity, node)
    this.#record(['put', this.#name, entity], node?.value)
    if (node) this.#replace(node, entity)
    else this.#insert(entity)
    return entity
  }

  delete(id: string): boolean {
    const node = this.#nodes.get(id)
    if (!node) return false
    this.#record(['delete', this.#name, id])
    for (const index of this.#indexes) index.remove(node)
    this.#nodes.delete(id)
    this.#list.remove(node)
    return true
  }

  clear(): void {
    if (this.#nodes.size === 0) return
    this.#record(['clear', this.#name])
    for (const index of this.#indexes) index.clear()
    this.#nodes.clear()
    this.#list.clear()
  }

  values(): IterableIterator<T> {
    return this.#list.values()
  }

  newestFirst(): IterableIterator<T> {
    return this.#list.newestFirst()
  }

  first(): T | undefined {
    return this.#list.first?.value
  }

  last(): T | undefined {
    return this.#list.last?.value
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
    const node = this.#list.append(entity)
    this.#nodes.set(entity.id, node)
    for (const index of this.#indexes) index.add(node)
  }

  #replace(node: ListNode<T>, entity: T): void {
    for (const index of this.#indexes) index.move(node, entity)
    node.value = entity
  }

  #refuseTakenKeys(entity: T, own: ListNode<T> | undefined): void {
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
