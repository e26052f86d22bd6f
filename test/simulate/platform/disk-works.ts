import { constants } from 'node:fs'
import { type NodeStats, type SimulatedDisk, systemError } from './simulated-disk.ts'

// Functions of node:fs for paths of a simulated disk. Each is written once, as steps that are system calls: the synchronous
// form runs them at once, and that of node:fs/promises runs each in another thread.

interface Step {
  readonly operation: string
  readonly path: string
  readonly act: () => unknown
}

export type Work<T> = Generator<Step, T, unknown>

export function* step<T>(operation: string, path: string, act: () => T): Work<T> {
  return (yield { operation, path, act }) as T
}

export function runNow<T>(work: Work<T>): T {
  let next = work.next()
  while (next.done !== true) {
    let value: unknown
    try {
      value = next.value.act()
    } catch (error) {
      next = work.throw(error)
      continue
    }
    next = work.next(value)
  }
  return next.value
}

export async function runLater<T>(disk: SimulatedDisk, work: Work<T>): Promise<T> {
  let next = work.next()
  while (next.done !== true) {
    const { operation, path, act } = next.value
    let value: unknown
    try {
      value = await disk.later(operation, path, act)
    } catch (error) {
      next = work.throw(error)
      continue
    }
    next = work.next(value)
  }
  return next.value
}

export type Encoding = BufferEncoding | null | undefined
export type Options<T> = Encoding | (T & { encoding?: Encoding })
export type Flag = string | number
export type Data = string | NodeJS.ArrayBufferView
export interface Position {
  offset?: number
  length?: number
  position?: number | null
}

/** Bytes that Node reads or writes at once. */
const chunkBytes = 512 * 1024

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } = constants
const flagNumbers = new Map([
  ['r', O_RDONLY],
  ['r+', O_RDWR],
  ['w', O_WRONLY | O_CREAT | O_TRUNC],
  ['wx', O_WRONLY | O_CREAT | O_TRUNC | O_EXCL],
  ['w+', O_RDWR | O_CREAT | O_TRUNC],
  ['wx+', O_RDWR | O_CREAT | O_TRUNC | O_EXCL],
  ['a', O_WRONLY | O_CREAT | O_APPEND],
  ['ax', O_WRONLY | O_CREAT | O_APPEND | O_EXCL],
  ['a+', O_RDWR | O_CREAT | O_APPEND],
  ['ax+', O_RDWR | O_CREAT | O_APPEND | O_EXCL],
])

function flagNumber(flag: Flag | null | undefined): number {
  if (typeof flag === 'number') return flag
  const found = flagNumbers.get(flag ?? 'r')
  if (found === undefined) throw new TypeError(`the flag ${flag} of fs.open is not simulated`)
  return found
}

export function optionsOf<T extends object>(
  options: Options<T>,
): Partial<T> & { encoding?: Encoding } {
  if (typeof options === 'string')
    return { encoding: options } as Partial<T> & { encoding: Encoding }
  return options ?? {}
}

export function bytesOf(data: Data, encoding?: Encoding): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data, encoding ?? 'utf8')
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  throw new TypeError('writing a stream or iterable to a file is not simulated')
}

/** Reads the arguments of `fs.write` and `fs.read` after the buffer. */
export function partOf(
  bytes: Uint8Array,
  offset: number | Position | null | undefined,
  length: number | null | undefined,
  position: number | bigint | null | undefined,
): [part: Uint8Array, position: number | undefined] {
  if (typeof offset === 'object' && offset !== null) {
    return partOf(bytes, offset.offset, offset.length, offset.position)
  }
  const start = offset ?? 0
  const part = bytes.subarray(start, start + (length ?? bytes.length - start))
  return [part, typeof position === 'number' && position >= 0 ? position : undefined]
}

/** Reads into a part of a buffer. */
export function readInto(
  disk: SimulatedDisk,
  descriptor: number,
  [part, position]: ReturnType<typeof partOf>,
): number {
  const found = disk.read(descriptor, part.length, position)
  part.set(found)
  return found.length
}

export type WriteArguments = [
  data: Data,
  offset?: number | Position | null,
  length?: number | string | null,
  position?: number | null,
]

