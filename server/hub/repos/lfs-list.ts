import { type LfsFileItem, type LfsFilesQuery, mostLfsFiles } from '../../contract/hub-lfs.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { isoTime } from '../../core/time.ts'
import type { LfsFile, Repo } from '../../store/entities/hub-entities.ts'
import { type ObjectStore, readCommit } from '../files/git-objects.ts'
import type { HubDeps } from '../hub-deps.ts'
import { largeFilesOf } from '../files/lfs-files.ts'
import { commitOfRef, mainRef } from '../files/revisions.ts'
import { listTree } from '../files/trees.ts'

/** Lists the LFS objects of a repo in the order of their upload, each with a file name from one of its refs, main first. */
export function listLfsFiles(
  deps: Pick<HubDeps, 'state' | 'objects'>,
  repo: Repo,
  { cursor, limit = mostLfsFiles }: LfsFilesQuery,
): { files: LfsFileItem[]; next?: string } {
  const all = deps.state.lfsFiles.group('repo', repo.id)
  const start = all.findIndex(({ oid }) => oid === cursor) + 1
  const page = all.slice(start, start + limit)
  if (page.length === 0) return { files: [] }
  const places = findPlaces(deps, repo)
  const files = page.map((file) => describe(file, places.get(file.oid)))
  const next = start + page.length < all.length ? page.at(-1)?.oid : undefined
  return { files, ...omitUndefined({ next }) }
}

interface Place {
  readonly path: string
  readonly ref: string
}

function findPlaces(
  deps: Pick<HubDeps, 'state' | 'objects'>,
  repo: Repo,
): ReadonlyMap<string, Place> {
  const objects = deps.objects.of(repo)
  const findLarge = largeFilesOf(deps, repo)
  const places = new Map<string, Place>()
  const isMain = (ref: string) => Number(ref === mainRef)
  const refs = Object.keys(repo.refs).toSorted((one, other) => isMain(other) - isMain(one))
  for (const ref of refs) {
    for (const file of listTree(objects, rootOf(objects, repo, ref), true)) {
      const large = findLarge(file)
      if (large !== undefined && !places.has(large.oid)) {
        places.set(large.oid, { path: file.path, ref })
      }
    }
  }
  return places
}

function rootOf(objects: ObjectStore, repo: Repo, ref: string): { oid: string; path: string } {
  return { oid: readCommit(objects, commitOfRef(objects, repo, ref)).treeId, path: '' }
}

function describe({ oid, size, pushedAt }: LfsFile, place: Place | undefined): LfsFileItem {
  return {
    fileOid: oid,
    oid,
    // An object that no ref has is listed under its hash.
    filename: place?.path ?? oid,
    size,
    pushedAt: isoTime(pushedAt),
    ...(place && { ref: place.ref }),
  }
}
