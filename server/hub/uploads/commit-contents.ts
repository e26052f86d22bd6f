import { Refusal } from '../../core/refusal.ts'

/** Store for contents that are too large to wait in memory. */
export interface ContentShelf {
  /** Stores a file's content. @returns its object id */
  write(content: Uint8Array): string
  /** Resolves when everything stored so far is out of memory; `undefined` if nothing waits. */
  written(): Promise<void> | undefined
}

/** Content in memory, or the id under which it is stored. */
export type KeptContent = { content: Buffer } | { oid: string; size: number }

/** Keeps the content of one file until the commit is made. @throws {Refusal} `invalid` */
export type KeepContent = (content: Buffer) => Promise<KeptContent>

/** Limit for the files of a commit together: without a data folder they are in memory. */
const mostCommitBytes = 512 * 1024 * 1024
/** Smaller files wait in memory, up to so much together; the others are stored at once. */
const mostWaitingBytes = 4 * 1024 * 1024
const largestWaiting = 64 * 1024

/** Keeps the contents of one commit. */
export function contentsOfCommit(shelf: ContentShelf): KeepContent {
  let [bytes, waiting] = [0, 0]
  return async (content) => {
    bytes += content.length
    if (bytes > mostCommitBytes) {
      const limit = `${mostCommitBytes / 1024 / 1024} MiB`
      throw new Refusal('invalid', `The files of a commit are limited to ${limit} in total`)
    }
    if (content.length <= largestWaiting && waiting + content.length <= mostWaitingBytes) {
      waiting += content.length
      return { content }
    }
    const oid = shelf.write(content)
    await shelf.written()
    return { oid, size: content.length }
  }
}
