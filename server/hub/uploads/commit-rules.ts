import type { FileOperation } from '../commits/commits.ts'
import { binaryStart, isBinary, largestBinaryFile, refusedFiles } from '../rules/file-rules.ts'
import { type ObjectStore, readBlob } from '../files/git-objects.ts'
import type { HubDeps } from '../hub-deps.ts'
import { mayReferTo, parseLfsPointer, pointerLimit } from '../files/lfs-objects.ts'
import type { LfsOperation } from '../commits/lfs-operations.ts'
import { readmePath } from '../rules/readme-check.ts'

// What the hub has against a commit that git would take. Whoever loads fixtures does not ask: an export has pointers alone.

type Operations = readonly (FileOperation | LfsOperation)[]
type Added = Extract<FileOperation, { kind: 'add' }>

/** The README that a commit puts at the top of a repo; `undefined` where it leaves it as it is. */
export function addedReadme(objects: ObjectStore, operations: Operations): string | undefined {
  const last = operations.findLast(({ path }) => path === readmePath)
  return last?.kind === 'add' ? contentOf(objects, last).toString() : undefined
}

/**
 * Each later clone would fail at a pointer of Git LFS to what nobody has uploaded to the repo.
 * @throws {Refusal} `invalid`, in the words of the hub
 */
export function refuseLostPointers(
  deps: Pick<HubDeps, 'state'>,
  { objects, repo }: { objects: ObjectStore; repo: { id: string } },
  operations: Operations,
): void {
  const lost = operations.filter((operation) => {
    if (operation.kind !== 'add' || sizeOf(operation) >= pointerLimit) return false
    const pointer = parseLfsPointer(contentOf(objects, operation))
    return pointer !== undefined && !mayReferTo(deps, repo, pointer)
  })
  if (lost.length === 0) return
  throw refusedFiles(
    'pointer',
    lost.map(({ path }) => path),
  )
}

/**
 * Pictures, archives and other files that are no text belong into Git LFS, and preupload says so of each.
 * @throws {Refusal} `invalid`, in the words of the hub
 */
export async function refuseBinaries(objects: ObjectStore, operations: Operations): Promise<void> {
  const found: string[] = []
  for (const operation of operations) {
    if (operation.kind !== 'add' || sizeOf(operation) <= largestBinaryFile) continue
    if (isBinary(await startOf(objects, operation))) found.push(operation.path)
  }
  if (found.length === 0) return
  throw refusedFiles('binary', found)
}

function sizeOf(added: Added): number {
  return 'content' in added ? added.content.length : added.size
}

async function startOf(objects: ObjectStore, added: Added): Promise<Buffer> {
  if ('content' in added) return Buffer.from(added.content)
  const start = objects.openBlob(added.oid, { start: 0, end: binaryStart })
  return Buffer.concat(await start.toArray())
}

function contentOf(objects: ObjectStore, added: Added): Buffer {
  return 'content' in added ? Buffer.from(added.content) : readBlob(objects, added.oid)
}
