import type { Random } from '../../../server/core/random.ts'

/** Facts about a file or folder that a power cut may lose. */
interface Meta {
  readonly mode: number
  readonly mtimeMs: number
}

/**
 * File or folder of a simulated disk. It keeps the steps since its last sync, each with what undoes it: an append keeps
 * nothing, and a sync only forgets steps.
 */
abstract class Inode<Step> {
  readonly ino: number
  readonly birthtimeMs: number
  meta: Meta
  /** Names in folders. */
  links = 0
  protected steps: Step[] = []
  #synced = 0
  #syncedMeta: Meta

  constructor(ino: number, meta: Meta) {
    this.ino = ino
    this.birthtimeMs = meta.mtimeMs
    this.meta = meta
    this.#syncedMeta = meta
  }

  abstract readonly size: number
  protected abstract cutContent(random: Random): void

  /** Number of steps that were ever made. */
  get made(): number {
    return this.#synced + this.steps.length
  }

  /** Makes the first `made` steps survive a power cut. */
  sync(made: number, withMeta: boolean): void {
    if (withMeta) this.#syncedMeta = this.meta
    const count = made - this.#synced
    if (count <= 0) return
    this.steps = this.steps.slice(count)
    this.#synced = made
  }

  /** Loses some of what was not synced; the rest is on the disk. */
  cutPower(random: Random): void {
    if (random.chance(0.5)) this.meta = this.#syncedMeta
    this.cutContent(random)
    this.steps = []
    this.#syncedMeta = this.meta
  }
}

/** Write or truncation that can be undone. */
interface FileStep {
  readonly start: number
  /** Same as `start` for a truncation. */
  readonly end: number
  /** Bytes from `start` that it replaced or cut off. */
  readonly old: Buffer
  readonly oldSize: number
}

const nothing = Buffer.alloc(0)

export class FileNode extends Inode<FileStep> {
  #bytes = nothing
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Content, without a copy. */
  get content(): Buffer {
    return this.#bytes.subarray(0, this.#size)
  }

  write(bytes: Uint8Array, start: number): void {
    if (bytes.length === 0) return
    const end = start + bytes.length
    const old = this.#copy(start, end)
    this.steps.push({ start, end, old, oldSize: this.#size })
    this.#put(bytes, start)
  }

  truncate(size: number): void {
    const old = this.#copy(size, this.#size)
    this.steps.push({ start: size, end: size, old, oldSize: this.#size })
    this.#resize(size)
  }

  flip(offset: number, bit: number): void {
    this.#bytes[offset]! ^= 1 << bit
  }

  /** Overlapping writes need no other order: the part of one that another replaced looks like a torn write. */
  protected cutContent(random: Random): void {
    const made = this.steps.toReversed().map(({ start, end, old, oldSize }) => {
      // What it wrote is in its place until the step before is undone.
      const one = { start, bytes: this.#copy(start, end), size: this.#size, isCut: start === end }
      this.#resize(oldSize)
      this.#put(old, start)
      return one
    })
    const fateOf = chooseFates(made.length, random)
    for (const [index, { start, bytes, size, isCut }] of made.toReversed().entries()) {
      const fate = fateOf(index)
      if (isCut) {
        if (fate !== 'lost') this.#resize(size)
        continue
      }
      // The new length can be stored before the bytes, which are zeros then.
      if (size > this.#size && fate !== 'kept' && random.chance(0.3)) this.#resize(size)
      const torn = fate === 'kept' ? bytes.length : random.int(bytes.length + 1)
      if (fate === 'end lost' || fate === 'kept') this.#put(bytes.subarray(0, torn), start)
      if (fate === 'start lost') this.#put(bytes.subarray(torn), start + torn)
    }
  }

  #copy(start: number, end: number): Buffer {
    return start < this.#size ? Buffer.from(this.content.subarray(start, end)) : nothing
  }

  #put(bytes: Uint8Array, start: number): void {
    if (bytes.length === 0) return
    if (start + bytes.length > this.#size) this.#resize(start + bytes.length)
    this.#bytes.set(bytes, start)
  }

  /** Fills with zeros. */
  #resize(size: number): void {
    if (size > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(size, this.#bytes.length * 2, 256))
      grown.set(this.content)
      this.#bytes = grown
    }
    if (size > this.#size) this.#bytes.fill(0, this.#size, size)
    this.#size = size
  }
}

type Fate = 'kept' | 'lost' | 'end lost' | 'start lost'

/** Single coins for many writes would never keep or lose all of them, nor keep the first ones only. */
function chooseFates(count: number, random: Random): (index: number) => Fate {
  const kept = random.pick([0, count, random.int(count + 1), undefined])
  if (kept === undefined) return () => random.pick(['kept', 'lost', 'end lost', 'start lost'])
  return (index) => {
    if (index === kept && kept > 0) return 'end lost'
    return index < kept ? 'kept' : 'lost'
  }
}

export type DiskNode = FileNode | FolderNode

/** Names that change at once: two for a rename within a folder. */
type NameStep = readonly (readonly [name: string, before: DiskNode | undefined])[]

export class FolderNode extends Inode<NameStep> {
  readonly size = 4096
  readonly #names = new Map<string, DiskNode>()

  get names(): ReadonlyMap<string, DiskNode> {
    return this.#names
  }

  /** Sets names, or removes those without a node. */
  change(names: readonly (readonly [name: string, after: DiskNode | undefined])[]): void {
    this.steps.push(names.map(([name]) => [name, this.#names.get(name)]))
    for (const [name, after] of names) this.#set(name, after)
  }

  forget(name: string): void {
    this.#names.delete(name)
  }

  protected cutContent(random: Random): void {
    const kept = random.pick([0, this.steps.length, random.int(this.steps.length + 1)])
    for (const step of this.steps.slice(kept).toReversed()) {
      for (const [name, before] of step.toReversed()) this.#set(name, before)
    }
  }

  #set(name: string, node: DiskNode | undefined): void {
    if (node === undefined) this.#names.delete(name)
    else this.#names.set(name, node)
  }
}

/** Lists the files and folders below a folder, with paths, in the order of their names; a file with two names twice. */
export function* nodesBelow(
  folder: FolderNode,
  path: string,
): Generator<[path: string, node: DiskNode]> {
  for (const name of [...folder.names.keys()].toSorted()) {
    const node = folder.names.get(name)!
    yield [`${path}/${name}`, node]
    if (node instanceof FolderNode) yield* nodesBelow(node, `${path}/${name}`)
  }
}

/** Cuts the power of a whole disk. Each folder and file loses steps independently of the others. */
export function cutPower(root: FolderNode, random: Random): void {
  const seen = new Set<DiskNode>()
  const cut = (folder: FolderNode) => {
    seen.add(folder)
    folder.cutPower(random)
    for (const [name, node] of folder.names) {
      const isNew = !seen.has(node)
      // A check of the disk removes the second name of a folder: its move was stored in one of two folders.
      if (!isNew && node instanceof FolderNode) {
        folder.forget(name)
        continue
      }
      node.links = isNew ? 1 : node.links + 1
      if (node instanceof FolderNode) cut(node)
      else if (isNew) node.cutPower(random)
      seen.add(node)
    }
  }
  cut(root)
}
