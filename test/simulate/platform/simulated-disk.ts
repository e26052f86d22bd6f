import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { getSystemErrorMap } from 'node:util'
import { cutPower, type DiskNode, FileNode, FolderNode, nodesBelow } from './disk-nodes.ts'
import type { Random } from '../../../server/core/random.ts'

/** Queue of what happens later, in an order that the seed chooses. */
export interface Events {
  later(name: string, act: () => void): void
}

export type FaultCode = 'ENOSPC' | 'EIO' | 'EMFILE'

export interface SimulatedDiskOptions {
  readonly random: Random
  readonly events: Events
  /** Milliseconds since 1970, for the times of files. */
  readonly now: () => number
  /** Path of its only folder at the beginning. Default: `/simulated`. */
  readonly root?: string
}

/** The process of the caller has died: nothing that it still does reaches the disk. */
export class ProcessDied extends Error {
  override readonly name = 'ProcessDied'
}

/** Facts about a file or folder, as `fs.Stats` has them. */
export type NodeStats = ReturnType<typeof statsOf>

interface Opened {
  readonly node: DiskNode
  readonly path: string
  readonly flags: number
  position: number
}

interface Place {
  readonly folder: FolderNode
  /** Empty for the root. */
  readonly name: string
  readonly node: DiskNode | undefined
}

/** What a crash leaves. */
interface Left {
  readonly root: FolderNode
  readonly nextIno: number
  readonly nextDescriptor: number
}

/** Far above the descriptors of a real process, so that the two never meet. */
export const firstDescriptor = 1_000_000_000

const umask = 0o022
const longestName = 255
const device = 0x51
const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } = constants
const O_ACCMODE = O_RDONLY | O_WRONLY | O_RDWR

/**
 * Disk in memory for a process that can die and a machine whose power can fail. Its functions are the system calls: they
 * take effect at once and fail as on Linux, without permissions and links to paths.
 */
export class SimulatedDisk {
  /**
   * Called before each operation, with the name of its system call; a code makes it fail. A write that fails with ENOSPC or
   * EIO keeps any number of its bytes, and may report them as a short write.
   */
  fault: ((operation: string, path: string) => FaultCode | undefined) | undefined
  readonly root: string
  readonly #options: SimulatedDiskOptions
  readonly #random: Random
  readonly #tree: FolderNode
  readonly #descriptors = new Map<number, Opened>()
  /** Operations of other threads that have begun. */
  readonly #inFlight = new Set<() => unknown>()
  /** Lower ones are of a former process. */
  readonly #firstDescriptor: number
  #nextIno: number
  #nextDescriptor: number
  #operations = 0
  #isDead = false
  /** Changing operations before the process dies. */
  #left: number | undefined
  #died: () => void = () => undefined

  constructor(options: SimulatedDiskOptions, left?: Left) {
    this.#options = options
    this.#random = options.random
    this.root = options.root ?? '/simulated'
    this.#nextIno = left?.nextIno ?? 2
    this.#firstDescriptor = left?.nextDescriptor ?? firstDescriptor
    this.#nextDescriptor = this.#firstDescriptor
    this.#tree = left?.root ?? new FolderNode(1, { mode: 0o700, mtimeMs: options.now() })
  }

