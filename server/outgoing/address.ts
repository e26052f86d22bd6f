import { isIP } from 'node:net'

/**
 * - `loopback`: this machine
 * - `private`: a network of the user's own
 * - `public`: anything else that can be routed
 * - `forbidden`: link-local, cloud metadata, multicast, unspecified, reserved: never a receiver
 */
export type AddressKind = 'loopback' | 'private' | 'public' | 'forbidden'

type Range = readonly [network: string, prefixLength: number, kind: AddressKind]

// The first that fits decides. IANA special-purpose registries (RFC 6890).
const ranges4: readonly Range[] = [
  ['100.100.100.200', 32, 'forbidden'],
  ['127.0.0.0', 8, 'loopback'],
  ['10.0.0.0', 8, 'private'],
  ['172.16.0.0', 12, 'private'],
  ['192.168.0.0', 16, 'private'],
  ['100.64.0.0', 10, 'private'],
  ['0.0.0.0', 8, 'forbidden'],
  ['169.254.0.0', 16, 'forbidden'],
  ['192.0.0.0', 24, 'forbidden'],
  ['192.0.2.0', 24, 'forbidden'],
  ['198.18.0.0', 15, 'forbidden'],
  ['198.51.100.0', 24, 'forbidden'],
  ['203.0.113.0', 24, 'forbidden'],
  ['224.0.0.0', 3, 'forbidden'],
]

const ranges6: readonly Range[] = [
  ['::1', 128, 'loopback'],
  ['fd00:ec2::254', 128, 'forbidden'],
  ['fc00::', 7, 'private'],
  ['2001:db8::', 32, 'forbidden'],
  ['2000::', 3, 'public'],
  ['::', 0, 'forbidden'],
]

/** IPv6 networks whose addresses stand for an IPv4 address, and where in the 16 bytes that one is. */
const embedding: readonly (readonly [network: string, prefixLength: number, offset: number])[] = [
  ['::ffff:0:0', 96, 12],
  ['64:ff9b::', 96, 12],
  ['2002::', 16, 2],
]

const table4 = compile(ranges4)
const table6 = compile(ranges6)
const embeddingTable = embedding.map(([network, length, offset]) => ({
  network: parse(network),
  length,
  offset,
}))

// A receiver's address is looked at before each attempt, and they are few.
const known = new Map<string, AddressKind>()
const mostKnown = 1000

/** Tells what an IP address is. Anything that is no address is `forbidden`. */
export function kindOfAddress(address: string): AddressKind {
  const kind = known.get(address) ?? judge(address)
  if (known.size >= mostKnown) known.clear()
  known.set(address, kind)
  return kind
}

/** Tells whether two spellings mean the same machine: an IPv4 address and its forms within IPv6 do. */
export function isSameAddress(one: string, other: string): boolean {
  return one === other || identityOf(one) === identityOf(other)
}

function identityOf(address: string): string {
  const bytes = parse(address)
  const form = bytes.length === 4 ? undefined : embeddingOf(bytes)
  return (form === undefined ? bytes : bytes.slice(form.offset, form.offset + 4)).join('.')
}

function embeddingOf(bytes: Uint8Array) {
  return embeddingTable.find(({ network, length }) => within(bytes, network, length))
}

function judge(address: string): AddressKind {
  const family = isIP(address)
  if (family === 0) return 'forbidden'
  const bytes = parse(address)
  return family === 4 ? lookUp(table4, bytes) : kindOfAddress6(bytes)
}

function kindOfAddress6(bytes: Uint8Array): AddressKind {
  const form = embeddingOf(bytes)
  if (form === undefined) return lookUp(table6, bytes)
  return lookUp(table4, bytes.slice(form.offset, form.offset + 4))
}

function compile(ranges: readonly Range[]) {
  return ranges.map(([network, length, kind]) => ({ network: parse(network), length, kind }))
}

function lookUp(table: ReturnType<typeof compile>, bytes: Uint8Array): AddressKind {
  return table.find(({ network, length }) => within(bytes, network, length))?.kind ?? 'public'
}

function within(bytes: Uint8Array, network: Uint8Array, length: number): boolean {
  for (let bit = 0; bit < length; bit += 8) {
    const mask = length - bit >= 8 ? 0xff : 0xff << (8 - (length - bit))
    const index = bit / 8
    if ((((bytes[index] ?? 0) ^ (network[index] ?? 0)) & mask & 0xff) !== 0) return false
  }
  return true
}

/** The 4 or 16 bytes of a valid address; a zone (`%eth0`) does not matter. */
function parse(address: string): Uint8Array {
  const text = address.split('%')[0] ?? ''
  if (isIP(text) === 4) return Uint8Array.from(text.split('.'), Number)
  const [head = '', tail] = text.split('::')
  const before = groups(head)
  const after = tail === undefined ? [] : groups(tail)
  const gap = Array.from({ length: 16 - before.length - after.length }, () => 0)
  return Uint8Array.from([...before, ...gap, ...after])
}

function groups(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number)
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
}
