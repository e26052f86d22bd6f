import { access, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import { errorCode, fileError } from './errors.ts'
import { replaceFile } from './private-files.ts'
import { setAside, syncDirectory } from './files.ts'
import { parseSnapshot, type SnapshotData, snapshotLines } from './snapshot-format.ts'
import { performance } from '../core/timers.ts'

/** Time for formatting records before yielding to the event loop. */
const sliceMs = 5

/** Placeholder between reads and writes, so that no old records are kept alive. */
const noData: SnapshotData = { format: 0, journal: 0, collections: new Map() }

/** Name of the snapshot in a data folder. */
export const stateFile = 'state.json'

/** Reads and replaces the snapshot of a data folder, `state.json`, by lowdb. It is no store: the collections are. */
export class Snapshot {
  readonly #adapter: SnapshotAdapter
  readonly #low: Low<SnapshotData>

  constructor(directory: string) {
    this.#adapter = new SnapshotAdapter(join(directory, stateFile))
    this.#low = new Low(this.#adapter, noData)
  }

  get file(): string {
    return this.#adapter.file
  }

  /** Size of the file when last loaded or saved. */
  get bytes(): number {
    return this.#adapter.bytes
  }

  /** @returns undefined if there is none */
  async load(): Promise<SnapshotData | undefined> {
    await this.#low.read()
    const { data } = this.#low
    this.#low.data = noData
    return data === noData ? undefined : data
  }

  /** Sets the snapshot aside. */
  async setAside(): Promise<void> {
    try {
      await setAside(this.file)
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
    }
  }

  async save(data: SnapshotData): Promise<void> {
    this.#low.data = data
    try {
      await this.#low.write()
    } finally {
      this.#low.data = noData
    }
  }
}

/**
 * Stores a snapshot in a JSON file with one record per line, which is readable, works with line tools, and is written
 * and read in pieces. lowdb's file adapters build one string at once, which would block the server for hundreds of
 * milliseconds.
 */
class SnapshotAdapter implements Adapter<SnapshotData> {
  readonly file: string
  bytes = 0

  constructor(file: string) {
    this.file = file
  }

  /** @returns null if there is no snapshot */
  async read(): Promise<SnapshotData | null> {
    try {
      await access(this.file)
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null
      throw fileError('read', this.file, error)
    }
    const data = await parseSnapshot(this.file)
    this.bytes = (await stat(this.file)).size
    return data
  }

  /** Replaces the file atomically; a crash leaves the old or the new one. */
  async write(data: SnapshotData): Promise<void> {
    try {
      let bytes = 0
      await replaceFile(this.file, 0o600, async (handle) => {
        bytes = await writeSliced(handle, snapshotLines(data))
      })
      await syncDirectory(dirname(this.file))
      this.bytes = bytes
    } catch (error) {
      throw fileError('write', this.file, error)
    }
  }
}

/** @returns bytes written */
async function writeSliced(handle: FileHandle, lines: Iterable<string>): Promise<number> {
  let bytes = 0
  let chunk: string[] = []
  let started = performance.now()
  const flush = async () => {
    const buffer = Buffer.from(chunk.join(''))
    chunk = []
    await handle.writeFile(buffer)
    bytes += buffer.length
  }
  for (const line of lines) {
    chunk.push(line)
    if (performance.now() - started < sliceMs) continue
    await flush()
    started = performance.now()
  }
  await flush()
  return bytes
}
