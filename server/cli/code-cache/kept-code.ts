import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  type Stats,
} from 'node:fs'
import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CachePlace } from './cache-folder.ts'

/** Compiled V8 code on disk, one file per script. Files that other users could have written are not read. */
export interface KeptCode {
  readonly folder: string
  /** @returns undefined for a missing or untrusted file */
  read(name: string, source: Source): Buffer | undefined
  /** @returns whether it was saved */
  write(name: string, source: Source, code: Buffer): Promise<boolean>
}

/** Detects an edited file: V8 compares only its length. */
export interface Source {
  size: number
  mtimeMs: number
}

/** Number of cached programs: versions of this one and of Node. */
const programsKept = 8
const digestBytes = 32
const sourceBytes = 16

/**
 * @param key of the program and its V8 version, which others cannot read
 * @param uid of this process; undefined on Windows
 */
export function createKeptCode(
  { base, below }: CachePlace,
  key: string,
  uid: number | undefined = process.getuid?.(),
): KeptCode {
  const folder = join(base, ...below, key)
  const own = [...below, key].map((_name, depth, names) => join(base, ...names.slice(0, depth + 1)))
  let isTrusted: boolean | undefined

  return {
    folder,
    read(name, source) {
      isTrusted ??= own.every((path) => isOwnFolder(look(path), uid))
      if (!isTrusted) return undefined
      const bytes = readOwnFile(join(folder, name), uid)
      return bytes === undefined ? undefined : unwrap(bytes, source)
    },
    async write(name, source, code) {
      if (!makeOwn(base, own, uid)) return false
      const path = join(folder, name)
      const draft = `${path}.${randomUUID()}.tmp`
      try {
        await writeFile(draft, wrap(source, code), { mode: 0o600, flag: 'wx' })
        // Concurrent readers get the complete old or new file.
        await rename(draft, path)
        return true
      } catch {
        await rm(draft, { force: true }).catch(() => undefined)
        return false
      }
    },
  }
}

/** Deletes the code of unused programs and drafts of killed writers. */
export async function sweepKeptCode(folder: string): Promise<void> {
  const programs = dirname(folder)
  const times = await Promise.all(
    readdirSync(programs).map(async (name) => {
      const path = join(programs, name)
      return { path, at: (await stat(path)).mtimeMs }
    }),
  )
  const newestFirst = times.toSorted((one, other) => other.at - one.at)
  const old = newestFirst.slice(programsKept).map(({ path }) => path)
  const drafts = readdirSync(folder).filter((name) => name.endsWith('.tmp'))
  for (const path of [...old, ...drafts.map((name) => join(folder, name))]) {
    await rm(path, { recursive: true, force: true })
  }
}

function makeOwn(base: string, own: readonly string[], uid: number | undefined): boolean {
  try {
    // As root in another user's home, new files would be unwritable for that user.
    if (look(base) === undefined && isOwn(look(dirname(base)), uid))
      mkdirSync(base, { mode: 0o700 })
    if (!isOwn(look(base), uid)) return false
    for (const path of own) {
      if (look(path) === undefined) mkdirSync(path, { mode: 0o700 })
      if (!isOwnFolder(look(path), uid)) return false
    }
    return true
  } catch {
    return false
  }
}

/** Treats unreadable paths as missing: the program must not fail without a cache. */
function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function isOwn(stats: Stats | undefined, uid: number | undefined): boolean {
  return stats !== undefined && (uid === undefined || stats.uid === uid)
}

/** Returns whether only this user can write there. */
function isOwnFolder(stats: Stats | undefined, uid: number | undefined): boolean {
  return stats?.isDirectory() === true && isOwn(stats, uid) && !isOpenToOthers(stats, uid)
}

function isOpenToOthers({ mode }: Stats, uid: number | undefined): boolean {
  return uid !== undefined && (mode & 0o022) !== 0
}

function readOwnFile(path: string, uid: number | undefined): Buffer | undefined {
  let file: number | undefined
  try {
    // The checked file is the one that is read; links are not followed.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    const stats = fstatSync(file)
    const isMine = stats.isFile() && isOwn(stats, uid) && !isOpenToOthers(stats, uid)
    return isMine ? readFileSync(file) : undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function wrap({ size, mtimeMs }: Source, code: Buffer): Buffer {
  const source = Buffer.alloc(sourceBytes)
  source.writeDoubleLE(size, 0)
  source.writeDoubleLE(mtimeMs, 8)
  const content = Buffer.concat([source, code])
  return Buffer.concat([digestOf(content), content])
}

/** Verifies the checksum: V8 does not, and damaged code would crash the process. */
function unwrap(bytes: Buffer, { size, mtimeMs }: Source): Buffer | undefined {
  if (bytes.length <= digestBytes + sourceBytes) return undefined
  const content = bytes.subarray(digestBytes)
  if (content.readDoubleLE(0) !== size || content.readDoubleLE(8) !== mtimeMs) return undefined
  if (!digestOf(content).equals(bytes.subarray(0, digestBytes))) return undefined
  return content.subarray(sourceBytes)
}

function digestOf(content: Buffer): Buffer {
  return createHash('sha256').update(content).digest()
}
