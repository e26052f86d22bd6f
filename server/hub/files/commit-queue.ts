import type { Commit } from './git-objects.ts'

interface Entry {
  readonly commit: Commit
  /** Place in the order of arrival. */
  readonly turn: number
}

/** Priority queue of commits: the newest first, equal dates in the order of arrival. */
export class CommitQueue {
  readonly #heap: Entry[] = []
  #turns = 0

  add(commit: Commit): void {
    const heap = this.#heap
    const entry = { commit, turn: this.#turns++ }
    let place = heap.push(entry) - 1
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || !goesBefore(entry, parent)) break
      heap[place] = parent
      place = above
    }
    heap[place] = entry
  }

  take(): Commit | undefined {
    const heap = this.#heap
    const [first] = heap
    const last = heap.pop()
    if (first === undefined || last === undefined || first === last) return first?.commit
    let place = 0
    for (;;) {
      const left = 2 * place + 1
      const [one, other] = [heap[left], heap[left + 1]]
      if (one === undefined) break
      const [next, at] =
        other !== undefined && goesBefore(other, one) ? [other, left + 1] : [one, left]
      if (!goesBefore(next, last)) break
      heap[place] = next
      place = at
    }
    heap[place] = last
    return first.commit
  }
}

function goesBefore(one: Entry, other: Entry): boolean {
  const difference = one.commit.date - other.commit.date
  return difference === 0 ? one.turn < other.turn : difference > 0
}
