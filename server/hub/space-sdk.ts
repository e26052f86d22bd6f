import type { KeptObjects } from '../objects/object-store.ts'
import type { Repo } from '../state/entities/hub.ts'
import { readBlob, readCommit } from './git-objects.ts'
import { readReadmeMetadata } from './readme-metadata.ts'
import { spaceSubdomain } from './repo-names.ts'
import { mainRef } from './revisions.ts'
import { findPath } from './trees.ts'

interface Deps {
  readonly objects: Pick<KeptObjects, 'of'>
}

/** What the README on main says of a Space, in its metadata. */
export type SpaceMetadata = ReturnType<typeof readReadmeMetadata>

/** The metadata of a Space, which decides about it from one commit to the next. */
export function readSpaceMetadata(deps: Deps, repo: Repo): SpaceMetadata {
  const objects = deps.objects.of(repo)
  const head = repo.refs[mainRef]
  const found =
    head === undefined
      ? undefined
      : findPath(objects, readCommit(objects, head).treeId, 'README.md')
  return readReadmeMetadata(
    found?.type === 'file' ? readBlob(objects, found.oid).toString('utf8') : '',
  )
}

/** What a Space is built with: as its README says, and where that says nothing, as it was made. */
export function spaceSdk({ sdk }: Pick<Repo, 'sdk'>, metadata: SpaceMetadata): string | undefined {
  const named = metadata.get('sdk')
  return typeof named === 'string' ? named : sdk
}

/** A static Space is files alone: it runs on no hardware, and is served by a host of its own kind. */
export function isStaticSpace(repo: Pick<Repo, 'sdk'>, metadata: SpaceMetadata): boolean {
  return spaceSdk(repo, metadata) === 'static'
}

/** The host that serves a Space, without a scheme. */
export function spaceHost({ name }: Pick<Repo, 'name'>, isStatic: boolean): string {
  return `${spaceSubdomain(name)}${isStatic ? '.static' : ''}.hf.space`
}
