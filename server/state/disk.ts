import { messageOf } from '../core/background.ts'
import type { AnyCollection, Change, Entity } from './collection.ts'
import { DamagedError, fileError } from './errors.ts'
import { Journal, type WrittenBefore } from './journal.ts'
import { acquireLock, type Lock, type LockDetails } from './lock.ts'
import { type RecoveredStore, recover } from './recovery.ts'
import { removeSegmentsBefore, Segment, setSegmentsAside } from './segment.ts'
import { Snapshot } from './snapshot.ts'
import type { SnapshotData } from './snapshot-format.ts'

/** How a state of an older format is brought to the present one. */
export interface StateUpgrade {
  /** The oldest format that it can start from. */
  readonly oldestFormat: number
  /** Changes the collections, which have all that was stored; a start that dies right after it does it again. */
  run(): void
}

export interface DiskOptions {
  directory: string
  format: number
  /** Absent = no older format can be read. */
  upgrade?: StateUpgrade
  snapshotAfterBytes: number
  lockInfo: LockDetails
  /** Whether damaged files are set aside, and the state begins empty. */
  forgetsDamaged: boolean
  /** By name; empty, to be filled with what is stored. */
  collections: ReadonlyMap<string, AnyCollection>
  /** What older formats had besides; filled for the upgrade alone. */
  retired: ReadonlyMap<string, AnyCollection>
  before?: WrittenBefore
  onProblem: (message: string) => void
}

export interface DiskStats {
  /** Size of the journal since the last snapshot. */
  journalBytes: number
  /** Writes to the journal since the start; each took all changes that waited. */
  journalWrites: number
  snapshotBytes: number
  /** Snapshots written since the start. */
  snapshots: number
}

/** The data folder of a store: its lock, its snapshot and the journal after it. */
export class Disk {
  readonly isNew: boolean
  readonly #options: DiskOptions
  readonly #lock: Lock
  readonly #snapshot: Snapshot
  readonly #journal: Journal
  /** Units of the journal that the snapshot has. */
  #savedUnits = 0
  #snapshots = 0
  /** Size of the journal at the last renewal that failed. */
  #failedAtBytes = 0
  #isRenewing = false
  /** Ends when every renewal asked for so far has; never rejects. */
  #renewals: Promise<unknown> = Promise.resolve()

  /** Locks the folder and fills the collections with what it has. */
  static async open(options: DiskOptions): Promise<Disk> {
    const { directory, format, upgrade } = options
    const lock = await acquireLock(directory, options.lockInfo)
    try {
      const snapshot = new Snapshot(directory)
      const { data, recovered } = await readOrForget(options, snapshot)
      // A process that died right after renewing the snapshot leaves the older segments.
      if (data) await removeSegmentsBefore(directory, data.journal)
      const header = { format, journal: recovered.segment }
      const segment = await Segment.reopen(directory, header, recovered.segmentBytes)
      const isNew = !data && recovered.units === 0
      const disk = new Disk(options, { lock, snapshot, recovered, segment, isNew })
      if (upgrade !== undefined && recovered.format < format) await disk.#upgrade(upgrade)
      return disk
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

  /** One renewal at a time; the next one has nothing to do unless something changed meanwhile. */
  renew(): Promise<void> {
    const renewal = this.#renewals.then(() => this.#renewNow())
    // Whoever asked for it learns of its failure; the one after it starts in any case.
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

  /** Before anything is recorded: a segment holds records of the format that its first line names. */
  async #upgrade(upgrade: StateUpgrade): Promise<void> {
    try {
      upgrade.run()
      this.#savedUnits = -1
      await this.renew()
    } catch (error) {
      await this.#journal.close()
      throw error
    }
  }

  /**
   * The order makes every moment safe to die in: the journal goes on in a new segment; the snapshot, which
   * has all changes up to that segment, takes the place of the old one; only then older segments are deleted.
   */
  async #renewNow(): Promise<void> {
    while (this.#journal.hasOpenUnit) await Promise.resolve()
    const { units } = this.#journal
    if (units === this.#savedUnits) return
    // Nothing can change between these two lines, and entities are never changed in place: the lists stay
    // what the collections are at this moment, however long it takes to write them.
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
      // The journal may have outgrown the new snapshot meanwhile, with no write to come.
      this.#renewIfDue()
    })
  }

  /** Without a new snapshot nothing is lost: the journal has it. The next try comes when it has grown as much again. */
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
  /** Undefined when there is no snapshot. */
  data: SnapshotData | undefined
  recovered: RecoveredStore
}

/** @throws {DamagedError} unless that is to be forgotten */
async function readOrForget(options: DiskOptions, snapshot: Snapshot): Promise<ReadState> {
  try {
    return await readState(options, snapshot)
  } catch (error) {
    if (!options.forgetsDamaged || !(error instanceof DamagedError)) throw error
    await snapshot.setAside()
    await setSegmentsAside(options.directory)
    // What was read by then.
    for (const collection of [...options.collections.values(), ...options.retired.values()]) {
      collection.clear()
    }
    return readState(options, snapshot)
  }
}

async function readState(
  { directory, format, upgrade, collections, retired }: DiskOptions,
  snapshot: Snapshot,
): Promise<ReadState> {
  const data = await snapshot.load()
  const recovered = await recover({
    directory,
    format,
    oldestFormat: upgrade?.oldestFormat ?? format,
    collections: new Map([...collections, ...retired]),
    snapshot: data,
    snapshotFile: snapshot.file,
  })
  return { data, recovered }
}
