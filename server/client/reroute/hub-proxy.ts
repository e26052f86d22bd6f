import { lookup } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { RoutedOrigin } from '../../core/routed-origins.ts'
import { openProxy, type Proxy } from './proxy/open-proxy.ts'
import { makeCertificate } from '../../app/certificate.ts'

export interface HubProxyOptions {
  readonly origins: readonly RoutedOrigin[]
  /** URL of the sandbox. */
  readonly url: string
  /** Certificate of the sandbox with HTTPS. */
  readonly certificatePath?: string | undefined
  readonly allowNetwork?: boolean | undefined
  /** Called with the reason, once for each host that is not routed. */
  readonly onRefused?: (sentence: string) => void
}

export interface HubProxy extends Proxy {
  /** Certificate for the names of the origins, PEM. */
  readonly cert: string
}

/**
 * Proxy that redirects requests for the origins to a sandbox. Its key stays in memory: it could impersonate the Hub to
 * programs that trust the certificate.
 */
export async function openHubProxy({
  origins,
  url,
  certificatePath,
  allowNetwork = false,
  onRefused = () => {},
}: HubProxyOptions): Promise<HubProxy> {
  const certificate = await makeCertificate(origins.map(({ host }) => host))
  const proxy = await openProxy({
    origins,
    sandbox: new URL(url),
    ...(certificatePath === undefined ? {} : { ca: await readFile(certificatePath, 'utf8') }),
    certificate,
    allowNetwork,
    onRefused: oncePerSentence(onRefused),
    async resolve(hostname) {
      const addresses = await lookup(hostname, { all: true })
      return addresses.map(({ address }) => ({ address, family: isIP(address) === 6 ? 6 : 4 }))
    },
  })
  return { ...proxy, cert: certificate.cert }
}

/** Maximum number of stored reasons, because a program may request any number of hosts. */
const mostReasons = 100

function oncePerSentence(report: (sentence: string) => void): (sentence: string) => void {
  const reported = new Set<string>()
  return (sentence) => {
    if (reported.has(sentence) || reported.size >= mostReasons) return
    reported.add(sentence)
    report(sentence)
  }
}
