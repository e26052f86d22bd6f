import { Duplex, Readable, type Writable } from 'node:stream'
import {
  bytesOf,
  type Flag,
  type Options,
  optionsOf,
  partOf,
  readAll,
  readInto,
  type Position,
  runLater,
  runNow,
  step,
  type Work,
  works,
  writeAll,
  type WriteArguments,
  writtenPart,
} from './disk-works.ts'
import { ProcessDied, type SimulatedDisk } from './simulated-disk.ts'

/** Open file of node:fs/promises. */
export class SimulatedHandle {
  readonly #disk: SimulatedDisk
  readonly #path: string
  readonly #descriptor: number
  #running = 0
  #rested: (() => void) | undefined
  #closing: Promise<void> | undefined
  #isClosed = false

  constructor(disk: SimulatedDisk, path: string, descriptor: number) {
    this.#disk = disk
    this.#path = path
    this.#descriptor = descriptor
  }

  get fd(): number {
    return this.#isClosed ? -1 : this.#descriptor
  }

  async write(...given: WriteArguments) {
    const [part, position] = writtenPart(given)
    // As Node does, which then asks for no descriptor.
    if (part.length === 0) return { bytesWritten: 0, buffer: given[0] }
    const write = () => this.#disk.write(this.#descriptor, part, position)
    return { bytesWritten: await this.#later('write', write), buffer: given[0] }
  }

  async read(
    given?: NodeJS.ArrayBufferView | (Position & { buffer?: NodeJS.ArrayBufferView }) | null,
    offset?: number | Position | null,
    length?: number | null,
    position?: number | null,
  ): Promise<{ bytesRead: number; buffer: NodeJS.ArrayBufferView }> {
    if (!ArrayBuffer.isView(given)) {
      const { buffer = Buffer.alloc(16 * 1024), ...place } = given ?? {}
      return this.read(buffer, place)
    }
    const part = partOf(bytesOf(given), offset, length, position)
    const read = () => readInto(this.#disk, this.#descriptor, part)
    return { bytesRead: await this.#later('read', read), buffer: given }
  }

  async readFile(options?: Options<object>): Promise<string | Buffer> {
    const { encoding } = optionsOf(options)
    const bytes = await this.#run(readAll(this.#disk, this.#path, this.#descriptor))
    return encoding ? bytes.toString(encoding) : bytes
  }

  writeFile(data: string | NodeJS.ArrayBufferView, options?: Options<object>): Promise<void> {
    const bytes = bytesOf(data, optionsOf(options).encoding)
    return this.#run(writeAll(this.#disk, this.#path, this.#descriptor, bytes))
  }

  stat() {
    return this.#later('fstat', () => this.#disk.fstat(this.#descriptor))
  }

  utimes(_atime: Date, mtime: Date): Promise<void> {
    return this.#later('utime', () => this.#disk.utimes(this.#path, mtime.getTime()))
  }

  truncate(size = 0): Promise<void> {
    return this.#later('ftruncate', () => this.#disk.truncate(this.#descriptor, size))
  }

  sync(): Promise<void> {
    return this.#sync('fsync')
  }

  datasync(): Promise<void> {
    return this.#sync('fdatasync')
  }

  /** Closes the file after the operations that have begun. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async #close(): Promise<void> {
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#rested = resolve
      })
    }
    this.#isClosed = true
    await this.#disk.later('close', this.#path, () => this.#disk.close(this.#descriptor))
  }

  #sync(operation: 'fsync' | 'fdatasync'): Promise<void> {
    const steps = this.#disk.stepsOf(this.#descriptor)
    return this.#later(operation, () => this.#disk.sync(this.#descriptor, operation, steps))
  }

  #later<T>(operation: string, act: () => T): Promise<T> {
    return this.#run(step(operation, this.#path, act))
  }

  async #run<T>(work: Work<T>): Promise<T> {
    if (this.#closing !== undefined) {
      throw Object.assign(new Error('file closed'), { code: 'EBADF', syscall: 'read' })
    }
    this.#running += 1
    try {
      return await runLater(this.#disk, work)
    } finally {
      this.#running -= 1
      if (this.#running === 0) this.#rested?.()
    }
  }
}

interface StreamOptions {
  flags?: Flag
  mode?: number
  start?: number
  /** Last byte. */
  end?: number
  highWaterMark?: number
}

function readStream(disk: SimulatedDisk, path: string, options?: Options<StreamOptions>): Readable {
  const { encoding, start = 0, end = Infinity, highWaterMark = 64 * 1024 } = optionsOf(options)
  async function* read() {
    const handle = await openHandle(disk, path)
    try {
      for (let at = start; at <= end;) {
        const buffer = Buffer.alloc(Math.min(highWaterMark, end + 1 - at))
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, at)
        if (bytesRead === 0) return
        at += bytesRead
        yield buffer.subarray(0, bytesRead)
      }
    } finally {
      await handle.close()
    }
  }
  const stream = Readable.from(read(), { objectMode: false, highWaterMark })
  if (encoding) stream.setEncoding(encoding)
  // The file is opened before the stream is read, as by Node.
  stream.read(0)
  return stream
}

function writeStream(
  disk: SimulatedDisk,
  path: string,
  options?: Options<StreamOptions>,
): Writable {
  const { flags = 'w', mode } = optionsOf(options)
  return Duplex.from(async (chunks: AsyncIterable<Uint8Array>) => {
    const handle = await openHandle(disk, path, flags, mode)
    try {
      for await (const chunk of chunks) await handle.writeFile(chunk)
    } finally {
      await handle.close()
    }
  })
}

async function openHandle(disk: SimulatedDisk, path: string, flags?: Flag, mode?: number) {
  const descriptor = await runLater(disk, works.open(disk, path, flags, mode))
  return new SimulatedHandle(disk, path, descriptor)
}

/** Function of node:fs; its paths are absolute and without `..`. */
export type DiskCall = (disk: SimulatedDisk, ...given: never[]) => unknown

/** Functions of node:fs that are no pair of {@link works}. */
const single = {
  closeSync: (disk: SimulatedDisk, descriptor: number) => disk.close(descriptor),
  fstatSync: (disk: SimulatedDisk, descriptor: number) => disk.fstat(descriptor),
  fdatasyncSync: (disk: SimulatedDisk, descriptor: number) => disk.sync(descriptor, 'fdatasync'),
  fsyncSync: (disk: SimulatedDisk, descriptor: number) => disk.sync(descriptor, 'fsync'),
  ftruncateSync: (disk: SimulatedDisk, descriptor: number, size = 0) =>
    disk.truncate(descriptor, size),
  writeSync: (disk: SimulatedDisk, descriptor: number, ...given: WriteArguments) =>
    disk.write(descriptor, ...writtenPart(given)),
  readSync: (
    disk: SimulatedDisk,
    descriptor: number,
    buffer: NodeJS.ArrayBufferView,
    offset?: number | Position | null,
    length?: number | null,
    position?: number | null,
  ) => readInto(disk, descriptor, partOf(bytesOf(buffer), offset, length, position)),
  existsSync(disk: SimulatedDisk, path: string) {
    try {
      disk.stat(path, 'access')
      return true
    } catch (error) {
      if (error instanceof ProcessDied) throw error
      return false
    }
  },
  createReadStream: readStream,
  createWriteStream: writeStream,
}

/** Simulated functions of node:fs and node:fs/promises, by name. */
export function diskCalls(): { fs: Map<string, DiskCall>; promises: Map<string, DiskCall> } {
  const calls = new Map<string, DiskCall>(Object.entries(single))
  const promises = new Map<string, DiskCall>()
  for (const [name, work] of Object.entries<
    (disk: SimulatedDisk, ...given: never[]) => Work<unknown>
  >(works)) {
    calls.set(`${name}Sync`, (disk, ...given) => runNow(work(disk, ...given)))
    promises.set(name, (disk, ...given) => runLater(disk, work(disk, ...given)))
  }
  promises.set('open', openHandle)
  return { fs: calls, promises }
}
