/**
 * What is under way at the moment, of which each soon ends and another begins. A `Set` that lives long does not fit: it
 * leaves a table behind with every few changes, each of which leads to the next, and V8 keeps for a full collection what
 * was once in them, sockets and all.
 */
export interface Turnover<T> extends Iterable<T> {
  readonly size: number
  /** @returns to be called once, when it has ended */
  begin(item: T): () => void
}

export function createTurnover<T>(): Turnover<T> {
  const places: { item: T; index: number }[] = []
  return {
    get size() {
      return places.length
    },
    begin(item) {
      const place = { item, index: places.length }
      places.push(place)
      return () => {
        const last = places.pop()
        if (last === undefined || last === place) return
        places[place.index] = last
        last.index = place.index
      }
    },
    /** Those of now, whatever ends meanwhile. */
    [Symbol.iterator]: () => places.map(({ item }) => item).values(),
  }
}
