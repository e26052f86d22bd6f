/** Word of a query, with its place in the text. */
export interface QueryTerm {
  /** Index of the first character, including `-`. */
  start: number
  /** Index after the last character. */
  end: number
  negated: boolean
  /** Key as typed; absent for a word that is searched in the text of an entry. */
  key?: string
  /** Index of the first character of the value. */
  valueStart: number
  /** Alternatives: `failed,waiting` has two. A word without a key has one. */
  values: readonly QueryValue[]
}

export interface QueryValue {
  text: string
  /** `quoted` must match as a whole; `open` has a quote that is not closed yet. */
  form: 'plain' | 'quoted' | 'open'
}

const space = /\s/
const keyed = /^([A-Za-z][A-Za-z_-]*):(?!\/\/)/

/**
 * Splits a query into words, with their places. Quotes join what has spaces; a doubled quote is a literal one, and an
 * unclosed string extends to the end. `last 5m` is read as `from:5m`.
 */
export function readTerms(text: string): QueryTerm[] {
  const terms: QueryTerm[] = []
  for (let start = 0; start < text.length;) {
    if (space.test(text.charAt(start))) {
      start++
      continue
    }
    const end = endOfWord(text, start)
    terms.push(readTerm(text, start, end))
    start = end
  }
  return joinLast(terms, text)
}

/** Formats a value as a word of a query. */
export function queryWord(key: string, value: string): string {
  return /[\s",]/.test(value) ? `${key}:"${value.replaceAll('"', '""')}"` : `${key}:${value}`
}

function endOfWord(text: string, start: number): number {
  let isQuoted = false
  let at = start
  for (; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && space.test(character)) break
  }
  return at
}

function readTerm(text: string, start: number, end: number): QueryTerm {
  const negated = text.charAt(start) === '-' && end > start + 1
  const wordStart = negated ? start + 1 : start
  const word = text.slice(wordStart, end)
  if (word === '-') return { start, end, negated, valueStart: end, values: [unquoted('')] }
  const key = keyed.exec(word)?.[1]
  if (key === undefined) {
    return { start, end, negated, valueStart: wordStart, values: [unquoted(word)] }
  }
  const values = splitAlternatives(word.slice(key.length + 1)).map(unquoted)
  return { start, end, negated, key, valueStart: wordStart + key.length + 1, values }
}

/** Splits at commas outside quotes. */
function splitAlternatives(text: string): string[] {
  const parts = ['']
  let isQuoted = false
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    if (character === ',' && !isQuoted) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts
}

const quoted = /"((?:[^"]|"")*)(?:"|$)/g

function unquoted(text: string): QueryValue {
  const plain = text.replaceAll(quoted, (_, inside: string) => inside.replaceAll('""', '"'))
  const isOpen = text.split('"').length % 2 === 0
  const form = isOpen ? 'open' : /^"(?:[^"]|"")*"$/.test(text) ? 'quoted' : 'plain'
  return { text: plain, form }
}

/** Joins `last` and the word after it; before `from:` existed, this was how the time was limited. */
function joinLast(terms: readonly QueryTerm[], text: string): QueryTerm[] {
  const joined: QueryTerm[] = []
  for (const term of terms) {
    const before = joined.at(-1)
    const isSpan = term.key === undefined && !term.negated && /^\d/.test(text.slice(term.start))
    const [word] = before?.key === undefined ? (before?.values ?? []) : []
    if (before !== undefined && word?.text === 'last' && word.form === 'plain' && isSpan) {
      joined[joined.length - 1] = {
        ...term,
        start: before.start,
        negated: before.negated,
        key: 'from',
      }
    } else joined.push(term)
  }
  return joined
}
