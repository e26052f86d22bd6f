import type { LfsAddressQuery } from '../contract/hub-lfs.ts'
import { inBackground, warn } from '../core/background.ts'
import type { Clock } from '../core/clock.ts'
import type { Ids } from '../core/ids.ts'
import { Refusal } from '../core/refusal.ts'
import { type LfsContents, type LfsUpload, LfsUploadError } from '../objects/lfs-contents.ts'
import type { HubDeps } from './hub-deps.ts'
import { countParts, partBytes } from './lfs-batch.ts'
import { noteLfsFile, releaseUnused } from './lfs-objects.ts'
import { createLfsPermissions, type LfsPermission } from './lfs-permissions.ts'

/** An upload that a permission was used for. */
interface Running {
  readonly until: number
  /** Of one in parts: what has come of it. */
  readonly parts?: { readonly upload: LfsUpload; readonly tags: Map<number, string> }
  /** Something of it is just being taken. */
  busy: number
  isDone: boolean
}

/** The way of contents into a sandbox: each address once, and nobody sees any of it before it is whole. */
export interface LfsTransfers {
  grant(permission: LfsPermission): LfsAddressQuery
  /** @throws {Refusal} `forbidden` when an address is not what a batch has given out, or has expired */
  check(purpose: LfsPermission['purpose'], oid: string, query: LfsAddressQuery): LfsPermission
  /**
   * Takes a whole content.
   * @throws {Refusal} `forbidden` for an address that was used, `conflict` while it is, or when what was there already
   *   has gone meanwhile, `not_found` when the repo has, `invalid` for what was not announced
   * @throws {StateError} when the disk refuses it
   */
  take(
    permission: LfsPermission,
    query: LfsAddressQuery,
    body: AsyncIterable<Uint8Array>,
  ): Promise<void>
  /**
   * Takes a part, again where it has been there before.
   * @returns its entity tag, in quotes
   * @throws as {@link take}
   */
  takePart(
    permission: LfsPermission,
    query: LfsAddressQuery & { part: number },
    body: AsyncIterable<Uint8Array>,
  ): Promise<string>
  /**
   * Keeps what came in parts.
   * @param named each part with its tag
   * @throws as {@link take}, `invalid` also when a part is missing, or another one than is named
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
  const running = new Map<string, Running>()

  function drop({ parts }: Running): void {
    if (parts !== undefined) {
      inBackground(warn, 'letting go of an upload', () => parts.upload.close())
    }
  }

  /** What was begun with addresses that have expired since will not be ended. */
  function dropExpired(): void {
    const now = deps.clock.now()
    for (const [secret, upload] of running) {
      if (upload.until >= now || upload.busy > 0) continue
      running.delete(secret)
      drop(upload)
    }
  }

  function begin({ secret, until }: LfsAddressQuery, content?: LfsPermission['content']): Running {
    const known = running.get(secret)
    if (known?.isDone === true) {
      throw new Refusal('forbidden', 'The address cannot be used: it was used before', {
        detail: 'each is good for one upload',
      })
    }
    if (known !== undefined) return known
    dropExpired()
    const made: Running = {
      until,
      busy: 0,
      isDone: false,
      ...(content && { parts: { upload: lfs.receive(content, true), tags: new Map() } }),
    }
    running.set(secret, made)
    return made
  }

  /** It is dropped unless it ends well, so that the client may try again. */
  async function alone<T>(secret: string, upload: Running, work: () => Promise<T>): Promise<T> {
    if (upload.busy > 0) {
      throw new Refusal('conflict', 'The address is being used by another request')
    }
    upload.busy++
    try {
      const result = await named(work)
      upload.isDone = true
      return result
    } finally {
      upload.busy--
      if (!upload.isDone && running.get(secret) === upload) running.delete(secret)
    }
  }

  function keep({ repoId, content }: LfsPermission, secret: string): void {
    // Much may have happened while it came: a reset, and the repo may be another one of the same id.
    if (!running.has(secret) || !deps.state.repos.has(repoId)) {
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

  return {
    grant: (permission) => current().grant(permission),
    check: (purpose, oid, query) => current().check(purpose, oid, query),
    async take(permission, query, body) {
      const { content } = permission
      const begun = begin(query)
      if (begun.parts !== undefined) throw otherWay('in parts')
      await alone(query.secret, begun, async () => {
        const upload = lfs.receive(content)
        try {
          await upload.write(body, { start: 0, length: content.size })
          await upload.finish()
        } finally {
          await upload.close()
        }
        keep(permission, query.secret)
      })
    },
    async takePart({ content }, query, body) {
      const { part } = query
      const count = countParts(content.size)
      if (part > count) throw new Refusal('invalid', `There are ${count} parts, not ${part}`)
      const upload = begin(query, content)
      const { parts } = upload
      if (parts === undefined) throw otherWay('in one piece')
      const start = (part - 1) * partBytes
      const length = Math.min(partBytes, content.size - start)
      upload.busy++
      try {
        // Until it is whole there is none of this number.
        const before = parts.tags.get(part)
        parts.tags.delete(part)
        await named(() => parts.upload.write(body, { start, length }))
        const version = before === undefined ? 1 : Number(/\.(\d+)/.exec(before)?.[1]) + 1
        const tag = `"${part}.${version}"`
        parts.tags.set(part, tag)
        return tag
      } finally {
        upload.busy--
      }
    },
    async complete(permission, query, given) {
      const { content } = permission
      const upload = begin(query, content)
      const { parts } = upload
      if (parts === undefined) throw otherWay('in one piece')
      const byNumber = new Map(given.map(({ partNumber, etag }) => [partNumber, etag]))
      for (let part = 1; part <= countParts(content.size); part++) {
        const tag = parts.tags.get(part)
        if (tag === undefined) throw new Refusal('invalid', `Part ${part} is missing`)
        if (byNumber.get(part) !== tag) {
          throw new Refusal('invalid', `Part ${part} has the entity tag ${tag}`, {
            detail: `the client named ${byNumber.get(part) ?? 'none'}`,
          })
        }
      }
      try {
        await alone(query.secret, upload, async () => {
          await parts.upload.finish()
          keep(permission, query.secret)
        })
      } finally {
        if (upload.busy === 0) await parts.upload.close()
      }
    },
    clear() {
      for (const upload of running.values()) drop(upload)
      running.clear()
      permissions = undefined
    },
  }
}

function otherWay(way: string): Refusal {
  return new Refusal('conflict', `The content comes ${way} already`)
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
