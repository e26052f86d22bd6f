import { posix } from 'node:path'
import { beginningOf } from '../../core/encode-text.ts'
import { Refusal } from '../../core/refusal.ts'

const mostPathBytes = 4096

/** Formatting characters that macOS ignores in a name. */
const unwritten = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu

/**
 * Normalizes a path with backslashes as the hub does: they separate folders, and `..` stops at the root of the repo. A path
 * that begins with `..\` or a backslash stays unchanged, to be refused.
 */
export function withoutBackslashes(path: string): string {
  if (!path.includes('\\') || /^(?:\.\.)?[/\\]/.test(path)) return path
  return posix.normalize(`/${path.replaceAll('\\', '/')}`).slice(1)
}

/**
 * Checks that a file with this path can be checked out on every system.
 * @throws {Refusal} `unprocessable` with the reason
 */
export function checkFilePath(path: string): void {
  const wrong = problemInGit(path)
  if (wrong === undefined) return
  const shown = path.length > 100 ? `${beginningOf(path, 100)}...` : path
  throw new Refusal('unprocessable', `Invalid path ${JSON.stringify(shown)}: ${wrong}`)
}

/**
 * Checks that a file with this path can be checked out on every system.
 * @returns the problem; `undefined` for a valid path
 */
export function problemInGit(path: string): string | undefined {
  return problemOfPath(path) ?? (path.split('/').some(isDotGit) ? 'it leads into .git' : undefined)
}

/**
 * Checks that a file with this path stays inside its folder on every system.
 * @returns the problem; `undefined` for a valid path
 */
export function problemOfPath(path: string): string | undefined {
  if (path === '') return 'it is empty'
  if (Buffer.byteLength(path) > mostPathBytes) return `it has more than ${mostPathBytes} bytes`
  if (path.startsWith('/')) return 'it is absolute'
  if (path.includes('\\')) return 'it has a backslash'
  // oxlint-disable-next-line no-control-regex -- control characters are invalid here
  if (/[\u0000-\u001f\u007f]/.test(path)) return 'it has a control character'
  if (/\p{Surrogate}/u.test(path)) return 'it has half a character'
  const names = path.split('/')
  if (names.includes('')) return 'a part of it is empty'
  if (names.includes('.') || names.includes('..')) return 'it leads through "." or ".."'
  return undefined
}

/**
 * Checks whether any system treats a name as `.git`: git refuses to check out such a commit. macOS ignores
 * {@link unwritten} characters; Windows removes trailing dots, spaces and everything after a colon, and has short names.
 */
function isDotGit(name: string): boolean {
  const seen = name.replaceAll(unwritten, '')
  return /^(?:\.git|git~1)[. ]*(?::|$)/i.test(seen)
}
