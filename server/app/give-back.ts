import { inBackground, type Report, warn } from '../core/background.ts'
import { clearInterval, performance, setInterval } from '../core/timers.ts'
import type { ServerDeps } from '../lab/server-deps.ts'
import type { KeptUse, RepoRefs } from '../store/objects/object-store.ts'

/** Time between two looks. */
const lookMs = 15_000
/** Time for which what was released stays: requests that read it come to their end. */
const releasedMs = 30_000
/** Time between two removals of what nobody released, such as chunks that no file came for; and of unreachable objects. */
const hourMs = 3_600_000

const left = 'removing stored contents that nothing needs'

interface GiveBackDeps extends Pick<
  ServerDeps,
  'state' | 'objects' | 'git' | 'lfs' | 'xet' | 'closers'
> {
  /** Lists the uses by snapshots. */
  readonly listKept: () => Promise<KeptUse>
}

/** Removes what nothing needs: at the start, half a minute after it was released, and once an hour. */
export function keepGivingBack(
  deps: GiveBackDeps,
  { before, ready }: { before: readonly RepoRefs[]; ready: Promise<unknown> },
  report: Report = warn,
): void {
  const { state, objects, git } = deps
  // Git counts in seconds.
  const startedAt = Date.now() - 2000
  let isBusy = true
  let isClosed = false
  let lastMs = performance.now()

  const removeUnused = () =>
    objects.removeUnused({
      isUsed: (id) => state.repos.has(id) || state.lfsFiles.groupSize('content', id) > 0,
      listKept: deps.listKept,
      forgetXorbs: () => deps.xet.move(),
    })
  const prune = (repos: readonly RepoRefs[], writtenBefore: number) =>
    git.prune({
      before: repos,
      find: (id) => state.repos.get(id),
      listKept: deps.listKept,
      writtenBefore,
    })
  const work = (run: () => Promise<void>) => {
    isBusy = true
    inBackground(report, left, async () => {
      try {
        await run()
      } finally {
        isBusy = false
      }
    })
  }

  work(async () => {
    await removeUnused()
    await ready
    await prune(before, startedAt)
  })
  const timer = setInterval(() => {
    deps.lfs.dropExpired()
    if (isBusy || isClosed) return
    const isHour = performance.now() - lastMs > hourMs
    const { releasedAt } = objects
    if (!isHour && (releasedAt === undefined || Date.now() - releasedAt < releasedMs)) return
    work(async () => {
      await removeUnused()
      if (!isHour) return
      lastMs = performance.now()
      await prune([...state.repos.values()], Date.now() - hourMs)
    })
  }, lookMs)
  timer.unref()
  deps.closers.add(() => {
    isClosed = true
    clearInterval(timer)
  })
}
