import { beginningOf } from '../../core/encode-text.ts'
import { Refusal } from '../../core/refusal.ts'
import { readConfig } from '../../objects/config-codec.ts'
import type { TreeMode } from '../../objects/tree-codec.ts'
import { unwritten } from './file-paths.ts'
import { isSubmoduleUrl } from './submodule-urls.ts'

/** Git passes over what is longer, and its checks call it an error. */
export const longestAttributeLine = 2047

const links: TreeMode = '120000'

/**
 * Lets pass what a push could bring as well: `git fsck --strict` looks into the files that git itself reads, and a hub
 * takes nothing from git that it finds fault with. Whoever had cloned such a repo could push it nowhere.
 * @param read gives the content of the file, which most are not asked for
 * @throws {Refusal} `unprocessable` naming the path and what is wrong
 * @see git-fsck(1) "fsck-msgids"
 */
export function checkStrictly(path: string, mode: TreeMode | undefined, read: () => Buffer): void {
  const problem = problemOf(path, mode, read)
  if (problem === undefined) return
  const [what, id] = problem
  throw new Refusal('unprocessable', `Git would refuse ${JSON.stringify(path)}: ${what}`, {
    detail: `a push of it would fail with ${id}`,
  })
}

/** What is wrong, and how git calls it. */
type Problem = readonly [what: string, id: string]

function problemOf(
  path: string,
  mode: TreeMode | undefined,
  read: () => Buffer,
): Problem | undefined {
  // All of the names have one of these, and most paths are short of both.
  if (!/[g~]/i.test(path)) return undefined
  const names = path.split('/')
  const name = names.pop() ?? ''
  if (names.some(isModulesName)) return ['.gitmodules is a folder', 'gitmodulesBlob']
  if (names.some(isAttributesName)) return ['.gitattributes is a folder', 'gitattributesBlob']
  const [isModules, isAttributes] = [isModulesName(name), isAttributesName(name)]
  if (mode === links) {
    return isModules ? ['.gitmodules is a symbolic link', 'gitmodulesSymlink'] : undefined
  }
  // Short names may stand for both.
  return (
    (isModules ? problemOfModules(read()) : undefined) ??
    (isAttributes ? problemOfAttributes(read()) : undefined)
  )
}

function problemOfModules(content: Buffer): Problem | undefined {
  // The keys of git's own settings are ASCII, and what is not stays as it is.
  for (const { name: written, value } of readConfig(content.toString('latin1'))) {
    // What git reads of a text ends at a NUL.
    const [, name, key] = /^submodule\.([^]*)\.([^.]*)$/.exec(beforeNul(written)) ?? []
    if (name === undefined) continue
    const problem = problemOfModule(name, key, value === undefined ? value : beforeNul(value))
    if (problem !== undefined) return problem
  }
  return undefined
}

function problemOfModule(
  name: string,
  key: string | undefined,
  value: string | undefined,
): Problem | undefined {
  if (name === '' || name.split(/[/\\]/).includes('..')) {
    return [`a submodule cannot be called ${shown(name)}`, 'gitmodulesName']
  }
  if (value === undefined) return undefined
  if (key === 'url' && !isSubmoduleUrl(value)) {
    return [`a submodule cannot have the URL ${shown(value)}`, 'gitmodulesUrl']
  }
  if (key === 'path' && value.startsWith('-')) {
    return [`a submodule cannot have the path ${shown(value)}`, 'gitmodulesPath']
  }
  if (key === 'update' && value.startsWith('!')) {
    return [`a submodule cannot have the update setting ${shown(value)}`, 'gitmodulesUpdate']
  }
  return undefined
}

function problemOfAttributes(content: Buffer): Problem | undefined {
  const text = beforeNul(content.toString('latin1'))
  const line = text.split('\n').findIndex(({ length }) => length > longestAttributeLine)
  if (line === -1) return undefined
  return [`line ${line + 1} has more than ${longestAttributeLine} bytes`, 'gitattributesLineLength']
}

function beforeNul(text: string): string {
  return text.split('\0', 1)[0] ?? ''
}

/** @param bytes as text, each of its characters one */
function shown(bytes: string): string {
  const text = Buffer.from(bytes, 'latin1').toString()
  return JSON.stringify(text.length > 100 ? `${beginningOf(text, 100)}...` : text)
}

const isModulesName = isNameOnAnySystem('.gitmodules', 'gi7eba')
const isAttributesName = isNameOnAnySystem('.gitattributes', 'gi7d29')

/**
 * Tells whether some system takes a name for that of a file of git: Macs do not see signs that only tell how to write
 * others, Windows cuts off dots, blanks and what follows a colon, and has a short name for each file.
 * @param hash begin of its short name where several files would have the same
 */
function isNameOnAnySystem(name: string, hash: string): (seen: string) => boolean {
  const short = `${name.slice(1, 7)}~[1-4]`
  const hashed = Array.from({ length: hash.length + 1 }, (_, length) => {
    const digits = hash.length - length
    return String.raw`${hash.slice(0, length)}~[1-9]\d{${digits}}`
  })
  const literal = `\\${name}`
  const onWindows = new RegExp(`^(?:${[literal, short, ...hashed].join('|')})[. ]*(?::|$)`, 'i')
  const onMacs = new RegExp(`^${literal}$`, 'i')
  return (seen) => onWindows.test(seen) || onMacs.test(seen.replaceAll(unwritten, ''))
}