  /** Lets the process die within the changing operation after the next `operations` ones: it is done, not done or in part. */
  dieAfter(operations: number, died: () => void): void {
    this.#left = operations
    this.#died = died
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /**
   * Ends the process: its synchronous operations throw {@link ProcessDied} from now on, the others never settle. Each of
   * those in flight is done, not done or done in part.
   * @param kind after `kill` everything is there that operations have done; after `power cut` everything that was synced,
   * and an arbitrary part of the rest
   * @returns disk of the next process
   */
  crash(kind: 'kill' | 'power cut'): SimulatedDisk {
    this.fault = undefined
    this.#died = () => undefined
    for (const rest = [...this.#inFlight]; rest.length > 0;) {
      const [act] = rest.splice(this.#random.int(rest.length), 1)
      const fate = this.#random.pick(['done', 'in part', 'not done'])
      if (fate === 'not done') continue
      this.#isDead = false
      this.#left = fate === 'done' ? undefined : 0
      try {
        act?.()
      } catch {
        // The process that would have received the error is gone.
      }
    }
    this.#isDead = true
    this.#inFlight.clear()
    this.#descriptors.clear()
    if (kind === 'power cut') cutPower(this.#tree, this.#random)
    return new SimulatedDisk(this.#options, {
      root: this.#tree,
      nextIno: this.#nextIno,
      nextDescriptor: this.#nextDescriptor,
    })
  }

  /** Makes everything survive a power cut. */
  syncAll(): void {
    this.#tree.sync(this.#tree.made, true)
    for (const [, node] of nodesBelow(this.#tree, this.root)) node.sync(node.made, true)
  }

  /** Flips a bit of a stored file, as a decaying disk does. */
  flip(filter: (path: string) => boolean): { path: string; offset: number } | undefined {
    const found = [...nodesBelow(this.#tree, this.root)].filter(
      ([path, node]) => node instanceof FileNode && node.size > 0 && filter(path),
    )
    if (found.length === 0) return undefined
    const [path, node] = this.#random.pick(found)
    const offset = this.#random.int(node.size)
    if (node instanceof FileNode) node.flip(offset, this.#random.int(8))
    return { path, offset }
  }

  /** Lists the paths of all files. */
  files(): string[] {
    const all = [...nodesBelow(this.#tree, this.root)]
    return all.filter(([, node]) => node instanceof FileNode).map(([path]) => path)
  }

  /** Reads a file for something that is not the process. */
  peek(path: string): { content: Buffer; mtimeMs: number } {
    const { node } = this.#locate('read', path)
    if (!(node instanceof FileNode)) throw systemError('ENOENT', 'read', path)
    return { content: node.content, mtimeMs: node.meta.mtimeMs }
  }

  /** Returns a hash of all names and contents. */
  hash(): string {
    const hash = createHash('sha256')
    for (const [path, node] of nodesBelow(this.#tree, this.root)) {
      const isFile = node instanceof FileNode
      hash.update(`${JSON.stringify(path)} ${isFile ? node.size : 'folder'}\n`)
      if (isFile) hash.update(node.content)
    }
    return hash.digest('hex')
  }

  counts(): { files: number; bytes: number; openDescriptors: number; operations: number } {
    const paths = [...nodesBelow(this.#tree, this.root)].map(([, node]) => node)
    const files = new Set(paths.filter((node) => node instanceof FileNode))
    return {
      files: files.size,
      bytes: [...files].reduce((sum, { size }) => sum + size, 0),
      openDescriptors: this.#descriptors.size,
      operations: this.#operations,
    }
  }

  /** Runs an operation in another thread: at a time that the events choose, or never if the process dies before. */
  later<T>(operation: string, path: string, act: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#isDead) return
      this.#inFlight.add(act)
      this.#options.events.later(`${operation} ${path}`, () => {
        if (this.#isDead || !this.#inFlight.delete(act)) return
        try {
          resolve(act())
        } catch (error) {
          if (!(error instanceof ProcessDied)) reject(error)
        }
      })
    })
  }

  open(path: string, flags: number, mode = 0o666): number {
    this.#begin('open', path)
    const { folder, name, node } = this.#locate('open', path)
    const canWrite = (flags & O_ACCMODE) !== O_RDONLY
    const creates = (flags & O_CREAT) !== 0
    if (node === undefined && !creates) throw systemError('ENOENT', 'open', path)
    if (node !== undefined && creates && flags & O_EXCL) throw systemError('EEXIST', 'open', path)
    if (node instanceof FolderNode && (canWrite || creates)) {
      throw systemError('EISDIR', 'open', path)
    }
    if (node instanceof FileNode && flags & O_DIRECTORY) throw systemError('ENOTDIR', 'open', path)
    let opened = node
    if (opened === undefined) {
      const created = new FileNode(this.#ino(), this.#newMeta(mode))
      this.#change(() => this.#name(folder, [[name, created]]))
      opened = created
    } else if (opened instanceof FileNode && flags & O_TRUNC && canWrite && opened.size > 0) {
      const file = opened
      this.#change(() => this.#truncate(file, 0))
    }
    const descriptor = this.#nextDescriptor++
    this.#descriptors.set(descriptor, { node: opened, path, flags, position: 0 })
    return descriptor
  }

  close(descriptor: number): void {
    const { path } = this.#opened(descriptor, 'close')
    // It is closed even if the system reports an error.
    this.#descriptors.delete(descriptor)
    this.#begin('close', path)
  }

  /**
   * @param position undefined for that of the descriptor
   * @returns at most `length` bytes, which are shared with the disk
   */
  read(descriptor: number, length: number, position?: number): Buffer {
    const opened = this.#opened(descriptor, 'read')
    this.#begin('read', opened.path)
    const { node, flags } = opened
    if ((flags & O_ACCMODE) === O_WRONLY) throw systemError('EBADF', 'read')
    if (node instanceof FolderNode) throw systemError('EISDIR', 'read')
    const start = position ?? opened.position
    const part = node.content.subarray(start, start + length)
    if (position === undefined) opened.position += part.length
    return part
  }

  /** @param position undefined for that of the descriptor */
  write(descriptor: number, bytes: Uint8Array, position?: number): number {
    const opened = this.#opened(descriptor, 'write')
    const code = this.#faultOf('write', opened.path)
    const { node, flags } = opened
    const isReadOnly = (flags & O_ACCMODE) === O_RDONLY
    if (isReadOnly || node instanceof FolderNode) throw systemError('EBADF', 'write')
    const isAtEnd = (flags & O_APPEND) !== 0
    const put = (count: number) => {
      const start = isAtEnd ? node.size : (position ?? opened.position)
      node.write(bytes.subarray(0, count), start)
      if (position === undefined) opened.position = start + count
      this.#touch(node)
      return count
    }
    const part = () => this.#random.int(bytes.length + 1)
    if (code === undefined) {
      return this.#change(
        () => put(bytes.length),
        () => put(part()),
      )
    }
    const kept = code === 'EMFILE' ? 0 : put(part())
    if (kept > 0 && kept < bytes.length && this.#random.chance(0.5)) return kept
    throw systemError(code, 'write')
  }

  truncate(descriptor: number, size: number): void {
    const { node, path, flags } = this.#opened(descriptor, 'ftruncate')
    this.#begin('ftruncate', path)
    const isReadOnly = (flags & O_ACCMODE) === O_RDONLY
    if (isReadOnly || node instanceof FolderNode) throw systemError('EINVAL', 'ftruncate')
    this.#change(() => this.#truncate(node, size))
  }

  /** Number of steps that a sync which begins now will cover. */
  stepsOf(descriptor: number): number {
    return this.#descriptors.get(descriptor)?.node.made ?? 0
  }

  /** @param steps those made when the sync began; of later ones it covers any number */
  sync(descriptor: number, operation: 'fsync' | 'fdatasync', steps?: number): void {
    const { node, path } = this.#opened(descriptor, operation)
    this.#begin(operation, path)
    const covered = (least: number) => least + this.#random.int(node.made - least + 1)
    this.#change(
      () => node.sync(steps === undefined ? node.made : covered(steps), operation === 'fsync'),
      () => node.sync(covered(0), false),
    )
  }

  stat(path: string, operation = 'stat'): NodeStats {
    this.#begin(operation, path)
    return statsOf(this.#find(operation, path))
  }

  fstat(descriptor: number): NodeStats {
    const { node, path } = this.#opened(descriptor, 'fstat')
    this.#begin('fstat', path)
    return statsOf(node)
  }

  /** Lists the names of a folder, sorted. */
  readdir(path: string): { name: string; isFolder: boolean }[] {
    this.#begin('scandir', path)
    const node = this.#find('scandir', path)
    if (node instanceof FileNode) throw systemError('ENOTDIR', 'scandir', path)
    const names = [...node.names.keys()].toSorted()
    return names.map((name) => ({ name, isFolder: node.names.get(name) instanceof FolderNode }))
  }

  mkdir(path: string, mode = 0o777): void {
    this.#begin('mkdir', path)
    const { folder, name, node } = this.#locate('mkdir', path)
    if (node !== undefined) throw systemError('EEXIST', 'mkdir', path)
    this.#change(() =>
      this.#name(folder, [[name, new FolderNode(this.#ino(), this.#newMeta(mode))]]),
    )
  }

  rmdir(path: string): void {
    this.#begin('rmdir', path)
    const { folder, name, node } = this.#locate('rmdir', path)
    if (node === undefined) throw systemError('ENOENT', 'rmdir', path)
    if (node instanceof FileNode) throw systemError('ENOTDIR', 'rmdir', path)
    if (name === '') throw systemError('EBUSY', 'rmdir', path)
    if (node.names.size > 0) throw systemError('ENOTEMPTY', 'rmdir', path)
    this.#change(() => this.#name(folder, [[name, undefined]]))
  }

  unlink(path: string): void {
    this.#begin('unlink', path)
    const { folder, name, node } = this.#locate('unlink', path)
    if (node === undefined) throw systemError('ENOENT', 'unlink', path)
    if (node instanceof FolderNode) throw systemError('EISDIR', 'unlink', path)
    this.#change(() => this.#name(folder, [[name, undefined]]))
  }

  link(from: string, to: string): void {
    this.#begin('link', from)
    const node = this.#find('link', from, to)
    const target = this.#locate('link', to, from)
    if (target.node !== undefined) throw systemError('EEXIST', 'link', from, to)
    if (node instanceof FolderNode) throw systemError('EPERM', 'link', from, to)
    this.#change(() => this.#name(target.folder, [[target.name, node]]))
  }

  rename(from: string, to: string): void {
    this.#begin('rename', from)
    const fail = (code: string) => systemError(code, 'rename', from, to)
    const source = this.#locate('rename', from, to)
    const target = this.#locate('rename', to, from)
    if (source.name === '' || target.name === '') throw fail('EBUSY')
    if (source.node === undefined) throw fail('ENOENT')
    if (`${to}/`.startsWith(`${from}/`) && source.node instanceof FolderNode && from !== to) {
      throw fail('EINVAL')
    }
    if (from !== to && `${from}/`.startsWith(`${to}/`)) throw fail('ENOTEMPTY')
    if (source.node === target.node) return
    if (target.node !== undefined) {
      const isFolder = target.node instanceof FolderNode
      if (isFolder !== source.node instanceof FolderNode)
        throw fail(isFolder ? 'EISDIR' : 'ENOTDIR')
      if (target.node instanceof FolderNode && target.node.names.size > 0) throw fail('ENOTEMPTY')
    }
    const { node } = source
    this.#change(() => {
      if (source.folder === target.folder) {
        this.#name(source.folder, [
          [target.name, node],
          [source.name, undefined],
        ])
      } else {
        this.#name(target.folder, [[target.name, node]])
        this.#name(source.folder, [[source.name, undefined]])
      }
    })
  }

  chmod(path: string, mode: number): void {
    this.#begin('chmod', path)
    const node = this.#find('chmod', path)
    this.#change(() => {
      node.meta = { ...node.meta, mode }
    })
  }

  utimes(path: string, mtimeMs: number): void {
    this.#begin('utime', path)
    const node = this.#find('utime', path)
    this.#change(() => {
      node.meta = { ...node.meta, mtimeMs }
    })
  }

  /** Ends the name of a temporary folder. */
  randomName(): string {
    return Array.from({ length: 6 }, () => this.#random.int(36).toString(36)).join('')
  }

  #begin(operation: string, path: string): void {
    const code = this.#faultOf(operation, path)
    if (code !== undefined) throw systemError(code, operation, path)
  }

  #faultOf(operation: string, path: string): FaultCode | undefined {
    if (this.#isDead) throw new ProcessDied(`the process that called ${operation} ${path} is dead`)
    this.#operations += 1
    return this.fault?.(operation, path)
  }

  /** Makes a change, or dies within it. */
  #change<T>(
    act: () => T,
    inPart: () => void = () => {
      if (this.#random.chance(0.5)) act()
    },
  ): T {
    if (this.#left === 0) {
      inPart()
      this.#isDead = true
      this.#died()
      throw new ProcessDied('the process died within an operation')
    }
    if (this.#left !== undefined) this.#left -= 1
    return act()
  }

  #opened(descriptor: number, operation: string): Opened {
    if (this.#isDead || descriptor < this.#firstDescriptor) {
      throw new ProcessDied(`the process that called ${operation} is dead`)
    }
    const opened = this.#descriptors.get(descriptor)
    if (opened === undefined) throw systemError('EBADF', operation)
    return opened
  }

  #find(operation: string, path: string, to?: string): DiskNode {
    const { node } = this.#locate(operation, path, to)
    if (node === undefined) throw systemError('ENOENT', operation, path, to)
    return node
  }

