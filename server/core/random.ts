/** Random numbers that depend on a seed only. */
export interface Random {
  /** Returns an integer from 0 to `below` - 1. */
  int(below: number): number
  /** Returns true with a probability from 0 to 1. */
  chance(probability: number): boolean
  /** Returns an item of a list that is not empty. */
  pick<T>(list: readonly T[]): T
}

/** Creates random numbers; the same seed gives the same ones on every machine. */
export function createRandom(seed: number | string): Random {
  const next = sfc32(hash(String(seed)))
  // The first numbers still resemble the seed.
  for (let count = 0; count < 12; count++) next()
  const int = (below: number) => Math.floor((next() / 2 ** 32) * below)
  return {
    int,
    chance: (probability) => next() / 2 ** 32 < probability,
    pick: <T>(list: readonly T[]) => list[int(list.length)] as T,
  }
}

type State = readonly [number, number, number, number]

/**
 * Small fast counter, version 32 (Chris Doty-Humphrey, 2010): its period is at least 2^32.
 * @returns function with integers from 0 to 2^32 - 1
 */
function sfc32([first, second, third, fourth]: State): () => number {
  let [a, b, c, counter] = [first, second, third, fourth]
  return () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
}

/** Returns four numbers of 32 bits, each an FNV-1a hash with another start. */
function hash(text: string): State {
  const of = (start: number) => {
    let value = start
    for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193)
    return value
  }
  return [of(0x811c9dc5), of(0x9e3779b9), of(0x243f6a88), of(0xb7e15162)]
}
