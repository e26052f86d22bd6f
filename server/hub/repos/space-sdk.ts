import type { Conclusion, KeptObjects } from '../../store/objects/object-store.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { readCommit } from '../files/git-objects.ts'
import { readReadmeMetadata } from '../rules/readme-metadata.ts'
import { readReadme } from '../files/repo-card.ts'
import { spaceSubdomain } from '../files/repo-names.ts'
import { mainRef } from '../files/revisions.ts'

interface Deps {
  readonly objects: Pick<KeptObjects, 'of'>
}

/** Metadata in the README of a Space on main; shared and never changed. */
export type SpaceMetadata = ReadonlyMap<string, string | readonly string[]>

const metadatas: Conclusion<SpaceMetadata> = {
  name: 'space metadata',
  sizeOf: (metadata) =>
    [...metadata].reduce((bytes, [key, value]) => bytes + 100 + 2 * (key.length + value.length), 0),
}

const none: SpaceMetadata = new Map()

/** Reads the metadata of a Space at the head of main. */
export function readSpaceMetadata(deps: Deps, repo: Repo): SpaceMetadata {
  const head = repo.refs[mainRef]
  if (head === undefined) return none
  const objects = deps.objects.of(repo)
  const { treeId } = readCommit(objects, head)
  const known = objects.recall(metadatas, treeId)
  if (known !== undefined) return known
  const metadata = readReadmeMetadata(readReadme(objects, treeId))
  objects.remember(metadatas, treeId, metadata)
  return metadata
}

/** Returns the SDK of a Space: from its README, else as it was created. */
export function spaceSdk({ sdk }: Pick<Repo, 'sdk'>, metadata: SpaceMetadata): string | undefined {
  const named = metadata.get('sdk')
  return typeof named === 'string' ? named : sdk
}

/** Checks for a static Space, which has no hardware and another kind of host. */
export function isStaticSpace(repo: Pick<Repo, 'sdk'>, metadata: SpaceMetadata): boolean {
  return spaceSdk(repo, metadata) === 'static'
}

/** Returns the host of a Space, without a scheme. */
export function spaceHost({ name }: Pick<Repo, 'name'>, isStatic: boolean): string {
  return `${spaceSubdomain(name)}${isStatic ? '.static' : ''}.hf.space`
}
