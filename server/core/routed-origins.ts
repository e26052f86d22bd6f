import { isLoopbackHost } from './loopback.ts'
import { maskText } from './mask.ts'

/** Origin of the hub: scheme, host name and port. */
export interface RoutedOrigin {
  /** Format of `URL.origin`. */
  readonly origin: string
  /** IPv6 without brackets. */
  readonly host: string
  readonly port: number
}

export interface ReadOrigins {
  readonly origins: readonly RoutedOrigin[]
  /** Problems as clauses that follow the name of the option. */
  readonly problems: readonly string[]
}

const defaultPorts: readonly number[] = [80, 443]

/** Parses the origins to intercept and reports every problem. */
export function readOrigins(texts: readonly string[]): ReadOrigins {
  const origins: RoutedOrigin[] = []
  const problems: string[] = []
  for (const text of texts) {
    const read = readOrigin(text)
    if (typeof read === 'string') problems.push(read)
    else if (origins.some(({ origin }) => origin === read.origin)) {
      problems.push(`has ${read.origin} twice: remove one`)
    } else origins.push(read)
  }
  return { origins, problems }
}

function readOrigin(text: string): RoutedOrigin | string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return `must be an origin such as https://huggingface.co, not ${maskText(text)}`
  }
  const isRoot = url.pathname === '/' && url.search === '' && url.hash === ''
  if (!isRoot || url.username !== '' || url.password !== '') {
    return `must be an origin without path or user: use ${url.origin} instead of ${maskText(text)}`
  }
  if (url.hostname.includes('*')) {
    return `must list each origin, not ${text}: a connection to an unlisted name would reach the real Hub`
  }
  if (isLoopbackHost(url.hostname)) {
    return `cannot contain ${text}: use the URL of a local server itself (HF_ENDPOINT, --base-url)`
  }
  return { origin: url.origin, host: plainHost(url.hostname), port: portOf(url) }
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

/** Normalizes a host: lower case, without the root dot and the brackets of IPv6. */
export function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

/**
 * Returns whether a connection belongs to an origin. An origin at a default port includes both default ports: the hub also responds
 * at 80, and must not be reached through a wrong scheme.
 */
export function belongsTo({ host, port }: RoutedOrigin, to: { host: string; port: number }) {
  if (plainHost(to.host) !== host) return false
  return to.port === port || (defaultPorts.includes(port) && defaultPorts.includes(to.port))
}
