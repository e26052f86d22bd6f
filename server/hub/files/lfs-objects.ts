import type { LfsContents } from '../../objects/lfs-contents.ts'
import type { LfsFile } from '../../state/entities/hub.ts'
import type { HubDeps } from '../hub-deps.ts'

/** What stands in a commit for a content of Git LFS. */
export interface LfsPointer {
  /** 64 lower-case hex digits: the SHA-256 of the content. */
  readonly oid: string
  /** Of the content, in bytes. */
  readonly size: number
}

type Deps = Pick<HubDeps, 'state'>
interface ReleasingDeps extends Deps {
  readonly objects: { readonly lfs: Pick<LfsContents, 'release'> }
}
type RepoId = { readonly id: string }

/** What has so many bytes or more is no pointer, whatever it says. */
export const pointerLimit = 1024

const version = 'https://git-lfs.github.com/spec/v1'
const lines = ['version', 'oid', 'size'] as const

/**
 * Reads a pointer as git-lfs does: what it takes for an ordinary file is one here, too.
 * @returns `undefined` when it is none
 * @see https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
 */
export function parseLfsPointer(bytes: Uint8Array): LfsPointer | undefined {
  if (bytes.length >= pointerLimit) return undefined
  const values: string[] = []
  for (const line of Buffer.from(bytes).toString('latin1').trim().split(/\r?\n/)) {
    if (line === '') continue
    const [, key = '', value = ''] = /^(\S+) (.*)$/.exec(line) ?? []
    if (lines[values.length] === key) values.push(value)
    else if (!/^ext-\d-\w/.test(key) || !isSha256(value)) return undefined
  }
  const [named, oid = '', digits = ''] = values
  if (named !== version || !isSha256(oid) || !/^\d+$/.test(digits)) return undefined
  const size = Number(digits)
  return Number.isSafeInteger(size) ? { oid: oid.slice('sha256:'.length), size } : undefined
}

function isSha256(value: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(value)
}

/** The pointer that git-lfs writes. */
export function formatLfsPointer({ oid, size }: LfsPointer): string {
  return `version ${version}\noid sha256:${oid}\nsize ${size}\n`
}

/**
 * Whether a repo may refer to a content. Who knows a hash does not have the file: it must have been uploaded to this very
 * repo, or have come along with a copy.
 */
export function mayReferTo(deps: Deps, repo: RepoId, { oid, size }: LfsPointer): boolean {
  return findLfsFile(deps, repo, oid)?.size === size
}

/** A content that a repo may refer to. */
export function findLfsFile({ state }: Deps, repo: RepoId, oid: string): LfsFile | undefined {
  return state.lfsFiles.get(keyOf(repo, oid))
}

/** From now on a repo may refer to a content. */
export function noteLfsFile(
  { state, clock }: Pick<HubDeps, 'state' | 'clock'>,
  repo: RepoId,
  pointer: LfsPointer,
): LfsFile {
  const id = keyOf(repo, pointer.oid)
  const { oid, size } = pointer
  return (
    state.lfsFiles.get(id) ??
    state.lfsFiles.put({ id, repoId: repo.id, oid, size, pushedAt: clock.now() })
  )
}

/** Lets a repo refer to all that another may refer to. */
export function copyLfsFiles(
  deps: Pick<HubDeps, 'state' | 'clock'>,
  from: RepoId,
  to: RepoId,
): void {
  for (const file of deps.state.lfsFiles.group('repo', from.id)) noteLfsFile(deps, to, file)
}

/** A repo may not refer to a content any more. */
export function forgetLfsFile(deps: ReleasingDeps, repo: RepoId, oid: string): void {
  deps.state.lfsFiles.delete(keyOf(repo, oid))
  releaseUnused(deps, oid)
}

/** A repo may refer to nothing any more. */
export function forgetLfsFiles(deps: ReleasingDeps, repo: RepoId): void {
  for (const { oid } of deps.state.lfsFiles.group('repo', repo.id)) forgetLfsFile(deps, repo, oid)
}

/** Lets go of a content where no repo may refer to it. */
export function releaseUnused({ state, objects }: ReleasingDeps, oid: string): void {
  if (state.lfsFiles.groupSize('content', oid) === 0) objects.lfs.release(oid)
}

function keyOf(repo: RepoId, oid: string): string {
  return `${repo.id}/${oid}`
}
