import type { LinkedList, ListNode } from './linked-list.ts'

/** Finds the entity that has a key. */
export class UniqueIndex<T> {
  readonly #keyOf: (entity: T) => string | undefined
  readonly #nodes = new Map<string, ListNode<T>>()

  constructor(keyOf: (entity: T) => string | undefined) {
    this.#keyOf = keyOf
  }

  get(key: string): T | undefined {
    return this.#nodes.get(key)?.value
  }

  /** Returns the key that `entity` would share with a node other than `own`. */
  conflict(entity: T, own: ListNode<T> | undefined): string | undefined {
    const key = this.#keyOf(entity)
    if (key === undefined) return undefined
    const holder = this.#nodes.get(key)
    return holder && holder !== own ? key : undefined
  }

  add(node: ListNode<T>): void {
    const key = this.#keyOf(node.value)
    if (key !== undefined) this.#nodes.set(key, node)
  }

  remove(node: ListNode<T>): void {
    const key = this.#keyOf(node.value)
    if (key !== undefined) this.#nodes.delete(key)
  }

  /** Moves a node whose value is about to become `next`. */
  move(node: ListNode<T>, next: T): void {
    const before = this.#keyOf(node.value)
    const after = this.#keyOf(next)
    if (before === after) return
    if (before !== undefined) this.#nodes.delete(before)
    if (after !== undefined) this.#nodes.set(after, node)
  }

  clear(): void {
    this.#nodes.clear()
  }
}

/** Nodes with the same key. */
class Group<T> {
  nodes: Set<ListNode<T>>
  #newestSequence: number
  #inOrder: boolean

  constructor(one: ListNode<T>, other: ListNode<T>) {
    this.nodes = new Set([one, other])
    this.#newestSequence = Math.max(one.sequence, other.sequence)
    this.#inOrder = one.sequence < other.sequence
  }

  add(node: ListNode<T>): void {
    this.nodes.add(node)
    // An older entity can join late by a change of its key. Sorting is delayed until the group is read.
    if (node.sequence < this.#newestSequence) this.#inOrder = false
    else this.#newestSequence = node.sequence
  }

  values(): T[] {
    if (!this.#inOrder) {
      this.nodes = new Set([...this.nodes].toSorted((a, b) => a.sequence - b.sequence))
      this.#inOrder = true
    }
    return Array.from(this.nodes, (node) => node.value)
  }
}

/** Finds all entities that share a key. Built on first use, so that a start does not have to. */
export class GroupIndex<T> {
  readonly #keysOf: (entity: T) => string | readonly string[] | undefined
  readonly #list: LinkedList<T>
  /** A key with a single node, the common case, needs no set. */
  #groups: Map<string, ListNode<T> | Group<T>> | undefined

  constructor(keysOf: (entity: T) => string | readonly string[] | undefined, list: LinkedList<T>) {
    this.#keysOf = keysOf
    this.#list = list
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
    return group instanceof Group ? group.nodes.size : 1
  }

  add(node: ListNode<T>): void {
    const groups = this.#groups
    if (groups) this.#enter(groups, node)
  }

  remove(node: ListNode<T>): void {
    const groups = this.#groups
    if (!groups) return
    const keys = this.#keysOf(node.value)
    if (typeof keys === 'string') leave(groups, keys, node)
    else for (const key of new Set(keys)) leave(groups, key, node)
  }

  /** Moves a node whose value is about to become `next`. It keeps its place in unchanged groups. */
  move(node: ListNode<T>, next: T): void {
    const groups = this.#groups
    if (!groups) return
    const keysBefore = this.#keysOf(node.value)
    const keysAfter = this.#keysOf(next)
    // Most changes leave most groups unchanged, so no sets are built for them.
    if (keysBefore === keysAfter) return
    const before = asSet(keysBefore)
    const after = asSet(keysAfter)
    for (const key of before) if (!after.has(key)) leave(groups, key, node)
    for (const key of after) if (!before.has(key)) join(groups, key, node)
  }

  clear(): void {
    this.#groups?.clear()
  }

  #made(): Map<string, ListNode<T> | Group<T>> {
    if (this.#groups) return this.#groups
    this.#groups = new Map()
    for (let node = this.#list.first; node; node = node.next) this.#enter(this.#groups, node)
    return this.#groups
  }

  #enter(groups: Map<string, ListNode<T> | Group<T>>, node: ListNode<T>): void {
    const keys = this.#keysOf(node.value)
    if (typeof keys === 'string') join(groups, keys, node)
    else for (const key of new Set(keys)) join(groups, key, node)
  }
}

function join<T>(groups: Map<string, ListNode<T> | Group<T>>, key: string, node: ListNode<T>) {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, node)
  else if (group instanceof Group) group.add(node)
  else groups.set(key, new Group(group, node))
}

function leave<T>(groups: Map<string, ListNode<T> | Group<T>>, key: string, node: ListNode<T>) {
  const group = groups.get(key)
  if (group instanceof Group && group.nodes.size > 1) group.nodes.delete(node)
  else groups.delete(key)
}

function asSet(keys: string | readonly string[] | undefined): ReadonlySet<string> {
  return new Set(typeof keys === 'string' ? [keys] : keys)
}
