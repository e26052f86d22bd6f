import { networkInterfaces } from 'node:os'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { isAmong, kindOfAddress, listAddresses } from './address.ts'
import { isLocalhost, localhostAddresses } from '../core/loopback.ts'

export interface TargetAddress {
  address: string
  family: 4 | 6
}

/** What outgoing requests may reach. */
export interface TargetPolicy {
  /** Public addresses too. */
  readonly allowNetwork: boolean
  /** Ports that the sandboxes of this process listen on: none calls itself or another. */
  ownPorts(): readonly number[]
  /** All addresses of a host name; rejects when there is none. */
  resolve(hostname: string): Promise<readonly TargetAddress[]>
}

/** The sandbox refuses to call this address. The message says why and what would open it. */
export class BlockedTargetError extends Error {
  override readonly name: string = 'BlockedTargetError'
  /** Whether `--allow-network` would open it. */
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
 * Finds the addresses a URL may be fetched from. Connect to one of these and do not resolve again:
 * a name that changes its mind in between is how guards like this are passed.
 * @param url http or https
 * @throws {BlockedTargetError} when no address of the host may be called
 * @throws whatever `policy.resolve` rejects with
 */
export async function resolveTarget(
  url: URL,
  policy: TargetPolicy,
): Promise<readonly TargetAddress[]> {
  const host = hostOf(url)
  const known = addressesWithoutResolver(host)
  if (known === undefined && !policy.allowNetwork && isPublicName(host)) {
    throw new BlockedTargetError(
      `${host} is a public host name; start with --allow-network to look it up and call it`,
      true,
    )
  }
  const addresses = known ?? (await policy.resolve(host))
  const refusals: string[] = []
  const allowed = addresses.filter(({ address }) => {
    const refusal = refusalOf(address, portOf(url), policy)
    if (refusal !== undefined) refusals.push(known ? refusal : `${host} resolves so: ${refusal}`)
    return refusal === undefined
  })
  if (allowed.length > 0) return allowed
  const needsNetwork = addresses.some(({ address }) => kindOfAddress(address) === 'public')
  throw new BlockedTargetError(refusals[0] ?? `${host} has no address`, needsNetwork)
}

/**
 * A resolver for `http.request` that knows these addresses only: those that were checked, whatever the name would
 * resolve to by now.
 */
export function lookupAmong(addresses: readonly TargetAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all === true) callback(null, [...addresses])
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
  }
}

/** Why a URL can never be called, as far as that is known without a resolver. */
export function blockedWithoutResolver(url: URL, policy: TargetPolicy): string | undefined {
  const addresses = addressesWithoutResolver(hostOf(url))
  const refusals = addresses?.map(({ address }) => refusalOf(address, portOf(url), policy))
  return refusals?.every((refusal) => refusal !== undefined) === true ? refusals[0] : undefined
}

/**
 * Why nothing can ever answer at a URL, with what to give instead. What only this sandbox refuses to call is no part
 * of it: that is told where a result would be.
 */
export function findTargetProblem(
  url: URL,
  policy: Pick<TargetPolicy, 'ownPorts'>,
): string | undefined {
  if (url.port === '0') {
    return 'Nothing can be reached at port 0, which stands for any free port: give the port that the receiver listens on.'
  }
  const addresses = addressesWithoutResolver(hostOf(url)) ?? []
  const unspecified = listAddresses(['0.0.0.0', '::'])
  if (addresses.some(({ address }) => isAmong(unspecified, address))) {
    return `${hostOf(url)} is where a server listens on all addresses, not one to call: give localhost.`
  }
  if (addresses.some(({ address }) => isSandbox(address, portOf(url), policy))) {
    return `Port ${portOf(url)} is a sandbox: this one, a fork of it or another of its process. None calls a sandbox: give the port of the receiver.`
  }
  return undefined
}

function refusalOf(address: string, port: number, policy: TargetPolicy): string | undefined {
  const kind = kindOfAddress(address)
  if (kind === 'forbidden') {
    return `${address} is a link-local, metadata or reserved address, and never called`
  }
  if (kind === 'public' && !policy.allowNetwork) {
    return `${address} is a public address; start with --allow-network to call it`
  }
  if (isSandbox(address, port, policy)) {
    return `${address} port ${port} is a sandbox: this one, a fork of it or another of its process`
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

/** `*.localhost` is loopback whatever a resolver says, which often does not know it (RFC 6761 §6.3). */
function addressesWithoutResolver(host: string): readonly TargetAddress[] | undefined {
  if (isLocalhost(host)) return localhost
  const family = isIP(host)
  return family === 4 || family === 6 ? [{ address: host, family }] : undefined
}

/** Last labels of names that only private networks resolve (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`). */
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

/** Whether looking a name up asks public name servers. One without a dot is of the machine or its network. */
function isPublicName(host: string): boolean {
  const labels = host.toLowerCase().split('.')
  return labels.length > 1 && !privateLabels.has(labels.at(-1) ?? '')
}

/** Name or address, without the brackets of IPv6 and the dot of a root. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}