export function writtenPart([data, offset, length, position]: WriteArguments): ReturnType<
  typeof partOf
> {
  if (typeof data !== 'string') return partOf(bytesOf(data), offset, length as number, position)
  return partOf(bytesOf(data, length as Encoding), 0, undefined, offset as number)
}

function* open(disk: SimulatedDisk, path: string, flags?: Flag, mode?: number): Work<number> {
  return yield* step('open', path, () => disk.open(path, flagNumber(flags), mode))
}

function close(disk: SimulatedDisk, path: string, descriptor: number): Work<void> {
  return step('close', path, () => disk.close(descriptor))
}

/** Reads an open file from its position to its end. */
export function* readAll(disk: SimulatedDisk, path: string, descriptor: number): Work<Buffer> {
  const parts: Buffer[] = []
  for (;;) {
    const part = yield* step('read', path, () => Buffer.from(disk.read(descriptor, chunkBytes)))
    if (part.length === 0) return Buffer.concat(parts)
    parts.push(part)
  }
}

/** Writes to an open file at its position. */
export function* writeAll(
  disk: SimulatedDisk,
  path: string,
  descriptor: number,
  bytes: Uint8Array,
): Work<void> {
  for (let done = 0; done < bytes.length;) {
    const part = bytes.subarray(done, done + chunkBytes)
    done += yield* step('write', path, () => disk.write(descriptor, part))
  }
}

function* readFile(
  disk: SimulatedDisk,
  file: string | number,
  options?: Options<{ flag: Flag }>,
): Work<string | Buffer> {
  const { encoding, flag } = optionsOf(options)
  const path = String(file)
  const descriptor = typeof file === 'number' ? file : yield* open(disk, file, flag)
  try {
    const bytes = yield* readAll(disk, path, descriptor)
    return encoding ? bytes.toString(encoding) : bytes
  } finally {
    if (typeof file === 'string') yield* close(disk, path, descriptor)
  }
}

function* writeFile(
  disk: SimulatedDisk,
  file: string | number,
  data: Data,
  options?: Options<{ flag?: Flag; mode?: number }>,
): Work<void> {
  const { encoding, flag = 'w', mode } = optionsOf(options)
  const bytes = bytesOf(data, encoding)
  const path = String(file)
  const descriptor = typeof file === 'number' ? file : yield* open(disk, file, flag, mode)
  try {
    yield* writeAll(disk, path, descriptor, bytes)
  } finally {
    if (typeof file === 'string') yield* close(disk, path, descriptor)
  }
}

function appendFile(disk: SimulatedDisk, file: string | number, data: Data): Work<void> {
  return writeFile(disk, file, data, { flag: 'a' })
}

function* copyFile(disk: SimulatedDisk, from: string, to: string, mode = 0): Work<void> {
  const source = yield* open(disk, from)
  try {
    const stats = yield* step('fstat', from, () => disk.fstat(source))
    const flag = O_WRONLY | O_CREAT | (mode & constants.COPYFILE_EXCL ? O_EXCL : 0)
    const target = yield* open(disk, to, flag, stats.mode & 0o7777)
    try {
      const found = yield* step('fstat', to, () => disk.fstat(target))
      if (found.ino === stats.ino) return
      yield* step('ftruncate', to, () => disk.truncate(target, 0))
      yield* step('chmod', to, () => disk.chmod(to, stats.mode & 0o7777))
      yield* writeAll(disk, to, target, yield* readAll(disk, from, source))
    } catch (error) {
      // Node leaves no incomplete copy.
      yield* step('unlink', to, () => disk.unlink(to))
      throw error
    } finally {
      yield* close(disk, to, target)
    }
  } finally {
    yield* close(disk, from, source)
  }
}

interface StatOptions {
  bigint?: boolean
  throwIfNoEntry?: boolean
}

