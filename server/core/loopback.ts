/**
 * Whether a name or address to listen on or to be reached at is this machine to itself only:
 * 127.0.0.0/8, ::1, localhost and what ends in `.localhost` (RFC 6761 §6.3).
 * @param host IPv6 with or without brackets
 */
export function isLoopbackHost(host: string): boolean {
  const name = normal(host)
  return isLocalhost(name) || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
}

/** Where `localhost` leads; the rest of 127.0.0.0/8 is this machine, too, by other addresses. */
export const localhostAddresses: readonly string[] = ['127.0.0.1', '::1']

/** Whether a name is `localhost` or ends in `.localhost`: loopback whatever a resolver says (RFC 6761 §6.3). */
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
