import { posix } from 'node:path'
import { beginningOf } from '../../core/encode-text.ts'
import { Refusal } from '../../core/refusal.ts'

const mostPathBytes = 4096

/** Signs that Macs do not see in a name: they only tell how to write others. */
const unwritten = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu

/**
 * Path under which the hub stores what a client names with backslashes: they separate folders, and `..` ends at the root
 * of the repo. A path that begins with `..\` or a backslash stays as it is, to be refused.
 */
export function withoutBackslashes(path: string): string {
  if (!path.includes('\\') || /^(?:\.\.)?[/\\]/.test(path)) return path
  return posix.normalize(`/${path.replaceAll('\\', '/')}`).slice(1)
}

/**
 * Lets pass the path of a file that everybody can check out, whatever their system.
 * @throws {Refusal} `unprocessable` naming what is wrong
 */
export function checkFilePath(path: string): void {
  const wrong = wrongWith(path)
  if (wrong === undefined) return
  const shown = path.length > 100 ? `${beginningOf(path, 100)}...` : path
  throw new Refusal('unprocessable', `Invalid path ${JSON.stringify(shown)}: ${wrong}`)
}

function wrongWith(path: string): string | undefined {
  if (path === '') return 'it is empty'
  if (Buffer.byteLength(path) > mostPathBytes) return `it has more than ${mostPathBytes} bytes`
  if (path.startsWith('/')) return 'it is absolute'
  if (path.includes('\\')) return 'it has a backslash'
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(path)) return 'it has a control character'
  if (/\p{Surrogate}/u.test(path)) return 'it has half a character'
  const names = path.split('/')
  if (names.includes('')) return 'a part of it is empty'
  if (names.includes('.') || names.includes('..')) return 'it leads through "." or ".."'
  if (names.some(isDotGit)) return 'it leads into .git'
  return undefined
}

/**
 * Whether some system takes a name for that of the folder of git: git checks out nothing of a commit that has one. Macs do
 * not see {@link unwritten} signs; Windows cuts off dots, blanks and what follows a colon, and has a short name for each
 * file.
 */
function isDotGit(name: string): boolean {
  const seen = name.replaceAll(unwritten, '')
  return /^(?:\.git|git~1)[. ]*(?::|$)/i.test(seen)
}