function* stat(
  disk: SimulatedDisk,
  path: string,
  { bigint = false, throwIfNoEntry = true }: StatOptions = {},
): Work<NodeStats | undefined> {
  if (bigint) throw new TypeError('fs.stat with bigint is not simulated')
  try {
    return yield* step('stat', path, () => disk.stat(path))
  } catch (error) {
    if (!throwIfNoEntry && codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function* mkdir(
  disk: SimulatedDisk,
  path: string,
  options?: number | { recursive?: boolean; mode?: number },
): Work<string | undefined> {
  const { recursive = false, mode } = typeof options === 'object' ? options : { mode: options }
  const make = (folder: string) => step('mkdir', folder, () => disk.mkdir(folder, mode))
  if (!recursive) {
    yield* make(path)
    return undefined
  }
  let folder = disk.root
  let first: string | undefined
  for (const name of path.slice(folder.length).split('/').filter(Boolean)) {
    folder += `/${name}`
    try {
      yield* make(folder)
      first ??= folder
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
      const found = yield* stat(disk, folder)
      if (found?.isDirectory() === true) continue
      throw folder === path ? error : systemError('ENOTDIR', 'mkdir', path)
    }
  }
  return first
}

function* mkdtemp(disk: SimulatedDisk, prefix: string): Work<string> {
  const path = `${prefix}${disk.randomName()}`
  yield* step('mkdtemp', path, () => disk.mkdir(path, 0o700))
  return path
}

function* readdir(
  disk: SimulatedDisk,
  path: string,
  options?: Options<{ withFileTypes?: boolean; recursive?: boolean }>,
): Work<unknown[]> {
  const { withFileTypes = false, recursive = false } = optionsOf(options)
  if (recursive) throw new TypeError('fs.readdir with recursive is not simulated')
  const entries = yield* step('scandir', path, () => disk.readdir(path))
  if (!withFileTypes) return entries.map(({ name }) => name)
  return entries.map(({ name, isFolder }) => ({
    name,
    path,
    parentPath: path,
    isFile: () => !isFolder,
    isDirectory: () => isFolder,
    isSymbolicLink: () => false,
  }))
}

interface RemoveOptions {
  recursive?: boolean
  force?: boolean
}

function* rm(
  disk: SimulatedDisk,
  path: string,
  { recursive = false, force = false }: RemoveOptions = {},
): Work<void> {
  try {
    const stats = yield* step('lstat', path, () => disk.stat(path, 'lstat'))
    if (!stats.isDirectory()) {
      yield* step('unlink', path, () => disk.unlink(path))
      return
    }
    if (!recursive) {
      const error = new Error(`Path is a directory: rm returned EISDIR (is a directory) ${path}`)
      throw Object.assign(error, { code: 'ERR_FS_EISDIR', path, syscall: 'rm' })
    }
    const names = yield* step('scandir', path, () => disk.readdir(path))
    // What another thread removes meanwhile is removed.
    for (const { name } of names) yield* rm(disk, `${path}/${name}`, { recursive, force: true })
    yield* step('rmdir', path, () => disk.rmdir(path))
  } catch (error) {
    if (!force || codeOf(error) !== 'ENOENT') throw error
  }
}

/** Functions that exist as `…Sync` and in node:fs/promises. Paths are absolute and without `..`. */
export const works = {
  open,
  readFile,
  writeFile,
  appendFile,
  copyFile,
  stat,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  lstat: stat,
  rmdir: (disk: SimulatedDisk, path: string) => step('rmdir', path, () => disk.rmdir(path)),
  unlink: (disk: SimulatedDisk, path: string) => step('unlink', path, () => disk.unlink(path)),
  link: (disk: SimulatedDisk, from: string, to: string) =>
    step('link', from, () => disk.link(from, to)),
  rename: (disk: SimulatedDisk, from: string, to: string) =>
    step('rename', from, () => disk.rename(from, to)),
  chmod: (disk: SimulatedDisk, path: string, mode: number) =>
    step('chmod', path, () => disk.chmod(path, mode)),
  utimes: (disk: SimulatedDisk, path: string, _atime: unknown, mtime: number | Date) =>
    step('utime', path, () =>
      disk.utimes(path, mtime instanceof Date ? mtime.getTime() : mtime * 1000),
    ),
  *access(disk: SimulatedDisk, path: string) {
    yield* step('access', path, () => disk.stat(path, 'access'))
  },
  *realpath(disk: SimulatedDisk, path: string) {
    yield* step('lstat', path, () => disk.stat(path, 'lstat'))
    return path
  },
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
