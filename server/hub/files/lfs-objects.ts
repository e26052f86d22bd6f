import { omitUndefined } from '../../core/omit-undefined.ts'
import type { LfsContents } from '../../store/objects/lfs-contents.ts'
import type { LfsFile } from '../../store/entities/hub-entities.ts'
import type { HubDeps } from '../hub-deps.ts'

/** Pointer in a commit to an object of Git LFS. */
export interface LfsPointer {
  /** SHA-256 of the object: 64 lower-case hex digits. */
  readonly oid: string
  /** Bytes of the object. */
  readonly size: number
}

type Deps = Pick<HubDeps, 'state'>
interface ReleasingDeps extends Deps {
  readonly objects: { readonly lfs: Pick<LfsContents, 'release'> }
}
type RepoId = { readonly id: string }

/** Bytes from which a file is never treated as a pointer. */
export const pointerLimit = 1024

const version = 'https://git-lfs.github.com/spec/v1'
const lines = ['version', 'oid', 'size'] as const

/**
 * Parses a pointer as git-lfs does.
 * @returns `undefined` for an ordinary file
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

/** Formats a pointer as git-lfs does. */
export function formatLfsPointer({ oid, size }: LfsPointer): string {
  return `version ${version}\noid sha256:${oid}\nsize ${size}\n`
}

/**
 * Checks whether a repo may refer to an object. Knowing its hash is not enough: it must have been uploaded to this repo,
 * or copied with it.
 */
export function mayReferTo(deps: Deps, repo: RepoId, { oid, size }: LfsPointer): boolean {
  return findLfsFile(deps, repo, oid)?.size === size
}

/** Finds an object that a repo may refer to. */
export function findLfsFile({ state }: Deps, repo: RepoId, oid: string): LfsFile | undefined {
  return state.lfsFiles.get(keyOf(repo, oid))
}

/** Allows a repo to refer to an object, which may be a stand-in. */
export function noteLfsFile(
  { state, clock }: Pick<HubDeps, 'state' | 'clock'>,
  repo: RepoId,
  pointer: LfsPointer & Pick<LfsFile, 'standsFor'>,
): LfsFile {
  const id = keyOf(repo, pointer.oid)
  const { oid, size, standsFor } = pointer
  const known = state.lfsFiles.get(id)
  if (known !== undefined) return known
  const file = { id, repoId: repo.id, oid, size, pushedAt: clock.now() }
  return state.lfsFiles.put({ ...file, ...omitUndefined({ standsFor }) })
}

/** Allows a repo to refer to all objects of another. */
export function copyLfsFiles(
  deps: Pick<HubDeps, 'state' | 'clock'>,
  from: RepoId,
  to: RepoId,
): void {
  for (const file of deps.state.lfsFiles.group('repo', from.id)) noteLfsFile(deps, to, file)
}

/** Removes an object from a repo. */
export function forgetLfsFile(deps: ReleasingDeps, repo: RepoId, oid: string): void {
  deps.state.lfsFiles.delete(keyOf(repo, oid))
  releaseUnused(deps, oid)
}

/** Removes all objects from a repo. */
export function forgetLfsFiles(deps: ReleasingDeps, repo: RepoId): void {
  for (const { oid } of deps.state.lfsFiles.group('repo', repo.id)) forgetLfsFile(deps, repo, oid)
}

/** Deletes an object that no repo refers to. */
export function releaseUnused({ state, objects }: ReleasingDeps, oid: string): void {
  if (state.lfsFiles.groupSize('content', oid) === 0) objects.lfs.release(oid)
}

function keyOf(repo: RepoId, oid: string): string {
  return `${repo.id}/${oid}`
}
