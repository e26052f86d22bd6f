/**
 * A queue that takes from its front in constant time however long it is, and from any other place as well. Packages
 * (yocto-queue, denque, tinyqueue) have no such taking, or find and close the gap in linear time.
 */
export interface Fifo<T> {
  readonly size: number
  push(item: T): void
  pushFront(item: T): void
  shift(): T | undefined
  /** Takes the item at a place counted from the front; the front item moves there. */
  take(place: number): T | undefined
  /** The items at both ends. */
  first(): T | undefined
  last(): T | undefined
  sort(compare: (a: T, b: T) => number): void
  values(): Iterable<T>
  clear(): void
}

// Moving the rest down on every take would make a burst of n cost n².
const compactAfter = 1024

export function createFifo<T>(): Fifo<T> {
  let items: (T | undefined)[] = []
  let head = 0

  function shift(): T | undefined {
    const item = items[head]
    if (head < items.length) items[head++] = undefined
    if (head > compactAfter && head * 2 > items.length) {
      items = items.slice(head)
      head = 0
    }
    return item
  }

  return {
    get size() {
      return items.length - head
    },
    push(item) {
      items.push(item)
    },
    pushFront(item) {
      if (head > 0) items[--head] = item
      else items.unshift(item)
    },
    shift,
    take(place) {
      const at = head + place
      const item = items[at]
      items[at] = items[head]
      items[head] = item
      return shift()
    },
    first: () => items[head],
    last: () => (head < items.length ? items.at(-1) : undefined),
    sort(compare) {
      items = (items.slice(head) as T[]).toSorted(compare)
      head = 0
    },
    *values() {
      for (let index = head; index < items.length; index++) yield items[index] as T
    },
    clear() {
      items = []
      head = 0
    },
  }
}
