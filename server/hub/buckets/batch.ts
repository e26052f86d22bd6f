import { anyRepoTypes } from '../../contract/words/hub-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { openRepo, type PermitDeps } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { parseRepoName } from '../files/repo-names.ts'
import type { HubDeps } from '../hub-deps.ts'
import { problemOfPath } from '../rules/file-paths.ts'
import { shown } from '../uploads/commit-json.ts'
import type { BatchOperation } from './batch-lines.ts'
import {
  type BucketChange,
  changeBucketFiles,
  type ChunkedContent,
  findBucketFile,
} from './bucket-files.ts'
import { contentFinder, type FindContent } from './find-content.ts'

/** Outcome of a batch: each operation succeeds or fails by itself. */
export interface BatchOutcome {
  readonly success: boolean
  readonly processed: number
  readonly succeeded: number
  readonly failed: readonly { readonly path: string; readonly error: string }[]
}

type Deps = HubDeps & PermitDeps

/**
 * Applies the operations of a batch in their order. The later one of two for the same path wins. Those that fail change
 * nothing.
 */
export function applyBatch(
  deps: Deps,
  {
    bucket,
    operations,
    principal,
    actorId,
  }: {
    bucket: Repo
    operations: readonly BatchOperation[]
    principal: Principal
    actorId: string
  },
): BatchOutcome {
  const failed: { path: string; error: string }[] = []
  const changes: BucketChange[] = []
  const present = new Map<string, boolean>()
  const isPresent = (path: string) =>
    present.get(path) ?? findBucketFile(deps, bucket, path) !== undefined
  const sources = new SourceContents(deps, principal)
  const findOwn = contentFinder(deps, bucket)

  for (const operation of operations) {
    const { path } = operation
    const problem = problemOfPath(path)
    const planned =
      problem === undefined ? plan(operation) : `Invalid path ${shown(path)}: ${problem}`
    if (typeof planned === 'string') failed.push({ path, error: planned })
    else {
      changes.push(planned)
      present.set(path, planned.kind === 'add')
    }
  }
  changeBucketFiles(deps, { bucket, changes, actorId })
  const { length: processed } = operations
  return { success: failed.length === 0, processed, succeeded: changes.length, failed }

  /** @returns the change, or why there is none */
  function plan(operation: BatchOperation): BucketChange | string {
    const { path } = operation
    if (operation.type === 'deleteFile') {
      return isPresent(path) ? { kind: 'delete', path } : 'File not found in the bucket'
    }
    const { contentType, mtime } = operation
    const content =
      operation.type === 'addFile'
        ? (findOwn(operation.xetHash) ?? notUploaded(operation.xetHash))
        : sources.find(operation)
    if (typeof content === 'string') return content
    return { kind: 'add', path, content, ...omitUndefined({ contentType, mtime }) }
  }
}

function notUploaded(xetHash: string): string {
  return `The bucket has no content with the Xet hash ${xetHash}: upload it with a token of …/xet-write-token first, or use copyFile`
}

/** Contents of the repos that a batch copies from, as far as the caller may read these. */
class SourceContents {
  readonly #deps: Deps
  readonly #principal: Principal
  readonly #finders = new Map<string, FindContent | string>()

  constructor(deps: Deps, principal: Principal) {
    this.#deps = deps
    this.#principal = principal
  }

  /** @returns the content, or why it cannot be copied */
  find({
    xetHash,
    sourceRepoType,
    sourceRepoId,
  }: Extract<BatchOperation, { type: 'copyFile' }>): ChunkedContent | string {
    const key = `${sourceRepoType}/${sourceRepoId}`
    const finder = this.#finders.get(key) ?? this.#open(sourceRepoType, sourceRepoId)
    this.#finders.set(key, finder)
    if (typeof finder === 'string') return finder
    return finder(xetHash) ?? `${sourceRepoId} has no content with the Xet hash ${xetHash}`
  }

  #open(repoType: string, name: string): FindContent | string {
    const type = anyRepoTypes.find((known) => known === repoType)
    if (type === undefined) {
      return `Unknown sourceRepoType ${shown(repoType)}: use one of ${anyRepoTypes.join(', ')}`
    }
    try {
      parseRepoName(name)
      const asked = { type, name, action: 'repo.download' as const }
      return contentFinder(this.#deps, openRepo(this.#deps, this.#principal, asked).repo)
    } catch (error) {
      if (error instanceof Refusal) return `Cannot copy from ${type} ${name}: ${error.message}`
      throw error
    }
  }
}
