import type { LfsAction, LfsAddressQuery, LfsBatchResponse } from '../../contract/hub-lfs.ts'
import { Refusal } from '../../core/refusal.ts'
import type { KeptLfsContents } from '../../store/objects/lfs-contents.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import type { HubDeps } from '../hub-deps.ts'
import { findLfsFile, type LfsPointer } from '../files/lfs-objects.ts'
import type { LfsPermission } from '../access/lfs-permissions.ts'

/** Bytes of the smallest part; a larger object is uploaded in parts. */
export const partBytes = 8 * 1024 * 1024
/** Most parts of one object; the parts of a large object are larger. */
const mostPartsOfObject = 16
/** Maximum number of parts in a batch: each has a URL. Clients request up to 256 objects at once. */
const mostPartsOfBatch = 256 * mostPartsOfObject

/** Limit of the hub for a single file. */
const largestContent = 50 * 1000 ** 3
/** Limit of the hub for an upload in one piece. */
const largestSingleUpload = 5 * 1000 ** 3
const needsParts = `
You need to configure your repository to enable upload of files > 5GB.
Run "hf lfs-enable-largefiles ./path/to/your/repo" and try again.
`

interface Batch {
  readonly repo: Repo
  readonly operation: 'upload' | 'download'
  readonly objects: readonly LfsPointer[]
  /** The client supports multipart uploads. */
  readonly mayComeInParts: boolean
  /** Where to upload by Xet; absent = not by Xet. */
  readonly xet?: LfsAction | undefined
  /** Signs a permission for a URL. */
  readonly grant: (permission: LfsPermission) => LfsAddressQuery
  /** @param path after `info/lfs/objects/` */
  readonly addressOf: (at: 'hub' | 'storage', path: string, query: LfsAddressQuery) => string
}

type BatchObject = LfsBatchResponse['objects'][number]

/**
 * Returns upload or download URLs for each object; an existing object needs no upload. If one object is uploaded in parts,
 * all are, if only in one part: git-lfs hands all of them to one program.
 * @throws {Refusal} `invalid` for an upload above 5 GB by a client that cannot upload in parts, `unprocessable` for too many
 *   parts
 * @see https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md
 */
export function planTransfers(
  deps: Pick<HubDeps, 'state'> & { readonly objects: { readonly lfs: KeptLfsContents } },
  { repo, operation, objects, mayComeInParts, xet, grant, addressOf }: Batch,
): Pick<LfsBatchResponse, 'transfer' | 'objects'> {
  const lfsFileOf = ({ oid }: LfsPointer) => findLfsFile(deps, repo, oid)
  const isHere = (object: LfsPointer) =>
    lfsFileOf(object) !== undefined && deps.objects.lfs.has(object.oid)
  const toUpload =
    operation === 'upload'
      ? objects.filter((object) => problemOf(object) === undefined && !isHere(object))
      : []
  const tooLarge = toUpload.find(({ size }) => size > largestSingleUpload)
  if (tooLarge !== undefined && !mayComeInParts && xet === undefined) {
    const detail = `${tooLarge.oid} has ${tooLarge.size} bytes, and the client does not offer the transfer "multipart"`
    throw new Refusal('invalid', needsParts, { detail })
  }
  const isInParts = mayComeInParts && toUpload.some(({ size }) => size > partBytes)
  if (isInParts && xet === undefined) assertFewParts(toUpload)

  function plan(object: LfsPointer): BatchObject {
    const { oid, size } = object
    const content = { oid, size }
    const permit = (purpose: LfsPermission['purpose']) =>
      grant({ purpose, repoId: repo.id, content })
    const act = (actions: BatchObject['actions']): BatchObject => ({
      ...content,
      authenticated: true,
      ...(actions && { actions }),
    })
    const problem = problemOf(content)
    if (problem !== undefined) return { ...content, error: { code: 422, message: problem } }

    const known = lfsFileOf(content)
    if (known !== undefined && known.size !== size) {
      const message = `The content has ${known.size} bytes, not ${size}`
      return { ...content, error: { code: 422, message } }
    }
    if (operation === 'download') {
      if (isHere(content))
        return act({ download: { href: addressOf('storage', oid, permit('download')) } })
      return { ...content, error: { code: 404, message: 'The object is not in this repo' } }
    }
    if (isHere(content)) return act(undefined)
    if (xet !== undefined) return act({ upload: xet })
    const query = permit('upload')
    const stored = addressOf('storage', oid, query)
    return act({
      // Parts go to the storage. Its client reports to the Hub that they are all there.
      upload: isInParts
        ? { href: addressOf('hub', oid, query), header: partsOf(size, stored) }
        : { href: stored },
      verify: { href: addressOf('hub', `${oid}/verify`, permit('verify')) },
    })
  }

  const single = isInParts ? 'multipart' : 'basic'
  const isByXet = operation === 'upload' && xet !== undefined
  return { transfer: isByXet ? 'xet' : single, objects: objects.map(plan) }
}

function problemOf({ oid, size }: LfsPointer): string | undefined {
  if (!/^[0-9a-f]{64}$/.test(oid)) return 'The oid is not a SHA-256 of 64 lower-case hex digits'
  if (size < 0) return 'The size is negative'
  return size > largestContent ? `A file may have ${largestContent} bytes at most` : undefined
}

function assertFewParts(objects: readonly LfsPointer[]): void {
  let count = 0
  for (const { size } of objects) count += countParts(size)
  if (count <= mostPartsOfBatch) return
  const [most, given] = [mostPartsOfBatch, count].map((number) => number.toLocaleString('en'))
  throw new Refusal(
    'unprocessable',
    `A batch can have at most ${most} parts, and this one has ${given}: ask for fewer objects at once`,
    { detail: `an object has a part for each 8 MiB, and at most ${mostPartsOfObject}` },
  )
}

/** Returns the bytes of each part but the last, in whole MiB. */
export function partBytesOf(size: number): number {
  const mebibyte = 1024 * 1024
  return Math.max(partBytes, Math.ceil(size / mostPartsOfObject / mebibyte) * mebibyte)
}

/** Returns the number of parts for a size. */
export function countParts(size: number): number {
  return Math.ceil(size / partBytesOf(size))
}

/** Returns the URLs of the parts only: clients treat every member as one. */
function partsOf(size: number, href: string): NonNullable<LfsAction['header']> {
  const numbers = Array.from({ length: countParts(size) }, (_, index) => index + 1)
  return {
    chunk_size: String(partBytesOf(size)),
    ...Object.fromEntries(numbers.map((part) => [String(part), `${href}&part=${part}`])),
  }
}
