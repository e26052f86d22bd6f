import { promisify } from 'node:util'
import { constants, deflate, deflateSync, inflate, inflateSync } from 'node:zlib'
import { giveBack } from '../core/give-back.ts'
import { gitObjectId, GitFormatError, objectHeader, type ObjectType } from './object-id.ts'
import { isDense, sampleBytes, samplePlaces, store } from './stored-blocks.ts'

export interface GitObject {
  readonly type: ObjectType
  readonly content: Buffer
}

const level = 1

const headerPattern = /^(blob|tree|commit|tag) (0|[1-9]\d*)\0/

/** An object as it stands in a file of its own, below `objects/`. */
export function packLoose(object: GitObject): Buffer {
  return isStored(object) ? storeObject(object) : deflateSync(withHeader(object), { level })
}

const deflateAside = promisify(deflate)

/** The same, by a thread where it takes a while. */
export async function packLooseAside(object: GitObject): Promise<Buffer> {
  if (isStored(object)) return storeObject(object)
  const whole = withHeader(object)
  const packed = await deflateAside(whole, { level })
  giveBack(whole)
  return packed
}

/** What is no larger fits with all around it into a block of 4 KiB, and no file takes less of a disk. */
const ofOneBlock = 4096 - 64

/**
 * Folders are mostly hashes, which nothing makes smaller: trying takes most of the time of a commit to a large one. What
 * takes one block of the disk either way need not be smaller: packing it takes longer than writing it.
 */
function isStored({ type, content }: GitObject): boolean {
  if (type === 'tree' || content.length <= ofOneBlock) return true
  const places = samplePlaces(content.length)
  const samples = places.map((start) => content.subarray(start, start + sampleBytes))
  return isDense(samples, level)
}

const storeObject = (object: GitObject) => store(headerOf(object), object.content)

const withHeader = (object: GitObject) => Buffer.concat([headerOf(object), object.content])

const headerOf = ({ type, content }: GitObject) => Buffer.from(objectHeader(type, content.length))

/**
 * @param id what it has to be
 * @throws {GitFormatError} when it is something else
 */
export function unpackLoose(file: Buffer, id: string): GitObject {
  return objectOf(inflateNow(file, {}), id)
}

const inflateAside = promisify(inflate)

/** The same, by a thread: unpacking a large one takes a while. */
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
 * Enough of a file to have all of the header: what a text or a folder is packed with stands before its first byte, and is up to
 * 290 bytes long.
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
