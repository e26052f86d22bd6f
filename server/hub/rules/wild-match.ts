import type { MatchWork } from './match-work.ts'

// Kinds of tokens.
/** Matches one byte. */
const literal = 0
/** Matches one byte of a set. */
const oneOf = 1
/** Matches any number of bytes. */
const many = 2
/** Matches any number of bytes without a slash. */
const manyInName = 3
/** Matches nothing, or any text that ends in a slash. */
const folders = 4

/** Part of a pattern. */
interface Token {
  readonly kind: number
  /** The byte, or 1 for each byte that is allowed. */
  readonly allows?: number | Uint8Array
}

/** Checks whether a text matches, and counts the steps. */
export type WildMatch = (text: string, work: MatchWork) => boolean

const [slash, backslash] = [0x2f, 0x5c]
/** Tokens of a pattern that matches nothing. */
const neverTokens: Token[] = [{ kind: oneOf, allows: new Uint8Array(256) }]
/** Steps to read a character of a pattern, about. */
const stepsOfToken = 20
/** Steps to begin a match, about. */
const stepsOfMatch = 20

/**
 * Compiles wildcards as git's wildmatch reads them. Matching takes time in proportion to the lengths of text and pattern;
 * a regular expression could take exponential time.
 * @param pattern one character per byte
 * @param isPath only slashes and `**` match a slash
 */
export function compileWildcards(pattern: string, isPath: boolean): WildMatch {
  const end = literalEnd(pattern)
  // Most patterns are never read: their end rules out every text.
  let tokens: Token[] | undefined
  return (text, work) => {
    if (!text.endsWith(end)) return false
    if (tokens === undefined) {
      work.spend(stepsOfToken * pattern.length)
      tokens = readTokens(pattern, isPath) ?? neverTokens
    }
    return matchTokens(tokens, text, work)
  }
}

/** Characters of a pattern's end that are compared first. */
const longestEnd = 50

