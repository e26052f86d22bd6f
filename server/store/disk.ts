import { messageOf } from '../core/background.ts'
import type { AnyCollection, Change, Entity } from './collection.ts'
import { DamagedError, fileError } from './errors.ts'
import { Journal, type WrittenBefore } from './journal.ts'
import { acquireLock, type Lock, type LockDetails } from './lock.ts'
import { type RecoveredStore, recover } from './journal-recovery.ts'
import { removeSegmentsAfter, removeSegmentsBefore, Segment, setSegmentsAside } from './segment.ts'
import { Snapshot } from './snapshot.ts'
import type { SnapshotData } from './snapshot-format.ts'

export interface DiskOptions {
  directory: string
  format: number
  snapshotAfterBytes: number
  lockInfo: LockDetails
  /** Whether damaged files are renamed and the state starts empty. */
  forgetsDamaged: boolean
  /** Empty collections by name, to be filled with the stored records. */
  collections: ReadonlyMap<string, AnyCollection>
  before?: WrittenBefore
  onProblem: (message: string) => void
}

export interface DiskStats {
  /** Bytes of the journal since the last snapshot. */
  journalBytes: number
  /** Writes to the journal since the start; each wrote all waiting changes. */
  journalWrites: number
  snapshotBytes: number
  /** Snapshots written since the start. */
  snapshots: number
}

/** Data folder of a store: lock, snapshot and journal. */
export class Disk {
  readonly isNew: boolean
  readonly #options: DiskOptions
  readonly #lock: Lock
  readonly #snapshot: Snapshot
  readonly #journal: Journal
  /** Journal units that the snapshot contains. */
  #savedUnits = 0
  #snapshots = 0
  /** Size of the journal at the last failed renewal. */
  #failedAtBytes = 0
  #isRenewing = false
  /** Resolves when all requested renewals have ended; never rejects. */
  #renewals: Promise<unknown> = Promise.resolve()

  /** Locks the folder and loads its records into the collections. */
  static async open(options: DiskOptions): Promise<Disk> {
    const { directory, format } = options
    const lock = await acquireLock(directory, options.lockInfo)
    try {
      const snapshot = new Snapshot(directory)
      const { data, recovered } = await readOrForget(options, snapshot)
      // A process that died right after renewing the snapshot left older segments.
      if (data) await removeSegmentsBefore(directory, data.journal)
      await removeSegmentsAfter(directory, recovered.segment)
      const header = { format, journal: recovered.segment }
      const segment = await Segment.reopen(directory, header, recovered.segmentBytes)
      if (recovered.spoiledAt !== undefined) {
        options.onProblem(
          `${segment.file} ended with changes that a power cut has spoiled: they are left out from byte ${recovered.spoiledAt} on`,
        )
      }
      const isNew = !data && recovered.units === 0
      return new Disk(options, { lock, snapshot, recovered, segment, isNew })
    } catch (error) {
      lock.release()
      throw fileError('open', directory, error)
    }
  }

  private constructor(
    options: DiskOptions,
    parts: {
      lock: Lock
      snapshot: Snapshot
      recovered: RecoveredStore
      segment: Segment
      isNew: boolean
    },
  ) {
    const { lock, snapshot, recovered, segment, isNew } = parts
    this.isNew = isNew
    this.#options = options
    this.#lock = lock
    this.#snapshot = snapshot
    this.#journal = new Journal({
      directory: options.directory,
      format: options.format,
      segment,
      units: recovered.units,
      bytesBefore: recovered.bytes - recovered.segmentBytes,
      ...(options.before === undefined ? {} : { before: options.before }),
      onWritten: () => this.#renewIfDue(),
      onProblem: options.onProblem,
    })
  }

  record(change: Change, before: Entity | undefined): void {
    this.#journal.record(change, before)
  }

  committed(): Promise<void> | undefined {
    return this.#journal.written()
  }

  synced(): Promise<void> {
    return this.#journal.synced()
  }

  updateLock(details: LockDetails): void {
    this.#lock.update(details)
  }

  stats(): DiskStats {
    return {
      journalBytes: this.#journal.bytes,
      journalWrites: this.#journal.writes,
      snapshotBytes: this.#snapshot.bytes,
      snapshots: this.#snapshots,
    }
  }

  /** Renewals run one at a time; the next does nothing unless something has changed. */
  renew(): Promise<void> {
    const renewal = this.#renewals.then(() => this.#renewNow())
    // The caller receives the failure; the next renewal starts in any case.
    this.#renewals = renewal.catch(() => undefined)
    return renewal
  }

  async close(): Promise<void> {
    try {
      await this.#renewOrReport()
      await this.#journal.close()
    } finally {
      this.#lock.release()
    }
  }

  /**
   * The process can be killed at any point: first the journal continues in a new segment; then the new snapshot, with
   * all changes up to that segment, replaces the old one; then older segments are deleted.
   */
  async #renewNow(): Promise<void> {
    while (this.#journal.hasOpenUnit) await Promise.resolve()
    const { units } = this.#journal
    if (units === this.#savedUnits) return
    // Nothing can change between these two lines, and entities are never changed in place, so the lists stay a
    // consistent copy, however long writing takes.
    const collections = this.#listRecords()
    const { number: journal, rotated } = this.#journal.rotate()
    await rotated
    await this.#snapshot.save({ format: this.#options.format, journal, collections })
    this.#savedUnits = units
    this.#snapshots += 1
    this.#failedAtBytes = 0
    await this.#journal.dropOlderSegments()
  }

  #listRecords(): Map<string, Entity[]> {
    const lists = new Map<string, Entity[]>()
    for (const [name, collection] of this.#options.collections) {
      lists.set(name, [...collection.values()])
    }
    return lists
  }

  #renewIfDue(): void {
    const dueBytes = Math.max(this.#options.snapshotAfterBytes, this.#snapshot.bytes)
    if (this.#isRenewing || this.#journal.bytes <= this.#failedAtBytes + dueBytes) return
    this.#isRenewing = true
    void this.#renewOrReport().finally(() => {
      this.#isRenewing = false
      // The journal may have outgrown the new snapshot meanwhile without another write.
      this.#renewIfDue()
    })
  }

  /**
   * Nothing is lost without a new snapshot: the journal has all changes. The next attempt follows when it has grown as
   * much again.
   */
  async #renewOrReport(): Promise<void> {
    try {
      await this.renew()
    } catch (error) {
      this.#failedAtBytes = this.#journal.bytes
      this.#options.onProblem(`the snapshot is not renewed: ${messageOf(error)}`)
    }
  }
}

interface ReadState {
  /** Snapshot; undefined if there is none. */
  data: SnapshotData | undefined
  recovered: RecoveredStore
}

/** @throws {DamagedError} unless damaged files are set aside */
async function readOrForget(options: DiskOptions, snapshot: Snapshot): Promise<ReadState> {
  try {
    return await readState(options, snapshot)
  } catch (error) {
    if (!options.forgetsDamaged || !(error instanceof DamagedError)) throw error
    await snapshot.setAside()
    await setSegmentsAside(options.directory)
    // Clears the records read so far.
    for (const collection of options.collections.values()) collection.clear()
    return readState(options, snapshot)
  }
}

async function readState(
  { directory, format, collections, before }: DiskOptions,
  snapshot: Snapshot,
): Promise<ReadState> {
  const data = await snapshot.load()
  const recovered = await recover({
    directory,
    format,
    collections,
    snapshot: data,
    snapshotFile: snapshot.file,
    holds: before?.holds,
  })
  return { data, recovered }
}
