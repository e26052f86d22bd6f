import {
  bytesOf,
  type GitPattern,
  matchesGitPattern,
  mostRules,
  parseGitPattern,
} from './git-patterns.ts'
import type { MatchWork } from './match-work.ts'
import { RuleIndex } from './rule-index.ts'

/** Bytes of the longest line that git reads; it ignores longer ones. */
export const longestAttributeLine = 2047

/** Value that a line gives an attribute; `null` = unspecified. */
type Value = string | boolean | null

interface Setting {
  readonly name: string
  readonly value: Value
}

interface Rule {
  readonly pattern: GitPattern
  readonly settings: readonly Setting[]
}

/** Parsed `.gitattributes`. */
interface RuleFile {
  /** The last line first. */
  readonly rules: readonly Rule[]
  readonly index: RuleIndex
  /** Names that expand to several attributes. */
  readonly macros: ReadonlyMap<string, readonly Setting[]>
}

/** Limit of macros that expand each other. */
const mostMacros = 1000
/** Steps to apply one of them, about. */
const stepsOfSetting = 10
const binary: readonly Setting[] = ['diff', 'merge', 'text'].map((name) => ({ name, value: false }))

/** Finds the filter that rules set for a file: `''` if they unset it, `undefined` if they do not mention it. */
export type FilterOf = (path: string) => string | undefined

/**
 * Reads the `.gitattributes` of a folder and of those in it, as git does.
 * @param readRules reads the file of a folder, whose path is empty or ends in a slash; called once for each
 * @see gitattributes(5)
 */
export function readGitAttributes(
  readRules: (folder: string) => string | undefined,
  work: MatchWork,
): FilterOf {
  const files = new Map<string, RuleFile>()
  function fileOf(folder: string): RuleFile {
    // Looking for it reads all of it.
    work.spend(folder.length / 8)
    const known = files.get(folder)
    if (known !== undefined) return known
    const file = parseRules(readRules(folder) ?? '', folder === '')
    files.set(folder, file)
    return file
  }
  return (path) => {
    const { macros } = fileOf('')
    const values = new Map<string, Value>()
    /** Applies settings; earlier ones take precedence. */
    const take = (settings: readonly Setting[]) => {
      work.spend(stepsOfSetting * settings.length)
      for (const { name, value } of settings.toReversed()) {
        if (values.has(name)) continue
        values.set(name, value)
        if (value === true) take(macros.get(name) ?? [])
      }
    }
    // The nearest folder takes precedence, and the last line in it.
    for (const folder of foldersOf(path).toReversed()) {
      const below = bytesOf(path.slice(folder.length))
      const { rules, index } = fileOf(folder)
      for (const at of index.candidates(below, work)) {
        const rule = rules[at]
        if (rule !== undefined && matchesGitPattern(rule.pattern, below, 'file', work)) {
          take(rule.settings)
        }
      }
      if (values.has('filter')) break
    }
    const filter = values.get('filter')
    if (filter === undefined || filter === null) return undefined
    return typeof filter === 'string' ? filter : ''
  }
}

/** `a/b/c` → ``, `a/`, `a/b/` */
function foldersOf(path: string): string[] {
  return ['', ...Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index + 1))]
}

/** @param isRoot macros are valid only at the root */
function parseRules(text: string, isRoot: boolean): RuleFile {
  const rules: Rule[] = []
  const macros = new Map([['binary', binary]])
  for (const line of bytesOf(text)
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .split('\n')) {
    const trimmed = line.replace(/^[ \t\r]+/, '')
    if (trimmed.startsWith('#') || line.length > longestAttributeLine) continue
    const { pattern, rest } = splitLine(trimmed)
    const settings = parseSettings(rest)
    if (settings === undefined) continue
    const macro = /^\[attr\](.+)$/s.exec(pattern)?.[1]
    if (macro !== undefined) {
      const isTaken = macros.has(macro) || macros.size < mostMacros
      if (isRoot && isAttribute(macro) && isTaken) macros.set(macro, settings)
    } else if (pattern !== '' && !pattern.startsWith('!')) {
      rules.push({ pattern: parseGitPattern(pattern), settings })
    }
  }
  const isNeeded = ({ settings }: Rule) =>
    settings.some(({ name }) => name === 'filter' || macros.has(name))
  const needed = rules.filter(isNeeded).slice(0, mostRules).toReversed()
  return { rules: needed, index: new RuleIndex(needed.map(({ pattern }) => pattern)), macros }
}

/** Splits a line; a pattern with spaces is in quotes. */
function splitLine(line: string): { pattern: string; rest: string } {
  const quoted = /^"((?:[^"\\]|\\[^])*)"/.exec(line)
  const pattern = quoted === null ? undefined : unquote(quoted[1] ?? '')
  if (quoted !== null && pattern !== undefined) {
    return { pattern, rest: line.slice(quoted[0].length) }
  }
  const end = line.search(/[ \t\r]/)
  return end === -1
    ? { pattern: line, rest: '' }
    : { pattern: line.slice(0, end), rest: line.slice(end) }
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\\', '\\'],
  ['"', '"'],
])

/** @returns `undefined` for an invalid C string */
function unquote(text: string): string | undefined {
  let isBroken = false
  const unquoted = text.replaceAll(/\\([0-3][0-7]{2}|[^])/g, (_, code: string) => {
    if (code.length > 1) return String.fromCharCode(Number.parseInt(code, 8))
    const meant = escapes.get(code)
    isBroken ||= meant === undefined
    return meant ?? ''
  })
  return isBroken ? undefined : unquoted
}

/** @returns `undefined` for a line with an invalid attribute, which git ignores */
function parseSettings(text: string): Setting[] | undefined {
  const words = text.split(/[ \t\r]+/).filter((word) => word !== '')
  const settings = words.map(parseSetting)
  return settings.every(({ name }) => isAttribute(name)) ? settings : undefined
}

function parseSetting(word: string): Setting {
  const [, sign = '', name = '', value] = /^([-!]?)([^=]*)(?:=(.*))?$/s.exec(word) ?? []
  if (sign !== '') return { name, value: sign === '-' ? false : null }
  return { name, value: value ?? true }
}

function isAttribute(name: string): boolean {
  return /^[.0-9A-Z_a-z][-.0-9A-Z_a-z]*$/.test(name)
}
