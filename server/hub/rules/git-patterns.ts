import type { SteppedWork } from '../../core/slices.ts'
import type { MatchWork } from './match-work.ts'
import { compileWildcards, type WildMatch } from './wild-match.ts'

/** A pattern as `.gitignore` and `.gitattributes` have them. */
export interface GitPattern {
  /** Stands for folders alone. */
  readonly isFolder: boolean
  /** Stands for a name in any folder. */
  readonly isName: boolean
  readonly matches: WildMatch
}

/** Limit for paths, so rules need not be longer. */
const longestPath = 4096
/** Rules of a file that are read. */
export const mostRules = 10_000

/** A text as git sees one: each of its signs a byte. */
export function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/**
 * @param text its signs bytes, as of the paths
 * @see https://git-scm.com/docs/gitignore#_pattern_format
 */
export function parseGitPattern(text: string): GitPattern {
  const isFolder = text.endsWith('/')
  const trimmed = isFolder ? text.slice(0, -1) : text
  // Without a slash but at its end a pattern stands for a name in any folder.
  if (!trimmed.includes('/')) {
    return { isFolder, isName: true, matches: compileWildcards(trimmed, false) }
  }
  const path = trimmed.replace(/^\//, '')
  const wildcard = path.search(/[*?[\\]/)
  const fixed = wildcard === -1 ? path : path.slice(0, wildcard)
  const rest = compileWildcards(path.slice(fixed.length), true)
  // Apart, since git sees in a `**` at the begin of the rest that of a name.
  return {
    isFolder,
    isName: false,
    matches: (given, work) => given.startsWith(fixed) && rest(given.slice(fixed.length), work),
  }
}

/**
 * Whether a pattern stands for this very path, and not for a folder that it is in.
 * @param path from the folder of the rules on, its signs bytes
 */
export function matchesGitPattern(
  { isFolder, isName, matches }: GitPattern,
  path: string,
  type: 'file' | 'directory',
  work: MatchWork,
): boolean {
  work.spend(1)
  if (isFolder && type === 'file') return false
  if (path.length > longestPath) return false
  return matches(isName ? path.slice(path.lastIndexOf('/') + 1) : path, work)
}

/**
 * Reads a `.gitignore`, rule by rule.
 * @returns whether it ignores a file, by itself or with a folder that it is in
 */
export function* readGitIgnore(
  text: string,
): SteppedWork<(path: string, work: MatchWork) => SteppedWork<boolean>> {
  const rules: { isNegated: boolean; pattern: GitPattern }[] = []
  for (const line of ruleLines(text)) {
    yield
    const isNegated = line.startsWith('!')
    rules.push({ isNegated, pattern: parseGitPattern(bytesOf(isNegated ? line.slice(1) : line)) })
  }
  rules.reverse()
  return function* isIgnored(given, work) {
    const path = bytesOf(given)
    for (let end = 0; end < path.length;) {
      const slash = path.indexOf('/', end + 1)
      end = slash === -1 ? path.length : slash
      const part = path.slice(0, end)
      const type = slash === -1 ? 'file' : 'directory'
      for (const { isNegated, pattern } of rules) {
        if (work.isDue()) yield
        if (!matchesGitPattern(pattern, part, type, work)) continue
        if (!isNegated) return true
        break
      }
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

/** Tabs stay, and of spaces the one that a backslash is before, which none is before itself. */
function withoutSpacesAtEnd(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ') end--
  let backslashes = 0
  while (line[end - 1 - backslashes] === '\\') backslashes++
  return line.slice(0, backslashes % 2 === 0 ? end : end + 1)
}