  #locate(operation: string, path: string, to?: string): Place {
    const parts = path.slice(this.root.length).split('/').filter(Boolean)
    let place: Place = { folder: this.#tree, name: '', node: this.#tree }
    for (const name of parts) {
      const { node: folder } = place
      if (folder === undefined) throw systemError('ENOENT', operation, path, to)
      if (folder instanceof FileNode) throw systemError('ENOTDIR', operation, path, to)
      if (name.length > longestName / 3 && Buffer.byteLength(name) > longestName) {
        throw systemError('ENAMETOOLONG', operation, path, to)
      }
      place = { folder, name, node: folder.names.get(name) }
    }
    return place
  }

  #name(
    folder: FolderNode,
    names: readonly (readonly [name: string, after: DiskNode | undefined])[],
  ): void {
    for (const [name, after] of names) {
      const before = folder.names.get(name)
      if (before !== undefined) before.links -= 1
      if (after !== undefined) after.links += 1
    }
    folder.change(names)
    this.#touch(folder)
  }

  #truncate(file: FileNode, size: number): void {
    file.truncate(size)
    this.#touch(file)
  }

  #touch(node: DiskNode): void {
    node.meta = { mode: node.meta.mode, mtimeMs: this.#options.now() }
  }

  #newMeta(mode: number): { mode: number; mtimeMs: number } {
    return { mode: mode & ~umask & 0o7777, mtimeMs: this.#options.now() }
  }

  #ino(): number {
    this.#nextIno += 1
    return this.#nextIno
  }
}

