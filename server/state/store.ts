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

// Definitions of different entities share a record, and only `any` stands for each of them: their functions
// take the entity as an argument.
// oxlint-disable-next-line typescript/no-explicit-any
export type Definitions = Record<string, CollectionDefinition<any, any, any>>

export type CollectionOf<D> =
  D extends CollectionDefinition<infer T, infer U, infer G> ? Collection<T, U, G> : never

export interface StoreOptions<D extends Definitions> {
  /** Folder of the state; absent to keep it in memory only. Created when missing. */
  directory?: string
  /** Version of the stored records. Anything else on disk is refused, but for what `upgrade` can start from. */
  formatVersion: number
  upgrade?: {
    /** The oldest format that can be brought to `formatVersion`. */
    oldestFormat: number
    /** Collections that older formats had. */
    retired?: Definitions
    /** Changes what was stored; must do no harm when it is done twice. */
    run(collections: Store<D>['collections'], retired: Retired): void
  }
  /** Whether damaged files are set aside, as `….damaged`, and the state begins empty. Default: they are an error. */
  forgetsDamaged?: boolean
  /** What is kept elsewhere before the journal names it. */
  before?: WrittenBefore
  /** The snapshot is renewed when the journal is larger than this and than the snapshot. Default 16 MiB. */
  snapshotAfterBytes?: number
  /** What the lock tells other processes besides pid and start. */
  lockInfo?: LockDetails
  /** Told of trouble that no caller waits for. Default: a process warning. */
  onProblem?: (message: string) => void
}

/** What older formats had, by name. */
export type Retired = ReadonlyMap<string, AnyCollection>

export interface Store<D extends Definitions> {
  readonly collections: { readonly [K in keyof D]: CollectionOf<D[K]> }
  /** Nothing was ever stored in the folder. */
  readonly isNew: boolean
  /**
   * Resolves when all changes made so far are in the journal file; undefined when they are already.
   * Rejects with a StateError when the disk refuses them; they stay in memory and the next write tries again.
   */
  committed(): Promise<void> | undefined
  /** Resolves when all changes made so far outlive a power cut. Rejects with a StateError when the disk refuses that. */
  synced(): Promise<void>
  /** Writes a new snapshot and drops the journal before it. Does nothing when nothing changed. */
  renewSnapshot(): Promise<void>
  /** Tells other processes more about this one, such as its URL. */
  updateLock(details: LockDetails): void
  /** All zero without a folder. */
  stats(): DiskStats
  /** Saves what is left, syncs the disk and unlocks the folder. Changes throw afterwards. */
  close(): Promise<void>
}

const noDisk: DiskStats = { journalBytes: 0, journalWrites: 0, snapshotBytes: 0, snapshots: 0 }
const defaultSnapshotAfterBytes = 16 * 1024 * 1024

/** Empty collections in memory, which tell `record` of every change. */
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
 * Opens the collections and fills them with what the folder has. Without a folder they behave the same and
 * forget everything in the end.
 * @throws {LockedError} when another process uses the folder
 * @throws {DamagedError} when what is there makes no sense; its files stay as they are
 * @throws {StateError} when the folder cannot be used or read
 */
export async function openStore<D extends Definitions>(
  definitions: D,
  options: StoreOptions<D>,
): Promise<Store<D>> {
  let disk: Disk | undefined
  let closed: Promise<void> | undefined

  const record: RecordChange = (change, before) => {
    if (closed) throw new Error(`the state is closed, ${change[1]} cannot change any more`)
    disk?.record(change, before)
  }

  const made = createCollections(definitions, record)
  const collections = new Map<string, AnyCollection>(Object.entries(made))

  const {
    directory,
    formatVersion: format,
    upgrade,
    lockInfo = {},
    forgetsDamaged = false,
  } = options
  if (directory !== undefined) {
    const { snapshotAfterBytes = defaultSnapshotAfterBytes } = options
    const retired: Retired = new Map(
      Object.entries(createCollections(upgrade?.retired ?? {})) as [string, AnyCollection][],
    )
    const onProblem = options.onProblem ?? ((message: string) => process.emitWarning(message))
    disk = await Disk.open({
      directory,
      format,
      snapshotAfterBytes,
      lockInfo,
      forgetsDamaged,
      collections,
      retired,
      onProblem,
      ...(upgrade === undefined
        ? {}
        : {
            upgrade: { oldestFormat: upgrade.oldestFormat, run: () => upgrade.run(made, retired) },
          }),
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
        // Its end syncs all there is.
        await closed
      }
    },
    renewSnapshot: async () => disk?.renew(),
    updateLock: (details) => disk?.updateLock(details),
    stats: () => disk?.stats() ?? noDisk,
    close: () => (closed ??= disk?.close() ?? Promise.resolve()),
  }
}
