import { Refusal } from '../core/refusal.ts'
import type { FileOperation } from './commits.ts'
import { type ObjectStore, readBlob } from './git-objects.ts'
import type { HubDeps } from './hub-deps.ts'
import { mayReferTo, parseLfsPointer, pointerLimit } from './lfs-objects.ts'
import type { LfsOperation } from './lfs-operations.ts'
import { readmePath } from './readme-check.ts'

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
  const files = `file${lost.length === 1 ? '' : 's'}: ${lost.map(({ path }) => `- ${path}`).join(' ')}`
  throw new Refusal(
    'invalid',
    `Your push was rejected because an LFS pointer pointed to a file that does not exist. For instance, this can happen if you used git push --no-verify to push your changes. Offending ${files}`,
    { detail: 'a commit may refer to what was uploaded to its own repo alone' },
  )
}

function sizeOf(added: Added): number {
  return 'content' in added ? added.content.length : added.size
}

function contentOf(objects: ObjectStore, added: Added): Buffer {
  return 'content' in added ? Buffer.from(added.content) : readBlob(objects, added.oid)
}
