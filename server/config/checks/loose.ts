import { isRecord } from '../check-shape.ts'
import { suggestion } from '../../core/suggestion.ts'
import { type Issue, joinPath } from '../issues.ts'
import { own } from '../../core/own.ts'

// The cross checks read files that may have other mistakes as well: whatever is not of the expected
// type was reported by the shape check and is passed over here.

export interface Entry {
  path: string
  value: Record<string, unknown>
}

/** The objects in the list `value[key]`, each with its path. */
export function entries({ path, value }: Entry, key: string): Entry[] {
  const items = own(value, key)
  if (!Array.isArray(items)) return []
  return items.flatMap((item: unknown, index) =>
    isRecord(item) ? [{ path: joinPath(joinPath(path, key), index), value: item }] : [],
  )
}

export interface Text {
  path: string
  text: string
}

/** The text `value[key]` as a list of none or one, so that checks can loop over it. */
export function texts({ path, value }: Entry, key: string): Text[] {
  const found = own(value, key)
  if (typeof found === 'string') return [{ path: joinPath(path, key), text: found }]
  if (!Array.isArray(found)) return []
  return found.flatMap((item: unknown, index) =>
    typeof item === 'string' ? [{ path: joinPath(joinPath(path, key), index), text: item }] : [],
  )
}

export function textOf(entry: Entry, key: string): string | undefined {
  const found = own(entry.value, key)
  return typeof found === 'string' ? found : undefined
}

/** The object `value[key]`, if it is one. */
export function child({ path, value }: Entry, key: string): Entry | undefined {
  const found = own(value, key)
  return isRecord(found) ? { path: joinPath(path, key), value: found } : undefined
}

export type NameKind = 'user' | 'organization' | 'user or organization'

/** Names of users or organizations, compared without case. */
export class Names {
  readonly #kind: string
  readonly #names: Map<string, string>

  constructor(kind: string, names: Iterable<string>) {
    this.#kind = kind
    this.#names = new Map([...names].map((name) => [name.toLowerCase(), name]))
  }

  has(name: string): boolean {
    return this.#names.has(name.toLowerCase())
  }

  /** An issue for each text that names nothing. */
  unknown(found: readonly Text[]): Issue[] {
    return found
      .filter(({ text }) => !this.has(text))
      .map(({ path, text }) => ({
        path,
        message: `there is no ${this.#kind} ${JSON.stringify(text)}${suggestion(text, this.#names.values())}`,
      }))
  }
}

/** An issue for each text that an earlier one equals, naming the earlier one's path. */
export function duplicates(found: readonly Text[], what: string): Issue[] {
  const first = new Map<string, string>()
  return found.flatMap(({ path, text }) => {
    const key = text.toLowerCase()
    const earlier = first.get(key)
    if (earlier !== undefined) {
      return [{ path, message: `the ${what} ${JSON.stringify(text)} is taken by ${earlier}` }]
    }
    first.set(key, path)
    return []
  })
}

/** An issue for each date that has the form of one but is none, such as February 30. */
export function impossibleDates(found: readonly Text[]): Issue[] {
  return found
    .filter(({ text }) => {
      const day = text.slice(0, 10)
      const time = Date.parse(`${day}T00:00:00Z`)
      const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
      return /^\d{4}-\d\d-\d\d/.test(text) && !(isDay && !Number.isNaN(Date.parse(text)))
    })
    .map(({ path, text }) => ({ path, message: `there is no such date: ${text}` }))
}
