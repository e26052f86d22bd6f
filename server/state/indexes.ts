import type { ListNode } from './linked-list.ts'

/** Finds the one entity that holds a key. */
export class UniqueIndex<T> {
  readonly #keyOf: (entity: T) => string | undefined
  readonly #nodes = new Map<string, ListNode<T>>()

  constructor(keyOf: (entity: T) => string | undefined) {
    this.#keyOf = keyOf
  }

  get(key: string): T | undefined {
    return this.#nodes.get(key)?.value
  }

  /** The key that `entity` would share with a node other than `own`. */
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

interface Group<T> {
  nodes: Set<ListNode<T>>
  newestSequence: number
  inOrder: boolean
}

/** Finds all entities that share a key. */
export class GroupIndex<T> {
  readonly #keysOf: (entity: T) => string | readonly string[] | undefined
  readonly #groups = new Map<string, Group<T>>()

  constructor(keysOf: (entity: T) => string | readonly string[] | undefined) {
    this.#keysOf = keysOf
  }

  /** Entities of the group in the insertion order of their collection. */
  get(key: string): T[] {
    const group = this.#groups.get(key)
    if (!group) return []
    if (!group.inOrder) {
      group.nodes = new Set([...group.nodes].toSorted((a, b) => a.sequence - b.sequence))
      group.inOrder = true
    }
    return Array.from(group.nodes, (node) => node.value)
  }

  size(key: string): number {
    return this.#groups.get(key)?.nodes.size ?? 0
  }

  add(node: ListNode<T>): void {
    const keys = this.#keysOf(node.value)
    if (typeof keys === 'string') this.#join(keys, node)
    else for (const key of new Set(keys)) this.#join(key, node)
  }

  remove(node: ListNode<T>): void {
    const keys = this.#keysOf(node.value)
    if (typeof keys === 'string') this.#leave(keys, node)
    else for (const key of new Set(keys)) this.#leave(key, node)
  }

  /** Moves a node whose value is about to become `next`. Groups that stay the same keep its place. */
  move(node: ListNode<T>, next: T): void {
    const keysBefore = this.#keysOf(node.value)
    const keysAfter = this.#keysOf(next)
    // Most changes leave most groups alone: they must not cost a set for each of them.
    if (keysBefore === keysAfter) return
    const before = asSet(keysBefore)
    const after = asSet(keysAfter)
    for (const key of before) if (!after.has(key)) this.#leave(key, node)
    for (const key of after) if (!before.has(key)) this.#join(key, node)
  }

  clear(): void {
    this.#groups.clear()
  }

  #join(key: string, node: ListNode<T>): void {
    const group = this.#groups.get(key)
    if (!group) {
      this.#groups.set(key, {
        nodes: new Set([node]),
        newestSequence: node.sequence,
        inOrder: true,
      })
      return
    }
    group.nodes.add(node)
    // An older entity can enter late, by a change of its key. Sorting waits until somebody reads the group.
    if (node.sequence < group.newestSequence) group.inOrder = false
    else group.newestSequence = node.sequence
  }

  #leave(key: string, node: ListNode<T>): void {
    const group = this.#groups.get(key)
    if (group?.nodes.delete(node) && group.nodes.size === 0) this.#groups.delete(key)
  }
}

function asSet(keys: string | readonly string[] | undefined): ReadonlySet<string> {
  return new Set(typeof keys === 'string' ? [keys] : keys)
}
