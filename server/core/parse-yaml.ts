import {
  Composer,
  type CST,
  type Document,
  isScalar,
  Lexer,
  LineCounter,
  Parser,
  visit,
  type YAMLError,
  YAMLParseError,
} from 'yaml'
import { deepestJson } from './json-depth.ts'

/** Most aliases; each is looked up among all anchors. */
const mostAliases = 1000
/** Most values that aliases can add. */
const mostRepeated = 100_000

/** Limits on the size of a text, checked before parsing: each token takes a kilobyte of memory or more. */
export interface YamlLimits {
  readonly mostBytes: number
  /** Tokens: words, punctuation, line ends and runs of blanks. */
  readonly mostTokens: number
  /** Advice for a larger text, as a sentence. */
  readonly advice?: string
}

/** Limits for a user's file. */
const fileLimits: YamlLimits = {
  mostBytes: 8 * 1024 * 1024,
  mostTokens: 400_000,
  advice: 'Write it as JSON.',
}

type Outcome = { value: unknown } | { problem: string }

/**
 * Parses YAML as plain data: core schema, no custom tags, and limited aliases. It runs in linear time, because the
 * input is untrusted.
 */
export function parseYaml(text: string, limits = fileLimits): Outcome {
  const { mostBytes, advice } = limits
  const bytes = Buffer.byteLength(text)
  if (bytes > mostBytes) {
    const sizes = `${Math.ceil(bytes / 1024)} KiB, and the limit is ${mostBytes / 1024} KiB`
    return { problem: `it has ${sizes}${advice === undefined ? '' : `. ${advice}`}` }
  }
  const lineCounter = new LineCounter()
  let tokens: CST.Token[] | { problem: string }
  try {
    tokens = readTokens(text, limits, lineCounter)
  } catch (error) {
    // The library parses some flow mappings recursively, one call per level.
    if (error instanceof RangeError) return { problem: tooDeep }
    throw error
  }
  if ('problem' in tokens) return tokens
  const counted = countValues(tokens)
  if ('problem' in counted) return counted
  const document = compose(tokens, text.length, lineCounter)
  const [mistake] = [...document.errors, ...document.warnings]
  if (mistake !== undefined) return { problem: describe(mistake, lineCounter) }
  const repeated = findRepeatedKey(document)
  if (repeated !== undefined) {
    return { problem: `Map keys must be unique${placeOf(repeated, lineCounter)}` }
  }
  try {
    // Aliases share one object; the library's own alias limit reads the whole text for some of them.
    const value: unknown = document.toJS({ maxAliasCount: -1 })
    const growth = counted.aliases === 0 ? undefined : findGrowth(value, counted.values)
    return growth === undefined ? { value } : { problem: growth }
  } catch (error) {
    // The only possible error here: an unresolved alias.
    return { problem: (error as Error).message }
  }
}

const tooDeep = `it is nested more than ${deepestJson} levels deep`

function readTokens(
  text: string,
  { mostTokens, advice }: YamlLimits,
  lineCounter: LineCounter,
): CST.Token[] | { problem: string } {
  const lexemes: string[] = []
  // All are counted first: parsing takes several times as long as splitting.
  for (const lexeme of new Lexer().lex(text)) {
    if (lexemes.push(lexeme) > mostTokens) {
      const limit = mostTokens.toLocaleString('en')
      return {
        problem: `it has more than ${limit} tokens, the limit${advice === undefined ? '' : `. ${advice}`}`,
      }
    }
  }
  const parser = new Parser(lineCounter.addNewLine)
  lineCounter.addNewLine(0)
  const tokens: CST.Token[] = []
  for (const lexeme of lexemes) {
    for (const token of parser.next(lexeme)) {
      // Each would be an error of its own, and one is enough.
      if (token.type === 'error') return { problem: problemOfToken(token, lineCounter) }
      tokens.push(token)
    }
  }
  tokens.push(...parser.end())
  return tokens
}

function problemOfToken({ message, source, offset }: CST.ErrorToken, lines: LineCounter): string {
  return `${message}${source === '' ? '' : `: ${JSON.stringify(source)}`}${placeOf(offset, lines)}`
}

/**
 * Builds a document from tokens, which are read without recursion; composing is recursive.
 * @returns a document with its errors
 */
function compose(tokens: CST.Token[], length: number, lineCounter: LineCounter): Document.Parsed {
  // The library would compare each key with all earlier ones, and quote the line of each error.
  const options = { uniqueKeys: false, prettyErrors: false, lineCounter }
  const composer = new Composer({ schema: 'core', merge: false, ...options })
  const { stackTraceLimit } = Error
  // A text can have many errors, and collecting their stacks would take most of the time.
  Error.stackTraceLimit = 0
  try {
    const [first, second] = composer.compose(tokens, true, length)
    if (first === undefined) throw new TypeError('the YAML library returned no document')
    if (second !== undefined) {
      const [start, end] = second.range
      const several = new YAMLParseError([start, end], 'MULTIPLE_DOCS', 'It has several documents')
      first.errors.push(several)
    }
    return first
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/**
 * Counts values and aliases without recursion.
 * @returns the problem if nested too deeply or with too many aliases
 */
function countValues(
  tokens: readonly CST.Token[],
): { values: number; aliases: number } | { problem: string } {
  let [values, aliases] = [0, 0]
  const open: [token: CST.Token | null | undefined, depth: number][] = []
  for (const token of tokens) open.push([token, 0])
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [token, depth] = next
    values++
    if (depth > deepestJson) return { problem: tooDeep }
    if (token?.type === 'alias' && ++aliases > mostAliases) {
      return { problem: `it has more than ${mostAliases} aliases` }
    }
    if (token?.type === 'document') open.push([token.value, depth])
    else if (token !== null && token !== undefined && 'items' in token) {
      for (const { key, value } of token.items) open.push([key, depth + 1], [value, depth + 1])
    }
  }
  return { values, aliases }
}

/** Checks a value with its aliases expanded; an alias can contain itself. */
function findGrowth(root: unknown, written: number): string | undefined {
  let left = written + mostRepeated
  const open: [value: unknown, depth: number][] = [[root, 0]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, depth] = next
    if (depth > deepestJson) return tooDeep
    if (--left < 0) return `its aliases expand to more than ${mostRepeated} values`
    if (typeof value !== 'object' || value === null) continue
    for (const inner of Object.values(value)) open.push([inner, depth + 1])
  }
  return undefined
}

/** @returns position of the first duplicate key */
function findRepeatedKey(document: Document.Parsed): number | undefined {
  let found: number | undefined
  visit(document, {
    Map(_key, { items }) {
      const keys = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (keys.has(key.value)) {
          found = key.range?.[0]
          return visit.BREAK
        }
        keys.add(key.value)
      }
      return undefined
    },
  })
  return found
}

function describe({ code, message, pos: [start] }: YAMLError, lineCounter: LineCounter): string {
  const [, tag] =
    code === 'TAG_RESOLVE_FAILED' ? (/^Unresolved tag: (.+)$/s.exec(message) ?? []) : []
  // In the words of js-yaml, which people look for.
  const told = tag === undefined ? message : `unknown tag !<${tag}>`
  return start === -1 ? told : `${told}${placeOf(start, lineCounter)}`
}

function placeOf(offset: number, lineCounter: LineCounter): string {
  const { line, col } = lineCounter.linePos(offset)
  return ` at line ${line}, column ${col}`
}
