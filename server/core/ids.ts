import { createHash, randomBytes } from 'node:crypto'

/** Source of every id, code, token and secret of a sandbox. */
export interface Ids {
  bytes(length: number): Uint8Array
  /** 24 lower-case hex digits, the hub's form of a database id. */
  objectId(): string
  uuid(): string
  /** Unguessable letters and digits; 24 of them carry 142 bits. */
  alphanumeric(length: number): string
  /** Random string of `length` characters of `alphabet`, each equally likely. */
  pick(alphabet: string, length: number): string
  /** Random number in [0, 1), for jitter. */
  random(): number
  /**
   * Ids for a purpose and, with further names, for a subject of it. In a seeded sandbox they follow from the seed and
   * these names alone, whatever else happens and in which order. Otherwise they are random.
   */
  of(...names: readonly string[]): Ids
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

// Each request for random bytes is a system call; ids are small and many.
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
 * @param source random bytes; see {@link createSeededIds} for repeatable runs
 * @param of ids by purpose; default: these for any purpose
 */
export function createIds(
  source: (length: number) => Uint8Array = pooledRandomBytes(),
  of?: Ids['of'],
): Ids {
  function pick(alphabet: string, length: number): string {
    // Bytes beyond the largest multiple of the alphabet's size would favour its first letters.
    const limit = 256 - (256 % alphabet.length)
    let text = ''
    while (text.length < length) {
      for (const byte of source(length + 8)) {
        if (byte < limit && text.length < length) text += alphabet[byte % alphabet.length]
      }
    }
    return text
  }
  const ids: Ids = {
    bytes: source,
    objectId: () => hex(source(12)),
    uuid: () => formatUuid(source(16)),
    alphanumeric: (length) => pick(letters, length),
    pick,
    random: () => new DataView(Uint8Array.from(source(4)).buffer).getUint32(0) / 2 ** 32,
    of: of ?? (() => ids),
  }
  return ids
}

/** State of the ids of a seeded sandbox. */
export interface IdPosition {
  /** Number of the run in its data folder. */
  generation: number
  /** Bytes used in the run, by the names of {@link Ids.of} as a JSON list. States of earlier versions have none. */
  streams?: Readonly<Record<string, number>>
}

/** Seeded ids with their state. */
export interface SeededIds {
  readonly ids: Ids
  position(): IdPosition
  /** Continues from a state: the same ids follow as did then. */
  seek(position: IdPosition): void
  /** Restarts this run, as for an empty state. */
  rewind(): void
}

/**
 * Creates ids that follow from a seed: two sandboxes with the same seed create the same ones.
 * @param firstGeneration number of the run of a data folder, so that a restart does not repeat ids
 */
export function createSeededIds(seed: number | string, firstGeneration = 0): SeededIds {
  let generation = firstGeneration
  const streams = new Map<string, SeededBytes>()
  const byName = new Map<string, Ids>()

  function of(...names: readonly string[]): Ids {
    const name = JSON.stringify(names)
    const known = byName.get(name)
    if (known !== undefined) return known
    // Looked up for each draw, because a rewind restarts every stream.
    const ids = createIds((length) => streamOf(name)(length), of)
    byName.set(name, ids)
    return ids
  }
  function streamOf(name: string, from = 0): SeededBytes['bytes'] {
    let stream = streams.get(name)
    if (stream === undefined) {
      stream = createSeededBytes(`${seed}:${generation}:${name}`, from)
      streams.set(name, stream)
    }
    return stream.bytes
  }
  function goTo(position: IdPosition): void {
    streams.clear()
    byName.clear()
    generation = position.generation
    for (const [name, bytes] of Object.entries(position.streams ?? {})) streamOf(name, bytes)
  }
  return {
    ids: of(),
    position: () => ({
      generation,
      streams: Object.fromEntries(
        Array.from(streams, ([name, { position }]) => [name, position()]),
      ),
    }),
    seek: goTo,
    rewind: () => goTo({ generation: firstGeneration }),
  }
}

interface SeededBytes {
  readonly bytes: (length: number) => Uint8Array
  /** Number of bytes used. */
  readonly position: () => number
}

/** Seeded bytes from an offset. */
function createSeededBytes(seed: number | string, from = 0): SeededBytes {
  let block = Math.floor(from / 32)
  const next = () => createHash('sha256').update(`${seed}:${block++}`).digest()
  let rest: Uint8Array = from % 32 === 0 ? new Uint8Array(0) : next().subarray(from % 32)
  return {
    bytes(length) {
      const parts = [rest]
      for (let size = rest.length; size < length; size += 32) parts.push(next())
      const bytes = Buffer.concat(parts)
      rest = bytes.subarray(length)
      return bytes.subarray(0, length)
    },
    position: () => block * 32 - rest.length,
  }
}

/** Seeded bytes without a rewind. */
export function seededBytes(seed: number | string): (length: number) => Uint8Array {
  return createSeededBytes(seed).bytes
}

/** Derives the id of an item of the fixtures that has none: the same in every run. */
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
