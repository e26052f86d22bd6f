import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { performance, sleep } from '../../core/timers.ts'
import { configOf } from '../../store/objects/prune-due.ts'
import type { KeptUse, ObjectStores, RepoRefs } from '../../store/objects/object-store.ts'
import { errorCode } from '../../store/errors.ts'
import type { GitProgram } from './git-program.ts'

/** Days after which a repo is pruned in any case. */
const mostDays = 14

export interface PruneRequest {
  /** Repos when the state was opened. A snapshot or fork may still use what their refs pointed to. */
  readonly before: Iterable<RepoRefs>
  /** Returns a repo as it is now; `undefined` if it is deleted. */
  readonly find: (id: string) => RepoRefs | undefined
  /** Lists what data beside the state refers to, such as snapshots. */
  readonly listKept: () => Promise<KeptUse>
  /** Real time in ms: what was written later stays, since a commit may be about to refer to it. */
  readonly writtenBefore: number
}

/**
 * Removes unreachable objects with `git prune` from repos whose refs were deleted or moved, one repo after the other.
 * @throws {GitError} for a damaged repo, of which nothing is removed
 */
export async function pruneRepos(
  program: GitProgram,
  objects: ObjectStores,
  { before, find, listKept, writtenBefore }: PruneRequest,
  signal: AbortSignal,
): Promise<void> {
  const problems: unknown[] = []
  for (const { id, refs } of before) {
    const now = find(id)
    if (now === undefined || Object.keys(now.refs).length === 0) continue
    const folder = await objects.folderFor(now)
    if (signal.aborted) break
    if (!(await isDue(folder))) continue
    if (!(await isInstalled(program))) return
    const store = objects.of(now)
    const kept = [...(await listKept()).targets].filter((target) => store.has(target))
    const tips = new Set([...Object.values(refs), ...Object.values(now.refs), ...kept])
    const started = performance.now()
    try {
      await prune(program, folder, { aside: objects.temporary(), tips, writtenBefore })
      await setPruned(folder)
    } catch (error) {
      if (signal.aborted) break
      problems.push(error)
    }
    // Half of the time is for others.
    await sleep(performance.now() - started, undefined, { signal, ref: false }).catch(
      () => undefined,
    )
  }
  if (problems.length > 0) throw problems[0]
}

async function isDue(folder: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(configOf(folder))
    return Date.now() - mtimeMs > mostDays * 24 * 3_600_000
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}

function setPruned(folder: string): Promise<void> {
  const now = new Date()
  return utimes(configOf(folder), now, now)
}

async function isInstalled(program: GitProgram): Promise<boolean> {
  return program.require().then(
    () => true,
    () => false,
  )
}

/**
 * Refs are given apart from the repo, where a fetch may read its own at the same time.
 * @param aside path that does not exist yet
 */
async function prune(
  program: GitProgram,
  folder: string,
  {
    aside,
    tips,
    writtenBefore,
  }: { aside: string; tips: ReadonlySet<string>; writtenBefore: number },
): Promise<void> {
  try {
    await mkdir(join(aside, 'refs'), { recursive: true, mode: 0o700 })
    await writeFile(join(aside, 'HEAD'), 'ref: refs/heads/main\n')
    const refs = [...tips].map((id, index) => `${id} refs/tips/${index}\n`)
    await writeFile(join(aside, 'packed-refs'), refs.join(''))
    await program.read({
      args: ['prune', `--expire=${new Date(writtenBefore).toISOString()}`],
      folder: aside,
      variables: { GIT_OBJECT_DIRECTORY: join(folder, 'objects') },
    })
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}
