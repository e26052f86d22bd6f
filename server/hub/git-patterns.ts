/** Any number of folders. */
const anyFolders = '**'

type Segment = typeof anyFolders | readonly string[]

/** A pattern as `.gitignore` and `.gitattributes` have them. */
export interface GitPattern {
  /** Each as the signs that it is made of. */
  readonly segments: readonly Segment[]
  /** Stands for folders alone. */
  readonly isFolder: boolean
}

/** No path is longer, and so no rule need be. */
const longestPath = 4096
/** Anybody writes rules, and each is held against each file of an upload. */
const mostRules = 1000

/** @see https://git-scm.com/docs/gitignore#_pattern_format */
export function parseGitPattern(text: string): GitPattern {
  const isFolder = text.endsWith('/')
  const trimmed = isFolder ? text.slice(0, -1) : text
  const segments = trimmed.replace(/^\//, '').split('/').map(parseSegment)
  // Without a slash but at its end a pattern stands for a name in any folder.
  return { segments: trimmed.includes('/') ? segments : [anyFolders, ...segments], isFolder }
}

function parseSegment(text: string): Segment {
  if (text === anyFolders) return anyFolders
  return text.match(/\\[^]|\[[!^]?\]?(?:\[:\w+:\]|[^\]])*\]|[^]/gu) ?? []
}

/** Whether a pattern stands for this very path, and not for a folder that it is in. */
export function matchesGitPattern(
  { segments, isFolder }: GitPattern,
  path: string,
  type: 'file' | 'directory',
): boolean {
  if (isFolder && type === 'file') return false
  if (path.length > longestPath) return false
  const names = path.split('/')
  // What ends in `/**` stands for all that is inside, and not for the folder itself.
  if (segments.at(-1) === anyFolders && names.length < segments.length) return false
  return matchSequence(segments, names, (segment) => segment === anyFolders, matchName)
}

function matchName(signs: Segment, name: string): boolean {
  if (typeof signs === 'string') return true
  return matchSequence(signs, charactersOf(name), (sign) => sign === '*', matchSign)
}

/** Whole ones, also those that are two of a text's units. */
function charactersOf(text: string): string[] {
  return text.match(/[^]/gu) ?? []
}

function matchSign(sign: string, character: string): boolean {
  if (sign === '?') return true
  if (sign.length > 1 && sign.startsWith('\\')) return sign.slice(1) === character
  if (sign.length > 2 && sign.startsWith('[')) return isInClass(sign.slice(1, -1), character)
  return sign === character
}

function isInClass(text: string, character: string): boolean {
  const isNegated = /^[!^]/.test(text)
  const ranges = (isNegated ? text.slice(1) : text).matchAll(/\[:(\w+):\]|([^])-([^])|([^])/gu)
  const isListed = Array.from(ranges).some(([, name, from, to, one]) => {
    if (name !== undefined) return characterClasses.get(name)?.test(character) ?? false
    if (one !== undefined) return one === character
    return from !== undefined && to !== undefined && from <= character && character <= to
  })
  return isListed !== isNegated
}

/** As POSIX names them, of ASCII: git-lfs writes a space as `[[:space:]]`. */
const characterClasses: ReadonlyMap<string, RegExp> = new Map([
  ['alnum', /^[0-9A-Za-z]$/],
  ['alpha', /^[A-Za-z]$/],
  ['blank', /^[ \t]$/],
  ['digit', /^\d$/],
  ['lower', /^[a-z]$/],
  ['punct', /^[!-/:-@[-`{-~]$/],
  ['space', /^[ \t-\r]$/],
  ['upper', /^[A-Z]$/],
  ['xdigit', /^[0-9A-Fa-f]$/],
])

/**
 * Matches wildcards that stand for any number of items. Only the last one is ever tried again, so that no pattern takes
 * longer than its length times that of the text.
 */
function matchSequence<Sign, Item>(
  signs: readonly Sign[],
  items: readonly Item[],
  isWildcard: (sign: Sign) => boolean,
  matches: (sign: Sign, item: Item) => boolean,
): boolean {
  let [sign, item] = [0, 0]
  let again: { sign: number; item: number } | undefined
  while (item < items.length) {
    const [wanted, given] = [signs[sign], items[item]]
    if (wanted !== undefined && isWildcard(wanted)) {
      again = { sign: ++sign, item }
    } else if (wanted !== undefined && given !== undefined && matches(wanted, given)) {
      sign++
      item++
    } else if (again === undefined) {
      return false
    } else {
      again.item++
      ;({ sign, item } = again)
    }
  }
  return signs.slice(sign).every(isWildcard)
}

/**
 * Reads a `.gitignore`.
 * @returns whether it keeps a file out, by itself or with a folder that it is in
 */
export function readGitIgnore(text: string): (path: string) => boolean {
  const rules = rulesOf(text).map((line) => {
    const isNegated = line.startsWith('!')
    return { isNegated, pattern: parseGitPattern(isNegated ? line.slice(1) : line) }
  })
  return (path) => {
    const names = path.split('/')
    return names.some((_, index) => {
      const part = names.slice(0, index + 1).join('/')
      const type = index + 1 === names.length ? 'file' : 'directory'
      const last = rules.findLast(({ pattern }) => matchesGitPattern(pattern, part, type))
      return last !== undefined && !last.isNegated
    })
  }
}

/**
 * Reads a `.gitattributes`.
 * @returns the filter that it names for a file: `''` where it takes one away, `undefined` where it says nothing
 */
export function readGitAttributes(text: string): (path: string) => string | undefined {
  const rules = rulesOf(text).flatMap((line) => {
    const [pattern = '', ...attributes] = line.split(/[ \t]+/)
    const last = attributes.findLast((attribute) => /^[-!]?filter(?:=|$)/.test(attribute))
    if (last === undefined) return []
    const filter = last.startsWith('filter=') ? last.slice('filter='.length) : ''
    return [{ pattern: parseGitPattern(pattern), filter }]
  })
  return (path) => rules.findLast(({ pattern }) => matchesGitPattern(pattern, path, 'file'))?.filter
}

function rulesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.length <= longestPath)
    .map((line) => line.replace(/(?<!\\)[ \t]+$/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(0, mostRules)
}
