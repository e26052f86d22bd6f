import { isIPv4 } from 'node:net'

/**
 * Checks whether a name or address is loopback: 127.0.0.0/8, ::1, localhost or a name in `.localhost` (RFC 6761 §6.3). Only
 * names may end in the dot of the root, and addresses have one notation, the one that browsers and `new URL` write.
 * @param host IPv6 with or without brackets
 */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[(.*:.*)\]$/, '$1')
  return isLocalhost(name) || name === '::1' || (isIPv4(name) && name.startsWith('127.'))
}

/** Addresses of `localhost`; the rest of 127.0.0.0/8 is loopback as well. */
export const localhostAddresses: readonly string[] = ['127.0.0.1', '::1']

/** Checks whether a name is `localhost` or ends in `.localhost`: loopback, whatever a resolver returns (RFC 6761 §6.3). */
export function isLocalhost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return name === 'localhost' || name.endsWith('.localhost')
}

/**
 * Returns another name of this machine, which a client takes for another host.
 * @returns undefined for a host that is not loopback, or has no other name that each resolver knows
 */
export function otherLoopbackName(host: string): string | undefined {
  if (host === 'localhost') return '127.0.0.1'
  return host === '127.0.0.1' || host === '[::1]' ? 'localhost' : undefined
}

/**
 * Reads the name in the value of a `Host` header, without its port. A name may end in the dot of the root, an address may not.
 * @returns in lower case, without that dot; undefined for anything else
 */
export function hostName(host: string | undefined): string | undefined {
  const pattern = /^(?:(\[[\da-f:.]*[\da-f:]\])|([a-z\d_-]+(?:\.[a-z\d_-]+)*)(\.?))(?::\d{1,5})?$/
  const [, address, name, dot] = pattern.exec(host?.toLowerCase() ?? '') ?? []
  // A URL whose host ends in a number names an address, with or without a dot behind it.
  const isAddress = /(?:^|\.)(?:\d+|0x[\da-f]*)$/.test(name ?? '')
  return address ?? (dot === '.' && isAddress ? undefined : name)
}

/** Checks whether the value of a `Host` header is loopback. */
export function isLoopbackAuthority(host: string | undefined): boolean {
  const name = hostName(host)
  return name !== undefined && isLoopbackHost(name)
}
