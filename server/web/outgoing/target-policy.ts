import { networkInterfaces } from 'node:os'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { isAmong, kindOfAddress, listAddresses } from './address.ts'
import { isLocalhost, localhostAddresses } from '../../core/loopback.ts'

export interface TargetAddress {
  address: string
  family: 4 | 6
}

/** Address policy for outgoing requests. */
export interface TargetPolicy {
  /** Allows public addresses. */
  readonly allowNetwork: boolean
  /** Ports of the sandboxes of this process, which must not call themselves or each other. */
  ownPorts(): readonly number[]
  /** Returns all addresses of a host name; rejects when there are none. */
  resolve(hostname: string): Promise<readonly TargetAddress[]>
}

/** Refusal to call an address. The message gives the reason and the flag that allows it. */
export class BlockedTargetError extends Error {
  override readonly name: string = 'BlockedTargetError'
  /** Whether `--allow-network` would allow it. */
  readonly needsNetwork: boolean

  constructor(message: string, needsNetwork = false) {
    super(message)
    this.needsNetwork = needsNetwork
  }
}

const localhost: readonly TargetAddress[] = localhostAddresses.map((address) => ({
  address,
  family: isIPv6(address) ? 6 : 4,
}))

/**
 * Resolves a URL to the addresses that may be called. Connect to one of these without resolving again, because DNS
 * rebinding would get around this check.
 * @param url http or https
 * @throws {BlockedTargetError} when no address of the host may be called
 * @throws the error of `policy.resolve`
 */
export async function resolveTarget(
  url: URL,
  policy: TargetPolicy,
): Promise<readonly TargetAddress[]> {
  const host = hostOf(url)
  const known = addressesWithoutResolver(host)
  if (known === undefined && !policy.allowNetwork && isPublicName(host)) {
    throw new BlockedTargetError(
      `${host} is a public host name; start with --allow-network to resolve and call it`,
      true,
    )
  }
  const addresses = known ?? (await policy.resolve(host))
  const refusals: string[] = []
  const allowed = addresses.filter(({ address }) => {
    const refusal = refusalOf(address, portOf(url), policy)
    if (refusal !== undefined)
      refusals.push(known ? refusal : `${host} resolves to a blocked address: ${refusal}`)
    return refusal === undefined
  })
  if (allowed.length > 0) return allowed
  const needsNetwork = addresses.some(({ address }) => kindOfAddress(address) === 'public')
  throw new BlockedTargetError(refusals[0] ?? `${host} has no address`, needsNetwork)
}

/**
 * Creates a resolver for `http.request` that returns the checked addresses, whatever the name resolves to by now.
 */
export function lookupAmong(addresses: readonly TargetAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all === true) callback(null, [...addresses])
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
  }
}

/** Returns why a URL can never be called, as far as is known without resolving its host. */
export function blockedWithoutResolver(url: URL, policy: TargetPolicy): string | undefined {
  const addresses = addressesWithoutResolver(hostOf(url))
  const refusals = addresses?.map(({ address }) => refusalOf(address, portOf(url), policy))
  return refusals?.every((refusal) => refusal !== undefined) === true ? refusals[0] : undefined
}

/**
 * Returns why no receiver can exist at a URL, and a fix. URLs that only this sandbox refuses to call are not included:
 * their refusal is the outcome of the attempt.
 */
export function findTargetProblem(
  url: URL,
  policy: Pick<TargetPolicy, 'ownPorts'>,
): string | undefined {
  if (url.port === '0') {
    return 'Port 0 means "any free port" and cannot be called. Use the port that the receiver listens on.'
  }
  const addresses = addressesWithoutResolver(hostOf(url)) ?? []
  const unspecified = listAddresses(['0.0.0.0', '::'])
  if (addresses.some(({ address }) => isAmong(unspecified, address))) {
    return `${hostOf(url)} means "all addresses" for a server and cannot be called. Use localhost.`
  }
  if (addresses.some(({ address }) => isSandbox(address, portOf(url), policy))) {
    return `Port ${portOf(url)} belongs to this sandbox, or to another one in the same process, which are never called. Use the port of the receiver.`
  }
  return undefined
}

function refusalOf(address: string, port: number, policy: TargetPolicy): string | undefined {
  const kind = kindOfAddress(address)
  if (kind === 'forbidden') {
    return `${address} is a link-local, metadata or reserved address, which is never called`
  }
  if (kind === 'public' && !policy.allowNetwork) {
    return `${address} is a public address; start with --allow-network to call it`
  }
  if (isSandbox(address, port, policy)) {
    return `${address} port ${port} belongs to this sandbox, or to another one in the same process, which are never called`
  }
  return undefined
}

function isSandbox(address: string, port: number, policy: Pick<TargetPolicy, 'ownPorts'>): boolean {
  if (!policy.ownPorts().includes(port)) return false
  return kindOfAddress(address) === 'loopback' || isOwnAddress(address)
}

function isOwnAddress(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  return isAmong(listAddresses(own.map((entry) => entry.address)), address)
}

/** `*.localhost` is always loopback, although many resolvers do not know it (RFC 6761 §6.3). */
function addressesWithoutResolver(host: string): readonly TargetAddress[] | undefined {
  if (isLocalhost(host)) return localhost
  const family = isIP(host)
  return family === 4 || family === 6 ? [{ address: host, family }] : undefined
}

/** Top-level labels of private networks (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`). */
const privateLabels: ReadonlySet<string> = new Set([
  'localhost',
  'local',
  'internal',
  'test',
  'example',
  'invalid',
  'arpa',
  'lan',
  'home',
  'corp',
  'private',
  'intranet',
  'localdomain',
])

/** Returns whether resolving a name needs public name servers. A name without a dot is local. */
function isPublicName(host: string): boolean {
  const labels = host.toLowerCase().split('.')
  return labels.length > 1 && !privateLabels.has(labels.at(-1) ?? '')
}

/** Returns the host name or address of a URL, without IPv6 brackets and trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}
