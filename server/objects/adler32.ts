const modulo = 65_521
/** After so many bytes at the most the sums are brought below it again: until then they are integers of 31 bits. */
const addedAtOnce = 3800

/**
 * The sum behind what zlib packs.
 * @param before the sum of what stands before these bytes
 * @see RFC 1950 9
 */
export function adler32(bytes: Uint8Array, before = 1): number {
  let low = before & 0xffff
  let high = before >>> 16
  for (let start = 0; start < bytes.length; start += addedAtOnce) {
    const end = Math.min(bytes.length, start + addedAtOnce)
    for (let at = start; at < end; at++) {
      low += bytes[at] ?? 0
      high += low
    }
    low %= modulo
    high %= modulo
  }
  return high * 0x1_0000 + low
}
