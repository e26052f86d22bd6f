import type { LfsAddressQuery } from '../../contract/hub-lfs.ts'
import { inBackground, warn } from '../../core/background.ts'
import type { Clock } from '../../core/clock.ts'
import type { Ids } from '../../core/ids.ts'
import { Refusal } from '../../core/refusal.ts'
import {
  type LfsContents,
  type LfsUpload,
  LfsUploadError,
} from '../../store/objects/lfs-contents.ts'
import type { HubDeps } from '../hub-deps.ts'
import { countParts, partBytesOf } from './lfs-batch.ts'
import { mayReferTo, noteLfsFile, releaseUnused } from '../files/lfs-objects.ts'
import { createLfsPermissions, type LfsPermission } from '../access/lfs-permissions.ts'

/** Multipart upload to a URL. */
interface PartsUpload {
  readonly repoId: string
  readonly until: number
  readonly upload: LfsUpload
  /** Entity tags of the received parts, by number. */
  readonly tags: Map<number, string>
  /** Number of parts that are being received. */
  busy: number
  /** Set once its completion has begun. */
  end?: Promise<void>
}

/**
 * Uploads of LFS objects: an object is visible only when it is complete. A URL can be used again until it expires, like a
 * signed URL of a bucket: clients repeat a request without a response.
 */
