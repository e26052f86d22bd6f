import type { Deps } from '../deps.ts'
import type { JobLog } from '../../store/entities/webhook-entities.ts'

export type JobLine = JobLog['lines'][number]

/** Output of jobs. */
export interface JobLogs {
  write(jobId: string, text: string): void
  read(jobId: string): JobLine[]
  /** Marks the log as complete. */
  close(jobId: string): void
  /** Forgets the logs that are open: the state was replaced. */
  clear(): void
  /** Calls the listener for each new line. */
  follow(jobId: string, listener: (line: JobLine) => void): () => void
}

const keptBytes = 128 * 1024
/** Bytes counted for a line besides its text, so that empty lines count. */
const lineOverheadBytes = 32

export function createJobLogs({ state, clock }: Pick<Deps, 'state' | 'clock'>): JobLogs {
  const listeners = new Map<string, Set<(line: JobLine) => void>>()
  const sizes = new Map<string, number>()

  function put(jobId: string, text: string): void {
    const line = { at: clock.now(), text }
    const number = state.jobLogs.groupSize('job', jobId) + 1
    state.jobLogs.put({ id: `${jobId}/${number}`, jobId, lines: [line] })
    for (const listener of listeners.get(jobId) ?? []) listener(line)
  }

  return {
    write(jobId, text) {
      const before = sizes.get(jobId) ?? 0
      if (before >= keptBytes || !state.jobs.has(jobId)) return
      const after = before + Buffer.byteLength(text) + lineOverheadBytes
      sizes.set(jobId, after)
      put(jobId, after < keptBytes ? text : 'The rest of the output is not kept.')
    },
    read: (jobId) => state.jobLogs.group('job', jobId).flatMap(({ lines }) => lines),
    close(jobId) {
      sizes.delete(jobId)
    },
    clear() {
      sizes.clear()
    },
    follow(jobId, listener) {
      const all = listeners.get(jobId) ?? new Set()
      listeners.set(jobId, all)
      all.add(listener)
      return () => {
        all.delete(listener)
        if (all.size === 0) listeners.delete(jobId)
      }
    },
  }
}
