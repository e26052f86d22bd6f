import { Refusal } from '../../core/refusal.ts'
import type { KeptChunk } from '../../store/objects/chunk-table.ts'
import type { LfsContents } from '../../store/objects/lfs-contents.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { MissingObjectError } from '../../store/objects/object-store.ts'
import { noteLfsFile } from '../files/lfs-objects.ts'
import type { HubDeps } from '../hub-deps.ts'
import { type CheckedFile, checkFiles } from './check-files.ts'
import { hashText, loadXetHashes } from './hashes.ts'
import type { ShardFile } from './shard.ts'
import type { XetGrant, XetTokens } from './xet-tokens.ts'
import { readXorb } from './xorb.ts'

/** Number of files of a shard that were checked. */
export interface ShardProgress {
  readonly done: number
  readonly of: number
}

/**
 * Receives a xorb. One that is here is only checked.
 * @param hash that was announced
 * @returns whether it was not here before
 * @throws {Refusal} `invalid` for a broken one, and for one with another hash
 * @throws {StateError} when the disk refuses it
 */
export async function takeXorb(
  lfs: LfsContents,
  hash: string,
  body: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  const hasher = (await loadXetHashes()).chunks()
  const isNew = !lfs.hasWholeXorb(hash)
  const upload = lfs.receiveXorb(hash)
  try {
    const chunks: KeptChunk[] = []
    for await (const { content, ...chunk } of readXorb(body)) {
      chunks.push(chunk)
      hasher.add(chunk.hash, chunk.length)
      if (isNew) await upload.write(content)
    }
    const found = hashText(hasher.xorbHash())
    if (found !== hash) {
      throw new Refusal('invalid', `The xorb has the hash ${found}, and ${hash} was announced`)
    }
    if (isNew) await upload.finish(chunks)
    return isNew
  } finally {
    await upload.close()
  }
}

/**
 * Checks the files of a shard and yields after each; then registers all, so that the repo may refer to them.
 * @param isOver checks whether the client has disconnected
 * @throws {Refusal} `invalid` for a file that is not as the shard says; `not_found` when the repo went meanwhile, and what
 *   {@link XetTokens.recheck} refuses when the right did
 */
export async function* takeShard(
  deps: Pick<HubDeps, 'state' | 'clock'> & {
    readonly objects: { readonly lfs: LfsContents }
    readonly xet: Pick<XetTokens, 'era' | 'recheck'>
  },
  {
    grant,
    repo,
    files,
    isOver,
  }: { grant: XetGrant; repo: Repo; files: readonly ShardFile[]; isOver: () => boolean },
): AsyncGenerator<ShardProgress> {
  const { lfs } = deps.objects
  const era = deps.xet.era()
  const checks = { needsOid: repo.type !== 'bucket', isOver }
  const checked: CheckedFile[] = []
  yield { done: 0, of: files.length }
  for await (const file of checkFiles(lfs, files, checks)) {
    checked.push(file)
    yield { done: checked.length, of: files.length }
  }
  try {
    for (const { oid, file } of checked) await lfs.keepXetFile(oid, file)
  } catch (error) {
    if (error instanceof MissingObjectError) throw removed()
    throw error
  }
  // After a reset the repo may be another one with the same id.
  if (deps.xet.era() !== era) throw new Refusal('not_found', 'The sandbox was reset')
  const present = deps.xet.recheck(grant)
  // The last repo that had it may have been deleted since it was kept.
  if (!checked.every(({ oid }) => lfs.has(oid))) throw removed()
  for (const { oid, file } of checked) noteLfsFile(deps, present, { oid, size: file.size })
}

function removed(): Refusal {
  return new Refusal('conflict', 'A content was removed during the upload: upload it again')
}