export interface LfsTransfers {
  grant(permission: LfsPermission): LfsAddressQuery
  /** @throws {Refusal} `forbidden` for an invalid or expired URL, `not_found` when the repo or its object was deleted */
  check(purpose: LfsPermission['purpose'], oid: string, query: LfsAddressQuery): LfsPermission
  /**
   * Receives a whole object.
   * @throws {Refusal} `conflict` when an existing object was deleted meanwhile, `not_found` when the repo was, `invalid`
   *   for content with another size or hash
   * @throws {StateError} when the disk refuses it
   */
  take(permission: LfsPermission, body: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * Receives a part; a repeated part replaces the earlier one.
   * @returns its entity tag, in quotes
   * @throws as {@link take}, `conflict` also when the upload has ended
   */
  takePart(
    permission: LfsPermission,
    query: LfsAddressQuery & { part: number },
    body: AsyncIterable<Uint8Array>,
  ): Promise<string>
  /**
   * Completes a multipart upload; completing it again has no effect.
   * @param named each part with its tag
   * @throws as {@link take}, `conflict` also while a part is being received, `invalid` for a missing or different part
   */
  complete(
    permission: LfsPermission,
    query: LfsAddressQuery,
    named: readonly { partNumber: number; etag: string }[],
  ): Promise<void>
  /** Drops unfinished multipart uploads that have expired, or whose repo was deleted. */
  dropExpired(): void
  /** Invalidates all URLs and drops unfinished multipart uploads. */
  clear(): void
}

interface Deps extends Pick<HubDeps, 'state' | 'clock'> {
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Pick<Ids, 'of'>
  readonly objects: { readonly lfs: LfsContents }
}

export function createLfsTransfers(deps: Deps): LfsTransfers {
  const { lfs } = deps.objects
  const newPermissions = () =>
    createLfsPermissions(deps.clock, deps.ids.of('lfs-addresses').bytes(32))
  let permissions: ReturnType<typeof newPermissions> | undefined
  const current = () => (permissions ??= newPermissions())
  /** Multipart uploads by the secret of their URL. */
  const inParts = new Map<string, PartsUpload>()

  function drop({ upload }: PartsUpload): void {
    inBackground(warn, 'letting go of an upload', () => upload.close())
  }

  /** Drops uploads whose URLs have expired, or whose repo was deleted. */
  function dropExpired(): void {
    const now = deps.clock.now()
    for (const [secret, one] of inParts) {
      const isOver = one.until < now || !deps.state.repos.has(one.repoId)
      if (!isOver || one.busy > 0) continue
      inParts.delete(secret)
      drop(one)
    }
  }

  function begin({ secret, until }: LfsAddressQuery, { content, repoId }: LfsPermission) {
    const known = inParts.get(secret)
    if (known !== undefined) return known
    dropExpired()
    const made: PartsUpload = {
      repoId,
      until,
      upload: lfs.receive(content, true),
      tags: new Map(),
      busy: 0,
    }
    inParts.set(secret, made)
    return made
  }

  /** @param era of the state when the upload began: after a reset the repo may be another one with the same id */
  function keep({ repoId, content }: LfsPermission, era: unknown): void {
    if (permissions !== era || !deps.state.repos.has(repoId)) {
      releaseUnused(deps, content.oid)
      throw repoGone()
    }
    // The bytes of an existing object were only checked, not stored.
    if (!lfs.has(content.oid)) {
      throw new Refusal('conflict', 'The object no longer exists: upload it again', {
        detail: 'the last repo that had it was deleted during the upload',
      })
    }
    noteLfsFile(deps, { id: repoId }, content)
  }

  /** Completes an upload; a failed one is dropped, so that the client can try again. */
  async function end(permission: LfsPermission, secret: string, one: PartsUpload): Promise<void> {
    const era = current()
    one.busy++
    try {
      await named(() => one.upload.finish())
      keep(permission, era)
    } catch (error) {
      if (inParts.get(secret) === one) inParts.delete(secret)
      throw error
    } finally {
      one.busy--
      await one.upload.close()
    }
  }

  return {
    grant: (permission) => current().grant(permission),
    check(purpose, oid, query) {
      const permission = current().check(purpose, oid, query)
      const { repoId, content } = permission
      if (!deps.state.repos.has(repoId)) throw repoGone()
      // Nothing is stored for an empty file of a bucket.
      const isStored = purpose === 'download' && content.size > 0
      if (isStored && !mayReferTo(deps, { id: repoId }, content)) {
        throw new Refusal('not_found', 'The object was deleted from the repo')
      }
      return permission
    },
    async take(permission, body) {
      const { content } = permission
      const era = current()
      const upload = lfs.receive(content)
      try {
        await named(async () => {
          await upload.write(body, { start: 0, length: content.size })
          await upload.finish()
        })
      } finally {
        await upload.close()
      }
      keep(permission, era)
    },
    async takePart(permission, query, body) {
      const { content } = permission
      const { part } = query
      const count = countParts(content.size)
      if (part > count) throw new Refusal('invalid', `There are ${count} parts, not ${part}`)
      const one = begin(query, permission)
      if (one.end !== undefined) throw new Refusal('conflict', 'The upload is already complete')
      const partBytes = partBytesOf(content.size)
      const start = (part - 1) * partBytes
      const length = Math.min(partBytes, content.size - start)
      one.busy++
      try {
        // The part does not count until it is complete.
        const before = one.tags.get(part)
        one.tags.delete(part)
        await named(() => one.upload.write(body, { start, length }))
        const version = before === undefined ? 1 : Number(/\.(\d+)/.exec(before)?.[1]) + 1
        const tag = `"${part}.${version}"`
        one.tags.set(part, tag)
        return tag
      } finally {
        one.busy--
      }
    },
    async complete(permission, query, given) {
      const { content } = permission
      const one = begin(query, permission)
      const byNumber = new Map(given.map(({ partNumber, etag }) => [partNumber, etag]))
      for (let part = 1; part <= countParts(content.size); part++) {
        const tag = one.tags.get(part)
        if (tag === undefined) throw new Refusal('invalid', `Part ${part} is missing`)
        if (byNumber.get(part) !== tag) {
          throw new Refusal('invalid', `Part ${part} has the entity tag ${tag}`, {
            detail: `the client named ${byNumber.get(part) ?? 'none'}`,
          })
        }
      }
      if (one.end === undefined && one.busy > 0) {
        throw new Refusal('conflict', 'A part of the object is still being received')
      }
      one.end ??= end(permission, query.secret, one)
      await one.end
    },
    dropExpired,
    clear() {
      for (const one of inParts.values()) drop(one)
      inParts.clear()
      permissions = undefined
    },
  }
}

function repoGone(): Refusal {
  return new Refusal('not_found', 'Repository not found', {
    hubError: 'RepoNotFound',
    detail: 'it was deleted, or the sandbox was reset, after the URL was given out',
  })
}

/** Reports content that differs from the announced object. */
async function named<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof LfsUploadError)) throw error
    throw new Refusal('invalid', `The upload was discarded: ${error.message}`)
  }
}
