import { BlockList, isIP } from 'node:net'

/**
 * - `loopback`: this machine
 * - `private`: a network of the user's own
 * - `public`: anything else that can be routed
 * - `forbidden`: link-local, cloud metadata, multicast, unspecified, reserved: never called
 */
export type AddressKind = 'loopback' | 'private' | 'public' | 'forbidden'

// The first match decides. IANA special-purpose registries (RFC 6890).
const ranges: readonly (readonly [kind: AddressKind, ranges: readonly string[]])[] = [
  ['loopback', ['127.0.0.0/8', '::1/128']],
  [
    'forbidden',
    [
      '0.0.0.0/8',
      '100.100.100.200/32',
      '169.254.0.0/16',
      '192.0.0.0/24',
      '192.0.2.0/24',
      '198.18.0.0/15',
      '198.51.100.0/24',
      '203.0.113.0/24',
      '224.0.0.0/3',
      '2001:db8::/32',
      'fd00:ec2::254/128',
    ],
  ],
  ['private', ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
  // The rest of IPv4, also embedded in IPv6, and the allocated part of IPv6.
  ['public', ['0.0.0.0/0', '2000::/3']],
]

// Created with the first address: takes a millisecond, which a start without webhooks saves.
let lists: readonly (readonly [kind: AddressKind, list: BlockList])[] | undefined

// Cached: there are few receivers, each is checked before every attempt, and a check takes microseconds.
const known = new Map<string, AddressKind>()
const mostKnown = 1000

/** Checks whether a text is an IP address, of either version. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0
}

/** Classifies an IP address. Any other text is `forbidden`. */
export function kindOfAddress(address: string): AddressKind {
  const kind = known.get(address) ?? judge(address)
  if (known.size >= mostKnown) known.clear()
  known.set(address, kind)
  return kind
}

function judge(address: string): AddressKind {
  lists ??= ranges.map(([kind, networks]) => [kind, listNetworks(networks)])
  return lists.find(([, list]) => isAmong(list, address))?.[0] ?? 'forbidden'
}

/** Creates a list of addresses for {@link isAmong}. */
export function listAddresses(addresses: readonly string[]): BlockList {
  const plain = addresses.map(withoutZone)
  return listNetworks(plain.map((address) => `${address}/${isIP(address) === 4 ? 32 : 128}`))
}

/** Returns whether an address is in a list, in any notation: an IPv4 address may be embedded in IPv6. */
export function isAmong(list: BlockList, address: string): boolean {
  const plain = withoutZone(address)
  const version = isIP(plain)
  // `BlockList` reads an address up to a NUL character and ignores the rest.
  return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
}

/** Removes the zone: `fe80::1%eth0` is `fe80::1` on one network interface. */
function withoutZone(address: string): string {
  const [plain = ''] = address.split('%', 1)
  return plain.includes(':') ? plain : address
}

/**
 * Creates a list of networks written as `address/bits`. An IPv4 network also covers its addresses embedded in IPv6:
 * IPv4-mapped, which `BlockList` does itself, translated (RFC 6052 §2.1) and 6to4 (RFC 3056 §2).
 */
function listNetworks(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', length = ''] = network.split('/')
    const bits = Number(length)
    if (isIP(address) === 6) list.addSubnet(address, bits, 'ipv6')
    else {
      const [high, low] = [0, 2].map((at) => hex(address.split('.').slice(at, at + 2)))
      list.addSubnet(address, bits, 'ipv4')
      list.addSubnet(`64:ff9b::${address}`, 96 + bits, 'ipv6')
      list.addSubnet(`2002:${high}:${low}::`, 16 + bits, 'ipv6')
    }
  }
  return list
}

function hex(bytes: readonly string[]): string {
  return Buffer.from(bytes.map(Number)).toString('hex')
}
