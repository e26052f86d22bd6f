import { promisify } from 'node:util'
import { constants, deflate, deflateSync, inflate, inflateSync } from 'node:zlib'
import { gitObjectId, GitFormatError, objectHeader, type ObjectType } from './object-id.ts'

export interface GitObject {
  readonly type: ObjectType
  readonly content: Buffer
}

const headerPattern = /^(blob|tree|commit|tag) (0|[1-9]\d*)\0/

/** Compresses an object as a file below `objects/`. */
export function packLoose(object: GitObject): Buffer {
  return deflateSync(withHeader(object), { level: levelFor(object) })
}

const deflateAside = promisify(deflate)

/** Does {@link packLoose} in a thread, for large objects. */
export function packLooseAside(object: GitObject): Promise<Buffer> {
  return deflateAside(withHeader(object), { level: levelFor(object) })
}

/** Content of this size fits with its header into a block of 4 KiB, the least that a file takes on a disk. */
const ofOneBlock = 4096 - 64

/**
 * Stores folders and small files without compression: folders are mostly hashes, which do not compress, and a small file
 * takes one block of the disk either way.
 */
function levelFor({ type, content }: GitObject): number {
  return type === 'tree' || content.length <= ofOneBlock ? 0 : 1
}

const withHeader = ({ type, content }: GitObject) =>
  Buffer.concat([Buffer.from(objectHeader(type, content.length)), content])

/**
 * @param id expected id
 * @throws {GitFormatError} for another content
 */
export function unpackLoose(file: Buffer, id: string): GitObject {
  return objectOf(inflateNow(file, {}), id)
}

const inflateAside = promisify(inflate)

/** Does the same in a thread, for large objects. */
export async function unpackLooseAside(file: Buffer, id: string): Promise<GitObject> {
  const whole = await inflateAside(file).catch((error: unknown) => {
    throw notPacked(error)
  })
  return objectOf(whole, id)
}

function objectOf(whole: Buffer, id: string): GitObject {
  const { type, size, start } = parseHeader(whole)
  const content = whole.subarray(start)
  if (content.length !== size) {
    throw new GitFormatError(`it has ${content.length} bytes in place of ${size}`)
  }
  if (gitObjectId(type, content) !== id) throw new GitFormatError('its content has another id')
  return { type, content }
}

/**
 * Bytes of a file that contain the whole header: the tables of the compression precede it and have up to 290 bytes.
 * @see RFC 1951 3.2.7
 */
export const headBytes = 512

/** @param head the first {@link headBytes} of a file, or all of it */
export function readLooseHeader(head: Buffer): { type: ObjectType; size: number; start: number } {
  return parseHeader(inflateNow(head, { finishFlush: constants.Z_SYNC_FLUSH }))
}

function parseHeader(bytes: Buffer): { type: ObjectType; size: number; start: number } {
  const [header, type, size] = headerPattern.exec(bytes.toString('latin1', 0, 32)) ?? []
  if (header === undefined) throw new GitFormatError('it does not begin as objects of git do')
  return { type: type as ObjectType, size: Number(size), start: header.length }
}

function inflateNow(bytes: Buffer, options: { finishFlush?: number }): Buffer {
  try {
    return inflateSync(bytes, options)
  } catch (error) {
    throw notPacked(error)
  }
}

function notPacked(cause: unknown): GitFormatError {
  return new GitFormatError('it cannot be unpacked', { cause })
}
