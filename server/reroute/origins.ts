import { isLoopbackHost } from '../core/loopback.ts'
import { maskText } from '../core/mask.ts'

/** What a program knows the hub by: scheme, host name and port. */
export interface RoutedOrigin {
  /** As `URL.origin` has it. */
  readonly origin: string
  /** IPv6 without brackets. */
  readonly host: string
  readonly port: number
}

export interface ReadOrigins {
  readonly origins: readonly RoutedOrigin[]
  /** Each completes a sentence that begins with what the origins were given as. */
  readonly problems: readonly string[]
}

const defaultPorts: readonly number[] = [80, 443]

/** Reads origins whose requests are to go to a sandbox; every mistake is named. */
export function readOrigins(texts: readonly string[]): ReadOrigins {
  const origins: RoutedOrigin[] = []
  const problems: string[] = []
  for (const text of texts) {
    const read = readOrigin(text)
    if (typeof read === 'string') problems.push(read)
    else if (origins.some(({ origin }) => origin === read.origin)) {
      problems.push(`has ${read.origin} twice: once is enough`)
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
    return `must be an origin alone, without path or user: ${url.origin} instead of ${maskText(text)}`
  }
  if (url.hostname.includes('*')) {
    return `must name each origin by itself, not ${text}: a connection to a name that is left out would reach the real hub`
  }
  if (isLoopbackHost(url.hostname)) {
    return `cannot have ${text}: what is on this machine is reached by its own address (HF_ENDPOINT, --base-url)`
  }
  return { origin: url.origin, host: plainHost(url.hostname), port: portOf(url) }
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

/** A host as it is compared: lower case, without the dot of the root and the brackets of IPv6. */
export function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

/**
 * Whether a connection belongs to an origin. Of an origin at its usual port both usual ports are taken: the hub answers
 * at 80, too, and must not be reached by a slip of the scheme.
 */
export function belongsTo({ host, port }: RoutedOrigin, to: { host: string; port: number }) {
  if (plainHost(to.host) !== host) return false
  return to.port === port || (defaultPorts.includes(port) && defaultPorts.includes(to.port))
}
