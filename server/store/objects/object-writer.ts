import { open } from 'node:fs/promises'
import { fileError } from '../errors.ts'
import { syncDirectory } from '../files.ts'
import { nextTurn, performance } from '../../core/timers.ts'

/** Time that files are written before other work gets its turn. */
const sliceMs = 5

/**
 * Up to this many bytes are written synchronously: they go into the memory of the operating system, and a thread would take
 * several times as long.
 */
const writtenAtOnce = 64 * 1024

/** Files that are synced at the same time. */
const syncedTogether = 8

/** Write in the queue. */
interface Job {
  readonly number: number
  /** Estimated work, in written bytes. */
  readonly bytes: number
  run(): Promise<void> | void
}

/** Writes objects to disk in the order in which the stores received them. */
export class ObjectWriter {
  readonly #jobs = new Set<Job>()
  #bytes = 0
  #given = 0
  #isBusy = false
  #turns: Promise<void> = Promise.resolve()
  /** Files, and the folders with their names. */
  #unsynced = new Map<string, readonly string[]>()
  /** Sync in progress. */
  #syncing: Promise<void> | undefined

  add(bytes: number, run: () => Promise<void> | void): void {
    this.#given += 1
    this.#bytes += bytes
    this.#jobs.add({ number: this.#given, bytes, run })
  }

  /** Adds a written file to those that must be synced with their folders. */
  note(file: string, folders: readonly string[]): void {
    this.#unsynced.set(file, folders)
  }

  written(): Promise<void> | undefined {
    if (this.#jobs.size === 0) return undefined
    if (!this.#isBusy && this.#bytes <= writtenAtOnce) return this.#writeAtOnce()
    const last = this.#given
    const turn = this.#turns.then(() => this.#writeUpTo(last))
    // The caller receives its failure; the next write tries again.
    this.#turns = turn.catch(() => undefined)
    return turn
  }

  synced(): Promise<void> | undefined {
    if (this.#jobs.size === 0 && this.#unsynced.size === 0) return this.#syncing
    // One after the other: the next sync retries what the one before could not sync.
    const before = this.#syncing?.catch(() => undefined)
    const syncing = before === undefined ? this.#sync() : before.then(() => this.#sync())
    this.#syncing = syncing
    const forget = () => {
      if (this.#syncing === syncing) this.#syncing = undefined
    }
    syncing.then(forget, forget)
    return syncing
  }

  async #sync(): Promise<void> {
    await this.written()
    const files = this.#unsynced
    this.#unsynced = new Map()
    try {
      await inParallel([...files.keys()], syncFile)
      await inParallel([...new Set([...files.values()].flat())], syncDirectory)
    } catch (error) {
      for (const [file, folders] of files) this.note(file, folders)
      throw error
    }
  }

  #writeAtOnce(): Promise<void> | undefined {
    try {
      for (const job of this.#jobs) {
        // All of them are short.
        void job.run()
        this.#finish(job)
      }
      return undefined
    } catch (error) {
      return Promise.reject(error)
    }
  }

  async #writeUpTo(last: number): Promise<void> {
    this.#isBusy = true
    try {
      let started = performance.now()
      for (const job of this.#jobs) {
        if (job.number > last) break
        await job.run()
        this.#finish(job)
        if (performance.now() - started < sliceMs) continue
        await nextTurn()
        started = performance.now()
      }
    } finally {
      this.#isBusy = false
    }
  }

  #finish(job: Job): void {
    this.#jobs.delete(job)
    this.#bytes -= job.bytes
  }
}

async function syncFile(file: string): Promise<void> {
  try {
    const handle = await open(file, 'r+')
    try {
      await handle.datasync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw fileError('sync', file, error)
  }
}

/** Works on some files at a time. After a failure none is begun, and those that are open are waited for. */
async function inParallel(
  files: readonly string[],
  work: (file: string) => Promise<void>,
): Promise<void> {
  const rest = files.values()
  let hasFailed = false
  const worker = async () => {
    for (const file of rest) {
      if (hasFailed) return
      try {
        await work(file)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: syncedTogether }, worker))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}
