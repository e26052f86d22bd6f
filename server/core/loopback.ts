/**
 * Checks whether a name or address is loopback: 127.0.0.0/8, ::1, localhost or a name in `.localhost` (RFC 6761 §6.3).
 * @param host IPv6 with or without brackets
 */
export function isLoopbackHost(host: string): boolean {
  const name = normal(host)
  return isLocalhost(name) || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
}

/** Addresses of `localhost`; the rest of 127.0.0.0/8 is loopback as well. */
export const localhostAddresses: readonly string[] = ['127.0.0.1', '::1']

/** Checks whether a name is `localhost` or ends in `.localhost`: loopback, whatever a resolver returns (RFC 6761 §6.3). */
export function isLocalhost(host: string): boolean {
  const name = normal(host)
  return name === 'localhost' || name.endsWith('.localhost')
}

function normal(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}
