import { BlockList, isIP } from 'node:net'

/**
 * - `loopback`: this machine
 * - `private`: a network of the user's own
 * - `public`: anything else that can be routed
 * - `forbidden`: link-local, cloud metadata, multicast, unspecified, reserved: never a receiver
 */
export type AddressKind = 'loopback' | 'private' | 'public' | 'forbidden'

// The first that fits decides. IANA special-purpose registries (RFC 6890).
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
  // All of IPv4 that is left, in its forms within IPv6 too; of IPv6 itself what is given out.
  ['public', ['0.0.0.0/0', '2000::/3']],
]

// Made with the first address: a millisecond that a start without webhooks does not need.
let lists: readonly (readonly [kind: AddressKind, list: BlockList])[] | undefined

// A receiver's address is looked at before each attempt, and they are few; a look at a list takes microseconds.
const known = new Map<string, AddressKind>()
const mostKnown = 1000

/** Tells what an IP address is. Anything that is no address is `forbidden`. */
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

/** These addresses and no others, for {@link isAmong}. */
export function listAddresses(addresses: readonly string[]): BlockList {
  const plain = addresses.map(withoutZone)
  return listNetworks(plain.map((address) => `${address}/${isIP(address) === 4 ? 32 : 128}`))
}

/** Whether an address is in a list, in whichever spelling: an IPv4 address may be written within IPv6. */
export function isAmong(list: BlockList, address: string): boolean {
  const plain = withoutZone(address)
  const version = isIP(plain)
  // The list itself reads an address up to a NUL, and takes what follows for nothing.
  return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
}

/** `fe80::1%eth0` is the same address on one of the machine's networks. */
function withoutZone(address: string): string {
  const [plain = ''] = address.split('%', 1)
  return plain.includes(':') ? plain : address
}

/**
 * Networks written as `address/bits`. Those of IPv4 stand for their addresses within IPv6 as well: as IPv4-mapped ones,
 * which a block list knows by itself, translated (RFC 6052 §2.1) and as 6to4 (RFC 3056 §2).
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
