/** A place in a list. `sequence` grows with insertion, so it orders the nodes of one list. */
export interface ListNode<T> {
  value: T
  readonly sequence: number
  previous: ListNode<T> | undefined
  next: ListNode<T> | undefined
  removed: boolean
}

/**
 * Values in insertion order with both ends and removal in constant time. A `Map` keeps the order too, but it
 * has no last entry, and its first one hides behind the holes that a queue-like use leaves at the front. The lists
 * of packages (yallist and its like) end an iteration early when the node it stands at is removed.
 */
export class LinkedList<T> {
  first: ListNode<T> | undefined
  last: ListNode<T> | undefined
  #nextSequence = 0

  append(value: T): ListNode<T> {
    const sequence = this.#nextSequence++
    const node: ListNode<T> = {
      value,
      sequence,
      previous: this.last,
      next: undefined,
      removed: false,
    }
    if (this.last) this.last.next = node
    else this.first = node
    this.last = node
    return node
  }

  remove(node: ListNode<T>): void {
    if (node.previous) node.previous.next = node.next
    else this.first = node.next
    if (node.next) node.next.previous = node.previous
    else this.last = node.previous
    node.removed = true
  }

  clear(): void {
    for (let node = this.first; node; node = node.next) {
      node.removed = true
      node.previous = undefined
    }
    this.first = undefined
    this.last = undefined
  }

  /** Values may be appended and removed while this runs: removed ones are skipped, appended ones come last. */
  *values(): Generator<T, void, undefined> {
    let node = this.first
    while (node) {
      yield node.value
      node = this.#after(node)
    }
  }

  /** From the last to the first. Values that are removed meanwhile are skipped, appended ones are not met. */
  *newestFirst(): Generator<T, void, undefined> {
    for (let node = this.last; node; node = node.previous) if (!node.removed) yield node.value
  }

  // A removed node still knows its predecessor. Everything between the nearest one that is left and the node
  // itself was removed as well, so iteration resumes right after it.
  #after(node: ListNode<T>): ListNode<T> | undefined {
    let place = node
    while (place.removed) {
      if (!place.previous) return this.first
      place = place.previous
    }
    return place.next
  }
}
