import type { MatchWork } from './match-work.ts'
import { RuleIndex } from './rule-index.ts'
import { compileWildcards, literalEnd, type WildMatch } from './wild-match.ts'

/** Pattern of `.gitignore` and `.gitattributes`. */
export interface GitPattern {
  /** Matches folders only. */
  readonly isFolder: boolean
  /** Matches a name in any folder. */
  readonly isName: boolean
  /** All that it matches; absent for a pattern with wildcards. */
  readonly literal?: string
  /** End of all that it matches; may be empty. */
  readonly end: string
  readonly matches: WildMatch
}

/** Limit for paths, so rules need not be longer. */
const longestPath = 4096
/** Steps to look at a pattern, about. */
const stepsOfLook = 5
/** Rules of a file that are read. */
export const mostRules = 10_000

/** Converts a text to one character per byte, since git matches bytes. */
export function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/**
 * @param text one character per byte
 * @see https://git-scm.com/docs/gitignore#_pattern_format
 */
export function parseGitPattern(text: string): GitPattern {
  const isFolder = text.endsWith('/')
  const trimmed = isFolder ? text.slice(0, -1) : text
  // A pattern without a slash, except at its end, matches a name in any folder.
  const isName = !trimmed.includes('/')
  const path = trimmed.replace(/^\//, '')
  const wildcard = path.search(/[*?[\\]/)
  if (wildcard === -1) {
    const matches: WildMatch = (given) => given === path
    return { isFolder, isName, literal: path, end: path, matches }
  }
  const end = literalEnd(path.slice(wildcard))
  if (isName) return { isFolder, isName, end, matches: compileWildcards(path, false) }
  const fixed = path.slice(0, wildcard)
  const rest = compileWildcards(path.slice(wildcard), true)
  // Handled separately: git treats a `**` at the beginning of the rest as part of a name.
  return {
    isFolder,
    isName,
    end,
    matches: (given, work) => given.startsWith(fixed) && rest(given.slice(fixed.length), work),
  }
}

/**
 * Checks whether a pattern matches exactly this path, and not only a folder that contains it.
 * @param path relative to the folder of the rules, one character per byte
 */
export function matchesGitPattern(
  { isFolder, isName, matches }: GitPattern,
  path: string,
  type: 'file' | 'directory',
  work: MatchWork,
): boolean {
  work.spend(stepsOfLook)
  if (isFolder && type === 'file') return false
  if (path.length > longestPath) return false
  return matches(isName ? path.slice(path.lastIndexOf('/') + 1) : path, work)
}

/**
 * Reads a `.gitignore`, rule by rule.
 * @returns checks whether a file is ignored, by itself or through one of its folders
 */
export function readGitIgnore(text: string): (path: string, work: MatchWork) => boolean {
  const rules: { isNegated: boolean; pattern: GitPattern }[] = []
  for (const line of ruleLines(text)) {
    const isNegated = line.startsWith('!')
    rules.push({ isNegated, pattern: parseGitPattern(bytesOf(isNegated ? line.slice(1) : line)) })
  }
  rules.reverse()
  const index = new RuleIndex(rules.map(({ pattern }) => pattern))
  /** Folders that were checked. */
  const folders = new Map<string, boolean>()
  function isListed(part: string, type: 'file' | 'directory', work: MatchWork): boolean {
    for (const at of index.candidates(part, work)) {
      const rule = rules[at]
      if (rule === undefined || !matchesGitPattern(rule.pattern, part, type, work)) continue
      return !rule.isNegated
    }
    return false
  }
  return (given, work) => {
    const path = bytesOf(given)
    for (let end = 0; end < path.length;) {
      const slash = path.indexOf('/', end + 1)
      end = slash === -1 ? path.length : slash
      const part = path.slice(0, end)
      // Looking for it reads all of it.
      work.spend(stepsOfLook + part.length / 4)
      if (slash === -1) return isListed(part, 'file', work)
      const known = folders.get(part) ?? isListed(part, 'directory', work)
      if (known) return true
      folders.set(part, known)
    }
    return false
  }
}

function ruleLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.length <= longestPath)
    .map(withoutSpacesAtEnd)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(0, mostRules)
}

/** Removes trailing spaces; tabs and an escaped space stay. */
function withoutSpacesAtEnd(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ') end--
  let backslashes = 0
  while (line[end - 1 - backslashes] === '\\') backslashes++
  return line.slice(0, backslashes % 2 === 0 ? end : end + 1)
}
