import {
  type AnyCollection,
  type Collection,
  type CollectionDefinition,
  type Entity,
  MemoryCollection,
  type RecordChange,
} from './collection.ts'
import { Disk, type DiskStats } from './disk.ts'
import type { WrittenBefore } from './journal.ts'
import type { LockDetails } from './lock.ts'

// Definitions of different entities share a record, and only `any` fits each of them: their functions take the entity
// as an argument.
// oxlint-disable-next-line typescript/no-explicit-any
export type Definitions = Record<string, CollectionDefinition<any, any, any>>

export type CollectionOf<D> =
  D extends CollectionDefinition<infer T, infer U, infer G> ? Collection<T, U, G> : never

export interface StoreOptions {
  /** Folder of the state, created if missing; absent = in memory only. */
  directory?: string
  /** Version of the stored records. Others are refused. */
  formatVersion: number
  /** Whether damaged files are renamed to `….damaged` and the state starts empty. Default: they are an error. */
  forgetsDamaged?: boolean
  /** Data stored elsewhere that must be written before the journal refers to it. */
  before?: WrittenBefore
  /** Smallest journal that renews the snapshot, if also larger than it. Default 16 MiB. */
  snapshotAfterBytes?: number
  /** Details in the lock for other processes, besides pid and start. */
  lockInfo?: LockDetails
  /** Receives errors that no caller waits for. Default: a process warning. */
  onProblem?: (message: string) => void
}

export interface Store<D extends Definitions> {
  readonly collections: { readonly [K in keyof D]: CollectionOf<D[K]> }
  /** Whether the folder is new. */
  readonly isNew: boolean
  /**
   * Resolves when all changes so far are in the journal file; undefined if they are already. Rejects with a StateError
   * if writing fails; the changes stay in memory for the next write.
   */
  committed(): Promise<void> | undefined
  /** Resolves when all changes so far are synced to disk. Rejects with a StateError on failure. */
  synced(): Promise<void>
  /** Writes a new snapshot and deletes the older journal. Does nothing without changes. */
  renewSnapshot(): Promise<void>
  /** Updates the details for other processes, such as the URL. */
  updateLock(details: LockDetails): void
  /** Statistics; all zero without a folder. */
  stats(): DiskStats
  /** Saves the rest, syncs the disk and unlocks the folder. Later changes throw. */
  close(): Promise<void>
}

const noDisk: DiskStats = { journalBytes: 0, journalWrites: 0, snapshotBytes: 0, snapshots: 0 }
const defaultSnapshotAfterBytes = 16 * 1024 * 1024

/** Creates empty collections in memory, which pass every change to `record`. */
export function createCollections<D extends Definitions>(
  definitions: D,
  record: RecordChange = () => undefined,
): Store<D>['collections'] {
  const made = Object.entries<CollectionDefinition<Entity, string, string>>(definitions).map(
    ([name, definition]) => [name, new MemoryCollection(name, definition, record)] as const,
  )
  return Object.fromEntries(made) as unknown as Store<D>['collections']
}

/**
 * Opens the collections and loads the folder into them. Without a folder they behave the same, but are not saved.
 * @throws {LockedError} if another process uses the folder
 * @throws {DamagedError} for damaged files, which are left unchanged
 * @throws {StateError} if the folder cannot be used or read
 */
export async function openStore<D extends Definitions>(
  definitions: D,
  options: StoreOptions,
): Promise<Store<D>> {
  let disk: Disk | undefined
  let closed: Promise<void> | undefined

  const record: RecordChange = (change, before) => {
    if (closed) throw new Error(`the state is closed: ${change[1]} can no longer change`)
    disk?.record(change, before)
  }

  const made = createCollections(definitions, record)
  const collections = new Map<string, AnyCollection>(Object.entries(made))

  const { directory, formatVersion: format, lockInfo = {}, forgetsDamaged = false } = options
  if (directory !== undefined) {
    const { snapshotAfterBytes = defaultSnapshotAfterBytes } = options
    const onProblem = options.onProblem ?? ((message: string) => process.emitWarning(message))
    disk = await Disk.open({
      directory,
      format,
      snapshotAfterBytes,
      lockInfo,
      forgetsDamaged,
      collections,
      onProblem,
      ...(options.before === undefined ? {} : { before: options.before }),
    })
  }

  return {
    collections: made,
    isNew: disk?.isNew ?? true,
    committed: () => disk?.committed(),
    synced: async () => {
      try {
        await disk?.synced()
      } catch (error) {
        if (closed === undefined) throw error
        // Closing syncs everything.
        await closed
      }
    },
    renewSnapshot: async () => disk?.renew(),
    updateLock: (details) => disk?.updateLock(details),
    stats: () => disk?.stats() ?? noDisk,
    close: () => (closed ??= disk?.close() ?? Promise.resolve()),
  }
}
