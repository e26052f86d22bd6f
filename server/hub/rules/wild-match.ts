import type { MatchWork } from './match-work.ts'

/** Part of a pattern. */
type Token =
  /** Matches one character. */
  | { readonly kind: 'one'; readonly allows: (sign: number) => boolean }
  /** Matches any number of characters, across slashes or not. */
  | { readonly kind: 'many'; readonly crosses: boolean }
  /** Matches nothing, or any text that ends in a slash. */
  | { readonly kind: 'folders' }

/** Checks whether a text matches, and counts the steps. */
export type WildMatch = (text: string, work: MatchWork) => boolean

const [slash, backslash] = [0x2f, 0x5c]
const never: WildMatch = () => false

/**
 * Compiles wildcards as git's wildmatch reads them. Matching takes time in proportion to the lengths of text and pattern;
 * a regular expression could take exponential time.
 * @param pattern one character per byte
 * @param isPath only slashes and `**` match a slash
 */
export function compileWildcards(pattern: string, isPath: boolean): WildMatch {
  const tokens = readTokens(pattern, isPath)
  if (tokens === undefined) return never
  const end = literalEnd(pattern)
  return (text, work) => text.endsWith(end) && matchTokens(tokens, text, work)
}

/** Returns the literal end of a pattern, which rules out most texts at once. */
function literalEnd(pattern: string): string {
  if (/[[\\]/.test(pattern)) return ''
  const end = pattern.slice(Math.max(pattern.lastIndexOf('*'), pattern.lastIndexOf('?')) + 1)
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
      tokens.push(isFolders ? { kind: 'folders' } : { kind: 'many', crosses })
      at = isFolders ? end + 1 : end
      continue
    }
    if (sign === '[') {
      const set = readSet(pattern, at)
      if (set === undefined) return undefined
      const { signs, isNegated } = set
      tokens.push({
        kind: 'one',
        allows: (given) => signs.has(given) !== isNegated && !(isPath && given === slash),
      })
      at = set.end
      continue
    }
    if (sign === '?') {
      tokens.push({ kind: 'one', allows: (given) => !(isPath && given === slash) })
      at++
      continue
    }
    if (sign === '\\') at++
    if (at === pattern.length) return undefined
    const wanted = pattern.charCodeAt(at++)
    tokens.push({ kind: 'one', allows: (given) => given === wanted })
  }
  return tokens
}

function isWholeName(pattern: string, start: number, end: number): boolean {
  const begins = start === 0 || pattern[start - 1] === '/'
  return (
    begins && (end === pattern.length || pattern[end] === '/' || pattern.startsWith('\\/', end))
  )
}

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
): { signs: Set<number>; isNegated: boolean; end: number } | undefined {
  const isNegated = pattern[start + 1] === '!' || pattern[start + 1] === '^'
  const signs = new Set<number>()
  let before: number | undefined
  let at = start + (isNegated ? 2 : 1)
  // A bracket at the beginning does not close the set.
  for (let isFirst = true; isFirst || pattern[at] !== ']'; isFirst = false) {
    const named = /\[:([^\]]*)\]/y
    named.lastIndex = at
    const [all = '', inside = ''] = named.exec(pattern) ?? []
    if (pattern.startsWith('[:', at) && all === '') return undefined
    if (inside.endsWith(':')) {
      const members = classes.get(inside.slice(0, -1))
      if (members === undefined) return undefined
      for (let sign = 0; sign < 128; sign++) {
        if (members.test(String.fromCharCode(sign))) signs.add(sign)
      }
      at += all.length
      before = undefined
      continue
    }
    const isRange =
      pattern[at] === '-' && before !== undefined && ![undefined, ']'].includes(pattern[at + 1])
    if (isRange) at++
    if (pattern.charCodeAt(at) === backslash) at++
    if (at >= pattern.length) return undefined
    const sign = pattern.charCodeAt(at++)
    for (let each = isRange ? (before ?? sign) : sign; each <= sign; each++) signs.add(each)
    before = isRange ? undefined : sign
  }
  return { signs, isNegated, end: at + 1 }
}

/** Follows all ways through the tokens at once, character by character. */
function matchTokens(tokens: readonly Token[], text: string, work: MatchWork): boolean {
  let steps = tokens.length
  const seen = new Int32Array(tokens.length + 1).fill(-1)
  let [places, next]: [number[], number[]] = [[], []]
  let turn = 0
  const note = (place: number) => {
    if (seen[place] === turn) return
    seen[place] = turn
    next.push(place)
  }
  /** Enters a place, and the next ones if its token may match nothing. */
  const enter = (place: number) => {
    for (; ; place++) {
      note(place)
      const kind = tokens[place]?.kind
      if (kind === undefined || kind === 'one') return
    }
  }
  enter(0)
  for (let at = 0; at < text.length; at++) {
    ;[places, next] = [next, []]
    if (places.length === 0) break
    steps += places.length
    turn++
    const sign = text.charCodeAt(at)
    for (const place of places) {
      const token = tokens[place]
      if (token === undefined) continue
      if (token.kind === 'one') {
        if (token.allows(sign)) enter(place + 1)
      } else if (token.kind === 'many') {
        if (token.crosses || sign !== slash) enter(place)
      } else {
        note(place)
        if (sign === slash) enter(place + 1)
      }
    }
  }
  work.spend(steps)
  return seen[tokens.length] === turn
}
