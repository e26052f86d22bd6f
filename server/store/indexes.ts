/** An entity in the order of its collection. */
export interface Place<T> {
  value: T
  /** Grows with insertion. */
  readonly sequence: number
  /** Neighbors in the order of insertion. */
  previous: Place<T> | undefined
  next: Place<T> | undefined
}

/** Finds the entity that has a key. */
export class UniqueIndex<T> {
  readonly #keyOf: (entity: T) => string | undefined
  readonly #places = new Map<string, Place<T>>()

  constructor(keyOf: (entity: T) => string | undefined) {
    this.#keyOf = keyOf
  }

  get(key: string): T | undefined {
    return this.#places.get(key)?.value
  }

  /** Returns the key that `entity` would share with a place other than `own`. */
  conflict(entity: T, own: Place<T> | undefined): string | undefined {
    const key = this.#keyOf(entity)
    if (key === undefined) return undefined
    const holder = this.#places.get(key)
    return holder && holder !== own ? key : undefined
  }

  add(place: Place<T>): void {
    const key = this.#keyOf(place.value)
    if (key !== undefined) this.#places.set(key, place)
  }

  remove(place: Place<T>): void {
    const key = this.#keyOf(place.value)
    if (key !== undefined) this.#places.delete(key)
  }

  /** Moves a place whose value is about to become `next`. */
  move(place: Place<T>, next: T): void {
    const before = this.#keyOf(place.value)
    const after = this.#keyOf(next)
    if (before === after) return
    if (before !== undefined) this.#places.delete(before)
    if (after !== undefined) this.#places.set(after, place)
  }

  clear(): void {
    this.#places.clear()
  }
}

/** Nodes with the same key. */
class Group<T> {
  places: Set<Place<T>>
  #newestSequence: number
  #inOrder: boolean

  constructor(one: Place<T>, other: Place<T>) {
    this.places = new Set([one, other])
    this.#newestSequence = Math.max(one.sequence, other.sequence)
    this.#inOrder = one.sequence < other.sequence
  }

  add(place: Place<T>): void {
    this.places.add(place)
    // An older entity can join late by a change of its key. Sorting is delayed until the group is read.
    if (place.sequence < this.#newestSequence) this.#inOrder = false
    else this.#newestSequence = place.sequence
  }

  values(): T[] {
    if (!this.#inOrder) {
      this.places = new Set([...this.places].toSorted((a, b) => a.sequence - b.sequence))
      this.#inOrder = true
    }
    return Array.from(this.places, (place) => place.value)
  }
}

/** Finds all entities that share a key. Built on first use, so that a start does not have to. */
export class GroupIndex<T> {
  readonly #keysOf: (entity: T) => string | readonly string[] | undefined
  readonly #all: ReadonlyMap<string, Place<T>>
  /** A key with a single place, the common case, needs no set. */
  #groups: Map<string, Place<T> | Group<T>> | undefined

  constructor(
    keysOf: (entity: T) => string | readonly string[] | undefined,
    all: ReadonlyMap<string, Place<T>>,
  ) {
    this.#keysOf = keysOf
    this.#all = all
  }

  /** Entities of the group in the insertion order of their collection. */
  get(key: string): T[] {
    const group = this.#made().get(key)
    if (group === undefined) return []
    return group instanceof Group ? group.values() : [group.value]
  }

  size(key: string): number {
    const group = this.#made().get(key)
    if (group === undefined) return 0
    return group instanceof Group ? group.places.size : 1
  }

  add(place: Place<T>): void {
    const groups = this.#groups
    if (groups) this.#enter(groups, place)
  }

  remove(place: Place<T>): void {
    const groups = this.#groups
    if (!groups) return
    const keys = this.#keysOf(place.value)
    if (typeof keys === 'string') leave(groups, keys, place)
    else for (const key of new Set(keys)) leave(groups, key, place)
  }

  /** Moves a place whose value is about to become `next`. It keeps its place in unchanged groups. */
  move(place: Place<T>, next: T): void {
    const groups = this.#groups
    if (!groups) return
    const keysBefore = this.#keysOf(place.value)
    const keysAfter = this.#keysOf(next)
    // Most changes leave most groups unchanged, so no sets are built for them.
    if (keysBefore === keysAfter) return
    const before = asSet(keysBefore)
    const after = asSet(keysAfter)
    for (const key of before) if (!after.has(key)) leave(groups, key, place)
    for (const key of after) if (!before.has(key)) join(groups, key, place)
  }

  clear(): void {
    this.#groups?.clear()
  }

  #made(): Map<string, Place<T> | Group<T>> {
    if (this.#groups) return this.#groups
    this.#groups = new Map()
    for (const place of this.#all.values()) this.#enter(this.#groups, place)
    return this.#groups
  }

  #enter(groups: Map<string, Place<T> | Group<T>>, place: Place<T>): void {
    const keys = this.#keysOf(place.value)
    if (typeof keys === 'string') join(groups, keys, place)
    else for (const key of new Set(keys)) join(groups, key, place)
  }
}

function join<T>(groups: Map<string, Place<T> | Group<T>>, key: string, place: Place<T>) {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, place)
  else if (group instanceof Group) group.add(place)
  else groups.set(key, new Group(group, place))
}

function leave<T>(groups: Map<string, Place<T> | Group<T>>, key: string, place: Place<T>) {
  const group = groups.get(key)
  if (group instanceof Group && group.places.size > 1) group.places.delete(place)
  else groups.delete(key)
}

function asSet(keys: string | readonly string[] | undefined): ReadonlySet<string> {
  return new Set(typeof keys === 'string' ? [keys] : keys)
}
