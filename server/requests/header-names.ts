/** Lists of names that headers have: those of one route have the same in every answer, so each list is kept once. */
export interface HeaderNames {
  /** @returns the place of these names in their order; `undefined` where there is no room for another list */
  find(names: readonly string[]): number | undefined
  at(place: number): readonly string[]
  clear(): void
}

/** More than a sandbox has kinds of answers and clients that ask; who sends ever new names gains no room by it. */
const mostLists = 64

export function createHeaderNames(): HeaderNames {
  let lists: (readonly string[])[] = []

  return {
    find(names) {
      for (let place = 0; place < lists.length; place += 1) {
        const list = lists[place]
        if (list !== undefined && areSame(list, names)) return place
      }
      if (lists.length >= mostLists) return undefined
      return lists.push(names) - 1
    },
    at: (place) => lists[place] ?? [],
    clear() {
      lists = []
    },
  }
}

/** Most lists differ in their length, and the rest in one of the first names. */
function areSame(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false
  for (let at = 0; at < some.length; at += 1) if (some[at] !== others[at]) return false
  return true
}
