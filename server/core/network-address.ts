import { isIPv4 } from 'node:net'
import type { NetworkInterfaceInfo } from 'node:os'

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>

/** Interfaces of containers and virtual machines, which a phone in the same network cannot reach. */
const virtual = /^(?:docker|br-|veth|virbr|vmnet|vboxnet|utun|tun|tap|wg|zt|tailscale)/i

/**
 * Returns the address of this machine in its network: IPv4 before IPv6, a network card before a virtual interface.
 * @returns `undefined` for a machine without a network
 */
export function findNetworkAddress(interfaces: Interfaces): string | undefined {
  const found = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ internal, address }) => !internal && !isLinkLocal(address))
      .map(({ address }) => ({
        address,
        rank: (virtual.test(name) ? 2 : 0) + (isIPv4(address) ? 0 : 1),
      })),
  )
  return found.toSorted((a, b) => a.rank - b.rank)[0]?.address
}

/** Link-local addresses need a scope, which no URL has (RFC 3927, RFC 4291 §2.5.6). */
function isLinkLocal(address: string): boolean {
  return address.startsWith('169.254.') || /^fe[89ab]/i.test(address)
}
