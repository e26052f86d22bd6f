import { mayReferTo, parseLfsPointer, pointerLimit } from '../files/lfs-objects.ts'
import type { HubDeps } from '../hub-deps.ts'
import {
  binaryStart,
  isBinary,
  largestBinaryFile,
  largestRegularFile,
} from '../rules/file-rules.ts'

/** File that a commit or a push adds outside Git LFS. */
export interface AddedFile {
  /** Bytes. */
  readonly size: number
  /** Reads all of it; called only for files the size of a pointer. */
  read(): Uint8Array
  /** Reads so many bytes from its start. */
  readStart(bytes: number): Promise<Uint8Array>
}

/** Reason that the hub refuses a file; `oid` is the SHA-256 in the pointer. */
export type FileProblem =
  | { readonly kind: 'large' }
  | { readonly kind: 'binary' }
  | { readonly kind: 'pointer'; readonly oid: string }

/**
 * Checks a file against the rules that hold for commits over the API and for pushes: a size limit, no binary files outside
 * Git LFS, and no pointer to content that was never uploaded to the repo, since each later clone would fail.
 */
export async function findFileProblem(
  deps: Pick<HubDeps, 'state'>,
  repo: { id: string },
  file: AddedFile,
): Promise<FileProblem | undefined> {
  if (file.size > largestRegularFile) return { kind: 'large' }
  if (file.size > largestBinaryFile) {
    return isBinary(await file.readStart(binaryStart)) ? { kind: 'binary' } : undefined
  }
  return findLostPointer(deps, repo, file)
}

/** Finds a pointer of Git LFS to content that was never uploaded to the repo. */
export function findLostPointer(
  deps: Pick<HubDeps, 'state'>,
  repo: { id: string },
  { size, read }: Pick<AddedFile, 'size' | 'read'>,
): Extract<FileProblem, { kind: 'pointer' }> | undefined {
  const pointer = size < pointerLimit ? parseLfsPointer(read()) : undefined
  return pointer === undefined || mayReferTo(deps, repo, pointer)
    ? undefined
    : { kind: 'pointer', oid: pointer.oid }
}
