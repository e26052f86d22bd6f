import type { Clock } from '../../core/clock.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import { isoTime } from '../../core/time.ts'
import type { Bus } from '../events/bus.ts'
import type { HubEvent } from '../events/hub-event.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import type { HubDeps } from '../hub-deps.ts'
import { findBucketFile } from './bucket-files.ts'

// The changes of files of buckets, for clients that follow them. huggingface_hub describes the events:
// https://github.com/huggingface/huggingface_hub/blob/main/src/huggingface_hub/_bucket_live_follow.py

/** Change of a file, as the feed reports it. */
export interface FollowedChange {
  readonly path: string
  readonly op: 'add' | 'delete'
  readonly size?: number
  readonly xetHash?: string
  readonly uploadedAt?: string
  readonly mtime?: string
}

/** Changes that were made at once. */
export interface FollowedBatch {
  readonly bucketId: string
  readonly seq: number
  /** Milliseconds since 1970, on the sandbox clock. */
  readonly at: number
  readonly changes: readonly FollowedChange[]
}

/** First change for a client: the one after a cursor, or the first since a time (milliseconds since 1970). */
export type Resume = { readonly cursor: string } | { readonly since: number }

/** Changes of files of all buckets, the last of which are kept. */
export interface BucketFeed {
  /** Returns the cursor behind a batch; default: behind the last change of all. */
  cursorAfter(batch?: FollowedBatch): string
  /**
   * Lists what a client has missed.
   * @returns `lost` when some of it was not kept
   * @throws {Refusal} `invalid` for a malformed cursor
   */
  read(bucket: Pick<Repo, 'id' | 'updatedAt'>, resume: Resume): readonly FollowedBatch[] | 'lost'
  /**
   * Calls a listener for each later change.
   * @param listener also gets `lost` when changes are not listed, or the sandbox was reset
   * @returns a function that ends this
   */
  follow(bucketId: string, listener: (batch: FollowedBatch | 'lost') => void): () => void
  /** Begins again, at the present time: cursors from before are unknown then. */
  clear(): void
}

/** Most changes to keep. */
const mostChanges = 20_000

/**
 * Creates the feed of a sandbox.
 * @param newId returns another id each time, also in another run with the same seed
 */
export function createBucketFeed(
  deps: Pick<HubDeps, 'state'> & {
    readonly clock: Pick<Clock, 'now'>
    readonly bus: Pick<Bus, 'on'>
  },
  newId: () => string,
): BucketFeed {
  const listeners = new Map<string, Set<(batch: FollowedBatch | 'lost') => void>>()
  /** For each bucket, the newest change that was dropped from the list. */
  const dropped = new Map<string, Pick<FollowedBatch, 'seq' | 'at'>>()
  let batches: FollowedBatch[] = []
  let kept = 0
  let seq = 0
  let run = begin()
  const tell = (bucketId: string, batch: FollowedBatch | 'lost') => {
    for (const listener of listeners.get(bucketId) ?? []) listener(batch)
  }

  function begin(): { id: string; startedAt: number } {
    return { id: newId(), startedAt: deps.clock.now() }
  }

  function add(event: HubEvent): void {
    const { id: bucketId } = event.repo
    const { updatedFiles = [], at } = event
    seq += 1
    const batch = { bucketId, seq, at, changes: updatedFiles.map((file) => describe(event, file)) }
    if (event.updatedFilesTruncated === true) {
      dropped.set(bucketId, batch)
      tell(bucketId, 'lost')
      return
    }
    batches.push(batch)
    kept += batch.changes.length
    let gone = 0
    for (; kept > mostChanges; gone++) {
      const oldest = batches[gone] as FollowedBatch
      kept -= oldest.changes.length
      dropped.set(oldest.bucketId, oldest)
    }
    if (gone > 0) batches = batches.slice(gone)
    tell(bucketId, batch)
  }

  function describe(
    { repo }: HubEvent,
    file: NonNullable<HubEvent['updatedFiles']>[number],
  ): FollowedChange {
    const { path } = file
    if (file.action === 'delete') return { path, op: 'delete' }
    const { size, xetHash } = file
    const { uploadedAt, mtime } = findBucketFile(deps, repo, path) ?? {}
    return {
      path,
      op: 'add',
      size,
      xetHash,
      ...omitUndefined({
        uploadedAt: uploadedAt === undefined ? undefined : isoTime(uploadedAt),
        mtime: mtime === undefined ? undefined : isoTime(mtime),
      }),
    }
  }

  deps.bus.on('hub.event', ({ data }) => {
    if (data.repo.type === 'bucket' && data.updatedFiles !== undefined) add(data)
  })

  return {
    cursorAfter: (batch) => formatCursor(run.id, batch?.seq ?? seq),
    read(bucket, resume) {
      const { id, startedAt } = run
      const own = batches.filter(({ bucketId }) => bucketId === bucket.id)
      const gone = dropped.get(bucket.id)
      if ('cursor' in resume) {
        const after = parseCursor(resume.cursor)
        if (after.id !== id || after.seq < (gone?.seq ?? 0)) return 'lost'
        return own.filter((batch) => batch.seq > after.seq)
      }
      const { since } = resume
      // What was before the start is unknown: the last of it is the last change of a bucket that has no other.
      const last = gone?.at ?? (own.length === 0 ? bucket.updatedAt : startedAt)
      if (since < last) return 'lost'
      return own.filter(({ at }) => at >= since)
    },
    follow(bucketId, listener) {
      const all = listeners.get(bucketId) ?? new Set()
      listeners.set(bucketId, all.add(listener))
      return () => {
        all.delete(listener)
        if (all.size === 0) listeners.delete(bucketId)
      }
    },
    clear() {
      batches = []
      kept = 0
      dropped.clear()
      run = begin()
      for (const bucketId of listeners.keys()) tell(bucketId, 'lost')
    },
  }
}

function formatCursor(id: string, seq: number): string {
  return Buffer.from(`${id}.${seq}`).toString('base64url')
}

function parseCursor(cursor: string): { id: string; seq: number } {
  const [, id, seq] = /^(\w+)\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (id !== undefined && seq !== undefined) return { id, seq: Number(seq) }
  throw new Refusal('invalid', `Invalid cursor: ${cursor}`, {
    detail: 'use the cursor of an event, or since',
  })
}