/** Returns the literal end of a pattern, which rules out most texts at once. */
export function literalEnd(pattern: string): string {
  // Behind a set or an escaped character, too: neither goes on behind the last sign of them.
  const end = /[^*?[\]\\]*$/.exec(pattern.slice(-longestEnd))?.[0] ?? ''
  return end.replace(/^\//, '')
}

/** @returns `undefined` for a pattern that matches nothing */
function readTokens(pattern: string, isPath: boolean): Token[] | undefined {
  const tokens: Token[] = []
  for (let at = 0; at < pattern.length;) {
    const sign = pattern[at]
    if (sign === '*') {
      const stars = /\**/y
      stars.lastIndex = at
      const end = at + (stars.exec(pattern)?.[0].length ?? 1)
      const crosses = !isPath || (end - at > 1 && isWholeName(pattern, at, end))
      const isFolders = isPath && crosses && pattern[end] === '/'
      tokens.push({ kind: isFolders ? folders : crosses ? many : manyInName })
      at = isFolders ? end + 1 : end
      continue
    }
    if (sign === '[') {
      const set = readSet(pattern, at)
      if (set === undefined) return undefined
      const { signs: allows, isNegated } = set
      if (isNegated) for (let sign = 0; sign < 256; sign++) allows[sign] = 1 - (allows[sign] ?? 0)
      if (isPath) allows[slash] = 0
      tokens.push({ kind: oneOf, allows })
      at = set.end
      continue
    }
    if (sign === '?') {
      tokens.push({ kind: oneOf, allows: isPath ? allButSlash : all })
      at++
      continue
    }
    if (sign === '\\') at++
    if (at === pattern.length) return undefined
    tokens.push({ kind: literal, allows: pattern.charCodeAt(at++) })
  }
  return tokens
}

function isWholeName(pattern: string, start: number, end: number): boolean {
  const begins = start === 0 || pattern[start - 1] === '/'
  return (
    begins && (end === pattern.length || pattern[end] === '/' || pattern.startsWith('\\/', end))
  )
}

const all = new Uint8Array(256).fill(1)
const allButSlash = all.map((_, sign) => (sign === slash ? 0 : 1))

/** POSIX character classes, for ASCII only. */
const classes: ReadonlyMap<string, RegExp> = new Map([
  ['alnum', /[0-9A-Za-z]/],
  ['alpha', /[A-Za-z]/],
  ['blank', /[ \t]/],
  // oxlint-disable-next-line no-control-regex -- the class of control characters
  ['cntrl', /[\u0000-\u001f\u007f]/],
  ['digit', /\d/],
  ['graph', /[!-~]/],
  ['lower', /[a-z]/],
  ['print', /[ -~]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['space', /[ \t-\r]/],
  ['upper', /[A-Z]/],
  ['xdigit', /[0-9A-Fa-f]/],
])

/** @returns `undefined` for an unclosed set or an unknown class */
function readSet(
  pattern: string,
  start: number,
): { signs: Uint8Array; isNegated: boolean; end: number } | undefined {
  const isNegated = pattern[start + 1] === '!' || pattern[start + 1] === '^'
  const signs = new Uint8Array(256)
  let before: number | undefined
  let at = start + (isNegated ? 2 : 1)
  // A bracket at the beginning does not close the set.
  for (let isFirst = true; isFirst || pattern[at] !== ']'; isFirst = false) {
    const isNamed = pattern.startsWith('[:', at)
    // Git searches it only there: from each bracket on, reading a pattern of many would take very long.
    const close = isNamed ? pattern.indexOf(']', at + 2) : -1
    if (isNamed && close === -1) return undefined
    if (isNamed && close > at + 2 && pattern[close - 1] === ':') {
      const members = classes.get(pattern.slice(at + 2, close - 1))
      if (members === undefined) return undefined
      for (let sign = 0; sign < 128; sign++) {
        if (members.test(String.fromCharCode(sign))) signs[sign] = 1
      }
      at = close + 1
      before = undefined
      continue
    }
    const isRange =
      pattern[at] === '-' && before !== undefined && ![undefined, ']'].includes(pattern[at + 1])
    if (isRange) at++
    if (pattern.charCodeAt(at) === backslash) at++
    if (at >= pattern.length) return undefined
    const sign = pattern.charCodeAt(at++)
    signs.fill(1, isRange ? (before ?? sign) : sign, sign + 1)
    before = isRange ? undefined : sign
  }
  return { signs, isNegated, end: at + 1 }
}

/** Places in the tokens that are reached, and those that the next byte reaches. Matching is synchronous: all share them. */
let [places, next] = [new Int32Array(64), new Int32Array(64)]
/** Turn in which each place was last reached. */
let seen = new Float64Array(64)
let turn = 0
let reached = 0

function note(place: number): void {
  if (seen[place] === turn) return
  seen[place] = turn
  next[reached++] = place
}

/** Enters a place, and the next ones if its token may match nothing. */
function enter(tokens: readonly Token[], place: number): void {
  for (; ; place++) {
    note(place)
    const kind = tokens[place]?.kind ?? literal
    if (kind < many) return
  }
}

/** Follows all ways through the tokens at once, byte by byte. */
function matchTokens(tokens: readonly Token[], text: string, work: MatchWork): boolean {
  const end = tokens.length
  if (end >= places.length) {
    ;[places, next] = [new Int32Array(2 * end), new Int32Array(2 * end)]
    seen = new Float64Array(2 * end)
  }
  let steps = stepsOfMatch
  turn++
  reached = 0
  enter(tokens, 0)
  for (let at = 0; at < text.length && reached > 0; at++) {
    const count = reached
    ;[places, next] = [next, places]
    reached = 0
    steps += 1 + count
    turn++
    const sign = text.charCodeAt(at)
    for (let index = 0; index < count; index++) {
      const place = places[index] ?? end
      const token = tokens[place]
      if (token === undefined) continue
      const { kind, allows } = token
      if (kind === literal) {
        if (allows === sign) enter(tokens, place + 1)
      } else if (kind === oneOf) {
        if ((allows as Uint8Array)[sign] === 1) enter(tokens, place + 1)
      } else if (kind === folders) {
        note(place)
        if (sign === slash) enter(tokens, place + 1)
      } else if (kind === many || sign !== slash) {
        enter(tokens, place)
      }
    }
  }
  work.spend(steps)
  return reached > 0 && seen[end] === turn
}
