import type { Standing } from './facts.ts'
import { type Content, stored } from './xet-contents.ts'

/** Files of a bucket: hash of the chunks by path. */
export type Files = ReadonlyMap<string, string>

interface Version {
  readonly files: Files
  /** Simulated time of the response; infinite without one. */
  readonly changedAt: number
}

/** Bucket as its clients know it. One of them changes it at a time. */
export class KnownBucket {
  /** `buckets/acme/x` */
  readonly path: string
  standing: Standing = 'unsure'
  isPrivate: boolean | undefined
  /** Changes of its visibility that were asked for. */
  privacyChanges = 0
  isBusy = false
  changedAt: number
  /** The oldest first. */
  #versions: Version[]
  /** First of those that it may have. */
  #first = 0
  /** All versions in the order in which they were asked for. */
  readonly #asked: Files[] = []

  constructor(path: string, isPrivate: boolean, now: number, files: Files = new Map()) {
    this.path = path
    this.isPrivate = isPrivate
    this.changedAt = now
    this.#versions = [{ files, changedAt: now }]
  }

  /** Files that it may have. */
  get possible(): readonly Files[] {
    return this.#versions.slice(this.#first).map(({ files }) => files)
  }

  /** Returns a function with all files that it may have had since now. */
  watch(): () => readonly Files[] {
    const { possible } = this
    const { length } = this.#asked
    return () => [...possible, ...this.possible, ...this.#asked.slice(length)]
  }

  /** Notes a change that is asked for. @param now files that it has @param results any of which it may have then */
  ask(now: Files, results: readonly Files[]): void {
    const last = this.#versions.findLastIndex(({ files }) => isSame(files, now))
    const asked = results.map((files) => ({ files, changedAt: Number.POSITIVE_INFINITY }))
    this.#versions = [...this.#versions.slice(0, last + 1), ...asked]
    this.#asked.push(...results)
  }

  /** Notes the result that the server has confirmed. */
  confirm(files: Files, changedAt: number): void {
    const before = this.#versions.filter((one) => Number.isFinite(one.changedAt))
    this.#versions = [...before, { files, changedAt }]
    this.#first = before.length
  }

  /** After a power cut: what was confirmed since a time may be lost. */
  doubt(since: number): void {
    if (this.changedAt > since) this.standing = 'unsure'
    const last = this.#versions.findLastIndex(({ changedAt }) => changedAt <= since)
    this.#first = Math.min(this.#first, Math.max(0, last))
  }
}

export function isSame(one: Files, other: Files): boolean {
  return one.size === other.size && [...one].every(([path, hash]) => other.get(path) === hash)
}

/** Buckets, and the contents that clients have sent. */
export class Buckets {
  known: KnownBucket[] = []
  /** By the hash of their chunks. */
  readonly contents = new Map<string, Content>([[stored.hash, stored]])

  /** Begins with what the fixtures have. */
  begin(now: number): void {
    const bucket = new KnownBucket(
      'buckets/acme/store',
      false,
      now,
      new Map([['a.bin', stored.hash]]),
    )
    bucket.standing = 'live'
    this.known = [bucket]
  }
}
