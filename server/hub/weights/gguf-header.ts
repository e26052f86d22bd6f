import { omitUndefined } from '../../core/omit-undefined.ts'

// Header of a GGUF file: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md

/** Facts from a header, by the names of the hub. */
export interface GgufHeader {
  /** Number of parameters. */
  readonly total: number
  readonly architecture: string
  readonly context_length?: number
  readonly chat_template?: string
  readonly bos_token?: string
  readonly eos_token?: string
}

/** Bytes of a value, by its type; texts and lists have a length of their own. */
const sizeOfType = [1, 1, 2, 2, 4, 4, 4, 1, undefined, undefined, 8, 8, 8]
const [textType, listType] = [8, 9]
const mostDimensions = 8
const tokensKey = 'tokenizer.ggml.tokens'

/** The bytes end before the header does. */
class ShortHeader extends Error {}

/**
 * Reads the header of a GGUF file, which anybody can write.
 * @param bytes beginning of the file
 * @returns `short` if the header is longer, `undefined` if it is none
 */
export function readGgufHeader(bytes: Buffer): GgufHeader | 'short' | undefined {
  try {
    return readHeader(new Cursor(bytes))
  } catch (error) {
    if (error instanceof ShortHeader) return 'short'
    throw error
  }
}

function readHeader(cursor: Cursor): GgufHeader | undefined {
  if (cursor.text(4) !== 'GGUF') return undefined
  const version = cursor.number(4)
  // Version 1 had other lengths, and nobody writes big-endian files.
  if (version !== 2 && version !== 3) return undefined
  const tensors = cursor.number(8)
  const pairs = cursor.number(8)
  const values = new Map<string, string | number>()
  let tokens: { at: number; count: number } | undefined
  for (let index = 0; index < pairs; index += 1) {
    const key = cursor.text(cursor.number(8))
    const type = cursor.number(4)
    if (type === listType) {
      const list = skipList(cursor)
      if (list === undefined) return undefined
      if (key === tokensKey && list.type === textType) tokens = list
      continue
    }
    const value = cursor.value(type)
    if (value === undefined) return undefined
    values.set(key, value)
  }
  const total = countParameters(cursor, tensors)
  const architecture = textOf(values.get('general.architecture'))
  if (total === undefined || architecture === undefined) return undefined
  const tokenOf = (key: string) => {
    const id = values.get(`tokenizer.ggml.${key}_token_id`)
    return typeof id === 'number' ? readToken(cursor, tokens, id) : undefined
  }
  return {
    total,
    architecture,
    ...omitUndefined({
      context_length: numberOf(values.get(`${architecture}.context_length`)),
      chat_template: textOf(values.get('tokenizer.chat_template')),
      bos_token: tokenOf('bos'),
      eos_token: tokenOf('eos'),
    }),
  }
}

function skipList(cursor: Cursor): { type: number; at: number; count: number } | undefined {
  const type = cursor.number(4)
  const count = cursor.number(8)
  const { at } = cursor
  const size = sizeOfType[type]
  if (size !== undefined) cursor.skip(size * count)
  else if (type === textType) {
    for (let index = 0; index < count; index += 1) cursor.skip(cursor.number(8))
  } else return undefined
  return { type, at, count }
}

/** @returns `undefined` for impossible tensors */
function countParameters(cursor: Cursor, tensors: number): number | undefined {
  let total = 0
  for (let index = 0; index < tensors; index += 1) {
    cursor.skip(cursor.number(8))
    const dimensions = cursor.number(4)
    if (dimensions > mostDimensions) return undefined
    let count = 1
    for (let dimension = 0; dimension < dimensions; dimension += 1) count *= cursor.number(8)
    // Its type and its place.
    cursor.skip(12)
    total += count
  }
  return Number.isSafeInteger(total) ? total : undefined
}

function readToken(
  { bytes }: Cursor,
  tokens: { at: number; count: number } | undefined,
  id: number,
): string | undefined {
  if (tokens === undefined || id < 0 || id >= tokens.count) return undefined
  const cursor = new Cursor(bytes, tokens.at)
  for (let index = 0; index < id; index += 1) cursor.skip(cursor.number(8))
  return cursor.text(cursor.number(8))
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined)

class Cursor {
  readonly bytes: Buffer
  at: number

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  /** @throws {ShortHeader} */
  skip(length: number): number {
    const { at } = this
    if (length > this.bytes.length - at) throw new ShortHeader()
    this.at = at + length
    return at
  }

  /** Reads a whole number; one that is too large for a length is rounded. */
  number(size: 4 | 8): number {
    const at = this.skip(size)
    return size === 4 ? this.bytes.readUInt32LE(at) : Number(this.bytes.readBigUInt64LE(at))
  }

  text(length: number): string {
    const at = this.skip(length)
    return this.bytes.toString('utf8', at, at + length)
  }

  /** Reads a text or whole number; any other value is 0. @returns `undefined` for an unknown type */
  value(type: number): string | number | undefined {
    if (type === textType) return this.text(this.number(8))
    const size = sizeOfType[type]
    if (size === undefined) return undefined
    // Token ids and lengths are unsigned in practice.
    if (type === 4 || type === 5) return this.number(4)
    if (type === 10 || type === 11) return this.number(8)
    this.skip(size)
    return 0
  }
}
