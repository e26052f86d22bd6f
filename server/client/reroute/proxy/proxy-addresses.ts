import { isLoopbackHost } from '../../../core/loopback.ts'
import { belongsTo, plainHost, type RoutedOrigin } from '../../../core/routed-origins.ts'
import type { ConnectTarget } from '../routes.ts'

/** Parses the target of CONNECT (RFC 9110 §9.3.6): a host and a port. */
export function readAuthority(text: string | undefined): ConnectTarget | undefined {
  const [, host, digits] = /^(\[[\da-f:.]+\]|[a-z\d._-]+):(\d{1,5})$/i.exec(text ?? '') ?? []
  const port = Number(digits)
  if (host === undefined || port < 1 || port > 65_535) return undefined
  return { host: plainHost(host), port }
}

/** Returns the origin of a tunnel to this host, in the format of `URL.origin`. */
export function originOf({ host, port }: ConnectTarget, isSecure: boolean): string {
  const name = host.includes(':') ? `[${host}]` : host
  return new URL(`${isSecure ? 'https' : 'http'}://${name}:${port}`).origin
}

/**
 * Permitted target of a connection through the proxy.
 * - `sandbox`: it is for the real hub; `isSecure` where TLS is spoken there
 * - `loopback`: the user's own app
 * - `elsewhere`: an address policy decides
 * - `nowhere`: with the sentence that says why
 */
export type Passage =
  | { readonly kind: 'sandbox'; readonly isSecure: boolean }
  | { readonly kind: 'loopback' | 'elsewhere' }
  | { readonly kind: 'nowhere'; readonly why: string }

export interface ProxyRules {
  readonly origins: readonly RoutedOrigin[]
  readonly allowNetwork: boolean
  /** Ports of the sandbox and the proxy on this machine. */
  readonly ownPorts: readonly number[]
}

/** Decides by name; the address policy checks the resolved addresses. */
export function passageTo(
  { origins, allowNetwork, ownPorts }: ProxyRules,
  target: ConnectTarget,
): Passage {
  const { host, port } = target
  const route = origins.find((origin) => belongsTo(origin, target))
  if (route !== undefined) {
    return { kind: 'sandbox', isSecure: isSecureAt(route, port) }
  }
  if (origins.some((origin) => origin.host === host)) {
    return nowhere(
      `Port ${port} of ${host} is not intercepted, and the proxy allows nothing else there. Add --intercept with this port.`,
    )
  }
  if (isLoopbackHost(host)) {
    if (!ownPorts.includes(port)) return { kind: 'loopback' }
    return nowhere('Connect to the sandbox itself without its proxy.')
  }
  if (!allowNetwork) {
    return nowhere(
      `${host} is not intercepted. To route it to the sandbox, add --intercept https://${host}; to let it through, add --allow-network.`,
    )
  }
  if (port !== 443 && port !== 80) {
    return nowhere(`Port ${port} of ${host} is blocked: the proxy forwards only 443 and 80.`)
  }
  return { kind: 'elsewhere' }
}

function isSecureAt({ origin, port: own }: RoutedOrigin, port: number): boolean {
  return port === own ? origin.startsWith('https:') : port === 443
}

function nowhere(why: string): Passage {
  return { kind: 'nowhere', why }
}

/**
 * Checks whether a path is one of the sandbox's own, whatever its spelling: encoded (more than once), with slashes or dots too
 * many, in another case, with blanks or control characters in it, which readers of addresses may
 * leave out.
 */
export function isControlPath(target: string): boolean {
  let path = target.split(/[?#]/, 1)[0] ?? ''
  for (let times = 0; times < 3; times++) path = decode(path)
  path = path.replaceAll(/[\p{Cc} ]/gu, '')
  const segments: string[] = []
  for (const segment of path.replaceAll('\\', '/').toLowerCase().split('/')) {
    // Text after a semicolon belongs to the segment.
    const name = segment.split(';', 1)[0] ?? ''
    if (name === '..') segments.pop()
    else if (name !== '' && name !== '.') segments.push(name)
    // Even if it leads out again: whether nothing between two slashes is a step up from differs between readers.
    if (segments[0] === '_sandbox') return true
  }
  return false
}

/** Decodes a path; invalid encoding stays unchanged. */
function decode(path: string): string {
  return path.replaceAll(/%([\da-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
