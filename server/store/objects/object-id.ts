import { createHash } from 'node:crypto'

/** Types of git objects: contents of files, folders, commits, and annotated tags. */
export type ObjectType = 'blob' | 'tree' | 'commit' | 'tag'

/** Header that is hashed and stored before the content. */
export function objectHeader(type: ObjectType, size: number): string {
  return `${type} ${size}\0`
}

/** SHA-1 of `<type> <size>\0<content>`, as `git hash-object` computes it. */
export function gitObjectId(type: ObjectType, content: Uint8Array): string {
  return createHash('sha1').update(objectHeader(type, content.length)).update(content).digest('hex')
}

/** An object is not in git's format: the fault of a push, or of the disk. */
export class GitFormatError extends Error {
  override readonly name = 'GitFormatError'
}
