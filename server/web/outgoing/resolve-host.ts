import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { TargetAddress } from './target-policy.ts'

/** Returns all addresses of a host name, as resolved by this machine. */
export async function resolveHost(hostname: string): Promise<TargetAddress[]> {
  const addresses = await lookup(hostname, { all: true })
  return addresses.map(({ address }) => ({ address, family: isIP(address) === 6 ? 6 : 4 }))
}
