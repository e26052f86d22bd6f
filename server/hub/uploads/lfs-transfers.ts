import type { LfsAddressQuery } from '../../contract/hub-lfs.ts'
import { inBackground, warn } from '../../core/background.ts'
import type { Clock } from '../../core/clock.ts'
import type { Ids } from '../../core/ids.ts'
import { Refusal } from '../../core/refusal.ts'
import { type LfsContents, type LfsUpload, LfsUploadError } from '../../objects/lfs-contents.ts'
import type { HubDeps } from '../hub-deps.ts'
import { countParts, partBytes } from './lfs-batch.ts'
import { noteLfsFile, releaseUnused } from '../files/lfs-objects.ts'
import { createLfsPermissions, type LfsPermission } from '../access/lfs-permissions.ts'

/** What has come in parts for an address. */
interface PartsUpload {
  readonly until: number
  readonly upload: LfsUpload
  /** Of the parts that are there, by their numbers. */
  readonly tags: Map<number, string>
  /** Something of it is just being taken. */
  busy: number
  /** It was ended, or is just being. */
  end?: Promise<void>
}

/**
 * The way of contents into a sandbox: nobody sees any of one before it is whole. An address may be used again until it
 * expires, as one that is signed for a bucket: clients repeat a request whose answer they did not get.
 */
export interface LfsTransfers {
  grant(permission: LfsPermission): LfsAddressQuery
  /** @throws {Refusal} `forbidden` when an address is not what a batch has given out, or has expired */
  check(purpose: LfsPermission['purpose'], oid: string, query: LfsAddressQuery): LfsPermission
  /**
   * Takes a whole content.
   * @throws {Refusal} `conflict` when what was there already has gone meanwhile, `not_found` when the repo has, `invalid`
   *   for what was not announced
   * @throws {StateError} when the disk refuses it
   */
  take(permission: LfsPermission, body: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * Takes a part, again where it has been there before.
   * @returns its entity tag, in quotes
   * @throws as {@link take}, `conflict` also when the upload has ended
   */
  takePart(
    permission: LfsPermission,
    query: LfsAddressQuery & { part: number },
    body: AsyncIterable<Uint8Array>,
  ): Promise<string>
  /**
   * Keeps what came in parts. What was ended is not ended again.
   * @param named each part with its tag
   * @throws as {@link take}, `conflict` also while a part comes, `invalid` when one is missing, or another than is named
   */
  complete(
    permission: LfsPermission,
    query: LfsAddressQuery,
    named: readonly { partNumber: number; etag: string }[],
  ): Promise<void>
  /** No address is good for anything any more, and what has come in parts is dropped. */
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
  /** By the secret of the address. */
  const inParts = new Map<string, PartsUpload>()

  function drop({ upload }: PartsUpload): void {
    inBackground(warn, 'letting go of an upload', () => upload.close())
  }

  /** What was begun with addresses that have expired since will not be ended. */
  function dropExpired(): void {
    const now = deps.clock.now()
    for (const [secret, one] of inParts) {
      if (one.until >= now || one.busy > 0) continue
      inParts.delete(secret)
      drop(one)
    }
  }

  function begin({ secret, until }: LfsAddressQuery, content: LfsPermission['content']) {
    const known = inParts.get(secret)
    if (known !== undefined) return known
    dropExpired()
    const made: PartsUpload = {
      until,
      upload: lfs.receive(content, true),
      tags: new Map(),
      busy: 0,
    }
    inParts.set(secret, made)
    return made
  }

  /** @param era when it began: much may have happened since, a reset, and the repo may be another one of the same id */
  function keep({ repoId, content }: LfsPermission, era: unknown): void {
    if (permissions !== era || !deps.state.repos.has(repoId)) {
      releaseUnused(deps, content.oid)
      throw new Refusal('not_found', 'Repository not found', {
        hubError: 'RepoNotFound',
        detail: 'it was deleted, or the sandbox was reset, while the upload came',
      })
    }
    // One that was there already was only looked at while it came.
    if (!lfs.has(content.oid)) {
      throw new Refusal('conflict', 'The content is there no more: upload it again', {
        detail: 'the last repo that had it was deleted while it came',
      })
    }
    noteLfsFile(deps, { id: repoId }, content)
  }

  /** It is dropped unless it ends well, so that the client may try again. */
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
    check: (purpose, oid, query) => current().check(purpose, oid, query),
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
    async takePart({ content }, query, body) {
      const { part } = query
      const count = countParts(content.size)
      if (part > count) throw new Refusal('invalid', `There are ${count} parts, not ${part}`)
      const one = begin(query, content)
      if (one.end !== undefined) throw new Refusal('conflict', 'The upload was ended already')
      const start = (part - 1) * partBytes
      const length = Math.min(partBytes, content.size - start)
      one.busy++
      try {
        // Until it is whole there is none of this number.
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
      const one = begin(query, content)
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
        throw new Refusal('conflict', 'A part of the content is still coming')
      }
      one.end ??= end(permission, query.secret, one)
      await one.end
    },
    clear() {
      for (const one of inParts.values()) drop(one)
      inParts.clear()
      permissions = undefined
    },
  }
}

/** What came is not what was announced: the client is told. */
async function named<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof LfsUploadError)) throw error
    throw new Refusal('invalid', `The upload was not kept: ${error.message}`)
  }
}
