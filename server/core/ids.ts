import { createHash, randomBytes } from 'node:crypto'

/** Source of every id, code, token and secret of a sandbox. */
export interface Ids {
  bytes(length: number): Uint8Array
  /** 24 lower-case hex digits, the hub's form of a database id. */
  objectId(): string
  uuid(): string
  /** Unguessable letters and digits; 24 of them carry 142 bits. */
  alphanumeric(length: number): string
  /** `length` characters of `alphabet`, each equally likely. */
  pick(alphabet: string, length: number): string
  /** A number in [0, 1), for jitter. */
  random(): number
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

// Each call for randomness is a system call; ids are small and many.
const pooledBytes = 4096

function pooledRandomBytes(): (length: number) => Uint8Array {
  let pool = randomBytes(pooledBytes)
  let taken = 0
  return (length) => {
    if (length > pooledBytes) return randomBytes(length)
    if (taken + length > pool.length) {
      pool = randomBytes(pooledBytes)
      taken = 0
    }
    const bytes = pool.subarray(taken, taken + length)
    taken += length
    return bytes
  }
}

/**
 * @param source random bytes; see {@link seededBytes} for runs that are alike
 */
export function createIds(source: (length: number) => Uint8Array = pooledRandomBytes()): Ids {
  function pick(alphabet: string, length: number): string {
    // Bytes past the largest multiple of the alphabet's size would favour its first letters.
    const limit = 256 - (256 % alphabet.length)
    let text = ''
    while (text.length < length) {
      for (const byte of source(length + 8)) {
        if (byte < limit && text.length < length) text += alphabet[byte % alphabet.length]
      }
    }
    return text
  }
  return {
    bytes: source,
    objectId: () => hex(source(12)),
    uuid: () => formatUuid(source(16)),
    alphanumeric: (length) => pick(letters, length),
    pick,
    random: () => new DataView(Uint8Array.from(source(4)).buffer).getUint32(0) / 2 ** 32,
  }
}

/** How far the ids of a seeded sandbox have come. */
export interface IdPosition {
  /** Run of the data folder. */
  generation: number
  /** Bytes handed out in it. */
  bytes: number
}

/** Bytes that follow from a seed, and where they stand. */
export interface SeededBytes {
  readonly bytes: (length: number) => Uint8Array
  position(): IdPosition
  /**
   * Goes on from there; the same bytes follow as before. A position of another run is none of this one's, and nothing
   * that was made from this one's can stand in a state of that time.
   */
  seek(position: IdPosition): void
  /** Begins again, as a state begins that nothing was made in. */
  rewind(): void
}

/**
 * Bytes that follow from a seed: two sandboxes with the same seed hand out the same ids.
 * @param generation tells the runs of one data folder apart, so that a restart does not repeat ids
 */
export function createSeededBytes(seed: number | string, generation = 0): SeededBytes {
  let block = 0
  let rest: Uint8Array = new Uint8Array(0)
  const next = () => createHash('sha256').update(`${seed}:${generation}:${block++}`).digest()
  function goTo(bytes: number): void {
    block = Math.floor(bytes / 32)
    rest = new Uint8Array(0)
    if (bytes % 32 > 0) rest = next().subarray(bytes % 32)
  }
  return {
    bytes(length) {
      const parts = [rest]
      for (let size = rest.length; size < length; size += 32) parts.push(next())
      const bytes = Buffer.concat(parts)
      rest = bytes.subarray(length)
      return bytes.subarray(0, length)
    },
    position: () => ({ generation, bytes: block * 32 - rest.length }),
    seek(position) {
      if (position.generation === generation) goTo(position.bytes)
    },
    rewind: () => goTo(0),
  }
}

/** The bytes of {@link createSeededBytes}, which nobody takes back. */
export function seededBytes(seed: number | string, generation = 0): (length: number) => Uint8Array {
  return createSeededBytes(seed, generation).bytes
}

/** The id of something the fixtures name without giving an id: the same in every run. */
export function derivedObjectId(kind: string, name: string): string {
  return hex(digest(kind, name).subarray(0, 12))
}

export function derivedUuid(kind: string, name: string): string {
  return formatUuid(digest(kind, name).subarray(0, 16))
}

function digest(kind: string, name: string): Uint8Array {
  return createHash('sha256').update(`${kind}:${name}`).digest()
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

/** RFC 9562 §5.4: version 4, variant 10. */
function formatUuid(bytes: Uint8Array): string {
  const copy = Uint8Array.from(bytes)
  copy[6] = ((copy[6] ?? 0) & 0x0f) | 0x40
  copy[8] = ((copy[8] ?? 0) & 0x3f) | 0x80
  const text = hex(copy)
  return [
    text.slice(0, 8),
    text.slice(8, 12),
    text.slice(12, 16),
    text.slice(16, 20),
    text.slice(20),
  ].join('-')
}