const errors = new Map(
  [...getSystemErrorMap()].map(([errno, [code, text]]) => [code, { errno, text }]),
)

/** Creates an error as Node does for a system call that failed. */
export function systemError(
  code: string,
  syscall: string,
  path?: string,
  dest?: string,
): NodeJS.ErrnoException {
  const { errno, text } = errors.get(code) ?? { errno: 0, text: 'unknown error' }
  const of = path === undefined ? '' : ` '${path}'`
  const to = dest === undefined ? '' : ` -> '${dest}'`
  return Object.assign(new Error(`${code}: ${text}, ${syscall}${of}${to}`), {
    errno,
    code,
    syscall,
    ...(path === undefined ? {} : { path }),
    ...(dest === undefined ? {} : { dest }),
  })
}

function statsOf(node: DiskNode) {
  const isFolder = node instanceof FolderNode
  const { mode, mtimeMs } = node.meta
  const mtime = new Date(mtimeMs)
  const birthtime = new Date(node.birthtimeMs)
  const no = () => false
  return {
    dev: device,
    ino: node.ino,
    mode: (isFolder ? constants.S_IFDIR : constants.S_IFREG) | mode,
    nlink: node.links,
    uid,
    gid,
    rdev: 0,
    size: node.size,
    blksize: 4096,
    blocks: Math.ceil(node.size / 4096) * 8,
    atimeMs: mtimeMs,
    mtimeMs,
    ctimeMs: mtimeMs,
    birthtimeMs: node.birthtimeMs,
    atime: mtime,
    mtime,
    ctime: mtime,
    birthtime,
    isFile: () => !isFolder,
    isDirectory: () => isFolder,
    isSymbolicLink: no,
    isFIFO: no,
    isSocket: no,
    isBlockDevice: no,
    isCharacterDevice: no,
  }
}
