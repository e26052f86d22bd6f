/** Requested part of a file; both ends are included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/**
 * Reads a `Range` header. Malformed headers, other units and several ranges are ignored: the whole file is sent.
 * @param size of the file, in bytes
 * @returns `unsatisfiable` where the file has no byte of it; `undefined` = the whole file
 * @see RFC 9110 §14.1.2, §14.2
 */
export function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i.exec(header ?? '')
  if (match === null) return undefined
  const [, from, to = '', suffix] = match
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size)
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 }
  }
  const first = Number(from)
  if (to !== '' && Number(to) < first) return undefined
  if (first >= size) return 'unsatisfiable'
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}

/**
 * Checks whether an `If-None-Match` header contains an entity tag, by weak comparison.
 * @param etag in quotes
 * @see RFC 9110 §13.1.2
 */
export function namesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((text) => ['*', etag].includes(text.trim().replace(/^W\//, '')))
}
