import { lookup } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { RoutedOrigin } from '../reroute/origins.ts'
import { openProxy, type Proxy } from '../reroute/proxy/open-proxy.ts'
import { makeCertificate } from './certificate.ts'

export interface HubProxyOptions {
  readonly origins: readonly RoutedOrigin[]
  /** Where the sandbox listens. */
  readonly url: string
  /** Of the sandbox's own certificate, under HTTPS. */
  readonly certificatePath?: string | undefined
  readonly allowNetwork?: boolean | undefined
}

export interface HubProxy extends Proxy {
  /** The certificate for the names of the origins: PEM. */
  readonly cert: string
}

/**
 * A proxy that leads what is for the origins to a sandbox. Its key stays in memory: whoever had it would be taken for
 * the hub by all that trust the certificate.
 */
export async function openHubProxy({
  origins,
  url,
  certificatePath,
  allowNetwork = false,
}: HubProxyOptions): Promise<HubProxy> {
  const certificate = await makeCertificate(origins.map(({ host }) => host))
  const proxy = await openProxy({
    origins,
    sandbox: new URL(url),
    ...(certificatePath === undefined ? {} : { ca: await readFile(certificatePath, 'utf8') }),
    certificate,
    allowNetwork,
    async resolve(hostname) {
      const addresses = await lookup(hostname, { all: true })
      return addresses.map(({ address }) => ({ address, family: isIP(address) === 6 ? 6 : 4 }))
    },
  })
  return { ...proxy, cert: certificate.cert }
}
