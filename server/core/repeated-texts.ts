/** Texts that many have: each is kept once, as long as anybody has it. */
export interface RepeatedTexts {
  /**
   * Looks whether a text is one of those that come again and again.
   * @returns its place, which stays its own as long as somebody holds it; `undefined` for a text to be kept like any other
   */
  find(text: string): number | undefined
  /** A half of a character is U+FFFD. */
  at(place: number): string
  /** @param places a bit for each place */
  hold(places: number): void
  release(places: number): void
  clear(): void
}

/** So many at most: with one bit each, the places of a row are a small number. */
const mostPlaces = 16
/** A text repeats when it is one of so many that were asked for last. */
const latestTexts = 4

/** Finding one compares it with at most twenty others, which mostly are of another length. */
export function createRepeatedTexts(): RepeatedTexts {
  let texts: string[] = []
  /** By place. */
  const holders: number[] = Array.from({ length: mostPlaces }, () => 0)
  let latest: string[] = []
  let next = 0

  function count(places: number, by: 1 | -1): void {
    for (let place = 0, left = places; left > 0; place += 1, left >>= 1) {
      if ((left & 1) === 1) holders[place] = (holders[place] ?? 0) + by
    }
  }

  return {
    find(text) {
      const known = texts.indexOf(text)
      if (known !== -1) return known
      if (!latest.includes(text)) {
        latest[next] = text
        next = (next + 1) % latestTexts
        return undefined
      }
      const free = holders.indexOf(0)
      if (free === -1) return undefined
      texts[free] = text
      return free
    },
    at: (place) => (texts[place] ?? '').replaceAll(/\p{Surrogate}/gu, '\ufffd'),
    hold: (places) => count(places, 1),
    release: (places) => count(places, -1),
    clear() {
      texts = []
      holders.fill(0)
      latest = []
      next = 0
    },
  }
}
