import { createRepeatedTexts } from './repeated-texts.ts'

/** A row as it was pushed. */
export interface PackedRow {
  readonly numbers: readonly number[]
  readonly texts: readonly (string | undefined)[]
}

/** Rows, oldest first, of which the latest are kept. */
export interface PackedRows {
  readonly length: number
  /** The oldest goes where there is no room for another. */
  push(row: PackedRow): void
  /** @param index 0 for the oldest row that is kept */
  at(index: number): PackedRow | undefined
  /** One number of a row, without reading the rest of it. */
  numberAt(index: number, column: number): number | undefined
  clear(): void
}

/** Rows lie in pages, each used again when the last of its rows is gone. */
interface Page {
  readonly bytes: Buffer
  /** Views of the same memory. */
  readonly doubles: Float64Array
  readonly words: Int32Array
  /** Rows of it that are kept. */
  rows: number
  /** Where the next row begins; a multiple of 8. */
  end: number
}

/** Texts of a row that are kept beside it. */
interface Repeats {
  /** By where the text stands in the row. */
  readonly placeOf: Map<number, number>
  /** A bit for each. */
  places: number
}

const pageBytes = 64 * 1024
/** Longest UTF-8 of one UTF-16 unit. */
const bytesPerUnit = 3
/** Length of a text that is `undefined`. */
const none = -1
/** Lengths from there down are places of repeated texts, which lie nowhere in the row. */
const firstPlace = -2
/** Shorter ones are not worth a look. */
const shortestRepeated = 256

/**
 * Keeps what is written often and read seldom out of the heap. Objects that wait in a ring until they are dropped are
 * copied twice by the collector, and what it holds ready for them makes up most of the memory of a busy process;
 * packed, a row costs the copying of its text.
 *
 * A row is its numbers, how many texts there are and how many bytes, the length of each text, then all texts as UTF-8. Long
 * texts that come again and again are kept once: most answers of a server that is asked by programs are the same few.
 * A surrogate without its other half comes back as U+FFFD.
 * @param cap most rows that are kept
 * @param columns how many numbers a row has
 */
export function createPackedRows(cap: number, columns: number): PackedRows {
  /** Rings: where each row lies, the oldest at `first` once there are `cap` of them. */
  let pages: Page[] = []
  let starts: number[] = []
  /** Places of the repeated texts that each has, a bit for each. */
  let held: number[] = []
  const repeated = createRepeatedTexts()
  let first = 0
  let last: Page | undefined
  let spare: Page | undefined

  function pageFor(bytes: number): Page {
    if (last !== undefined && last.end + bytes <= last.bytes.length) return last
    const page = spare !== undefined && bytes <= pageBytes ? spare : makePage(bytes)
    if (page === spare) spare = undefined
    return (last = page)
  }

  /** Holds those texts of a row that are kept beside it. @returns `undefined` when none is, as of most rows */
  function holdRepeated(texts: PackedRow['texts']): Repeats | undefined {
    let found: Repeats | undefined
    for (let at = 0; at < texts.length; at += 1) {
      const text = texts[at]
      if (text === undefined || text.length < shortestRepeated) continue
      const place = repeated.find(text)
      if (place === undefined) continue
      found ??= { placeOf: new Map(), places: 0 }
      found.placeOf.set(at, place)
      // Before the next is looked for, which could be given the same.
      if ((found.places & (1 << place)) === 0) repeated.hold(1 << place)
      found.places |= 1 << place
    }
    return found
  }

  function dropFrom(page: Page): void {
    page.rows -= 1
    // One of unusual size is worth nothing to the rows to come.
    if (page.rows > 0 || page.bytes.length !== pageBytes) return
    page.end = 0
    spare = page
  }

  function place(index: number): { page: Page; start: number } | undefined {
    if (index < 0 || index >= pages.length) return undefined
    const at = (first + index) % pages.length
    const page = pages[at]
    return page === undefined ? undefined : { page, start: starts[at] ?? 0 }
  }

  return {
    get length() {
      return pages.length
    },
    push({ numbers, texts }) {
      if (cap === 0) return
      const repeats = holdRepeated(texts)
      const placeOf = repeats?.placeOf
      const inRow = placeOf === undefined ? texts : texts.filter((_, at) => !placeOf.has(at))
      // What is undefined is no text there.
      const text = inRow.join('')
      const lengths = columns * 8 + 8
      const head = lengths + texts.length * 4
      const page = pageFor(head + text.length * bytesPerUnit)
      const start = page.end
      const { bytes, doubles, words } = page
      for (let column = 0; column < columns; column += 1) {
        doubles[start / 8 + column] = numbers[column] ?? Number.NaN
      }
      const byteLength = bytes.write(text, start + head)
      let word = (start + lengths) / 4
      words[word - 2] = texts.length
      words[word - 1] = byteLength
      for (let at = 0; at < texts.length; at += 1) {
        const place = placeOf?.get(at)
        words[word++] = place === undefined ? (texts[at]?.length ?? none) : firstPlace - place
      }
      page.end = Math.ceil((start + head + byteLength) / 8) * 8
      page.rows += 1
      const places = repeats?.places ?? 0
      if (pages.length < cap) {
        pages.push(page)
        starts.push(start)
        held.push(places)
        return
      }
      const dropped = pages[first]
      repeated.release(held[first] ?? 0)
      pages[first] = page
      starts[first] = start
      held[first] = places
      first = first + 1 === cap ? 0 : first + 1
      if (dropped !== undefined) dropFrom(dropped)
    },
    at(index) {
      const found = place(index)
      if (found === undefined) return undefined
      const { start } = found
      const { bytes, doubles, words } = found.page
      // Written out: views and iterators of typed arrays cost ten times as much.
      const numbers: number[] = []
      const firstNumber = start / 8
      for (let at = 0; at < columns; at += 1) numbers.push(doubles[firstNumber + at] ?? Number.NaN)
      const word = start / 4 + columns * 2
      const [count, byteLength] = [words[word] ?? 0, words[word + 1] ?? 0]
      const from = (word + 2 + count) * 4
      const text = bytes.toString('utf8', from, from + byteLength)
      const texts: (string | undefined)[] = []
      let unit = 0
      for (let at = 0; at < count; at += 1) {
        const length = words[word + 2 + at] ?? none
        if (length <= firstPlace) texts.push(repeated.at(firstPlace - length))
        else texts.push(length === none ? undefined : text.slice(unit, (unit += length)))
      }
      return { numbers, texts }
    },
    numberAt(index, column) {
      const found = place(index)
      return found?.page.doubles[found.start / 8 + column]
    },
    clear() {
      pages = []
      starts = []
      held = []
      repeated.clear()
      first = 0
      last = undefined
      spare = undefined
    },
  }
}

function makePage(bytes: number): Page {
  const { buffer } = new Uint8Array(Math.max(pageBytes, Math.ceil(bytes / 8) * 8))
  return {
    bytes: Buffer.from(buffer),
    doubles: new Float64Array(buffer),
    words: new Int32Array(buffer),
    rows: 0,
    end: 0,
  }
}
