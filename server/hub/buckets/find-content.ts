import { createHash } from 'node:crypto'
import type { KeptLfsContents } from '../../store/objects/lfs-contents.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import type { HubDeps } from '../hub-deps.ts'
import type { ChunkedContent } from './bucket-files.ts'

type Deps = Pick<HubDeps, 'state'> & { readonly objects: { readonly lfs: KeptLfsContents } }

/** Finds a content of a repo by the hash of its chunks. */
export type FindContent = (xetHash: string) => ChunkedContent | undefined

/** The empty content, which has no chunks, so that no client uploads it. */
export const emptyContent: ChunkedContent = {
  oid: createHash('sha256').digest('hex'),
  xetHash: '0'.repeat(64),
  size: 0,
}

/** Lists the contents of a repo on first use; further look-ups cost nothing. */
export function contentFinder({ state, objects }: Deps, { id }: Pick<Repo, 'id'>): FindContent {
  let byHash: Map<string, ChunkedContent> | undefined
  function list(): Map<string, ChunkedContent> {
    const listed = new Map([[emptyContent.xetHash, emptyContent]])
    for (const { oid, size } of state.lfsFiles.group('repo', id)) {
      const xetHash = objects.lfs.xetFile(oid)?.hash
      if (xetHash !== undefined) listed.set(xetHash, { oid, xetHash, size })
    }
    return listed
  }
  return (xetHash) => (byHash ??= list()).get(xetHash)
}
