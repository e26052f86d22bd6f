/**
 * Whether a name or address to listen on or to be reached at is this machine to itself only:
 * 127.0.0.0/8, ::1, localhost and what ends in `.localhost` (RFC 6761 §6.3).
 * @param host IPv6 with or without brackets
 */
export function isLoopbackHost(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    /^127(\.\d{1,3}){3}$/.test(name)
  )
}
