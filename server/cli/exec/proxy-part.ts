import { join } from 'node:path'
import type { JavaProperties } from '../../contract/java-options.ts'
import { localhostAddresses } from '../../core/loopback.ts'
import { commandText } from '../../core/shell-words.ts'
import type { RoutedOrigin } from '../../core/routed-origins.ts'
import { browserFlags, publicKeyHash } from '../../client/reroute/proxy/browser-flags.ts'
import { openHubProxy } from '../../client/reroute/hub-proxy.ts'
import { CommandError } from '../command-error.ts'
import { interceptedOrigins } from './intercept-part.ts'
import type { Run, RunPartMaker } from './run-part.ts'

/** `--proxy`: browsers, and programs that are not of Node, reach the sandbox by the hub's name. */
export const proxyPart: RunPartMaker = {
  isWanted: ({ proxy }) => proxy === true,
  startOptions(options) {
    if (interceptedOrigins(options).length > 0) return {}
    throw new CommandError(
      '--proxy redirects the origins of --intercept to the sandbox: add --intercept https://huggingface.co, or omit --proxy.',
      { exitCode: 2 },
    )
  },
  async begin(run) {
    const origins = interceptedOrigins(run.options)
    const { url, certificatePath } = run.connection
    const { allowNetwork } = run.options
    const proxy = await openHubProxy({
      origins,
      url,
      certificatePath,
      allowNetwork,
      onRefused: (sentence) => run.print(sentence),
    })
    const profile = join(run.folder, 'browser')
    const flags = browserFlags({ proxyUrl: proxy.url, cert: proxy.cert, profile })
    run.print(
      'Not redirected: programs that ignore the variables for proxies, such as aiohttp without trust_env, Go programs with a Transport of their own, and Java programs with a ProxySelector of their own.',
    )
    run.print(`Proxy: ${proxy.url}, for a browser: ${commandText(['chromium', ...flags])}`)
    return {
      variables: {
        ...proxyVariables(process.env, { proxyUrl: proxy.url, run, origins }),
        HUB_SANDBOX_PROXY: proxy.url,
        HUB_SANDBOX_PROXY_SPKI: publicKeyHash(proxy.cert),
      },
      javaProperties: javaProxy(proxy.url),
      certificates: [proxy.cert],
      close: () => proxy.close(),
    }
  },
}

/** System properties with which Java programs use the proxy, except for this machine. */
function javaProxy(proxyUrl: string): JavaProperties {
  const { hostname, port } = new URL(proxyUrl)
  return {
    'http.proxyHost': hostname,
    'http.proxyPort': port,
    'https.proxyHost': hostname,
    'https.proxyPort': port,
    'http.nonProxyHosts': 'localhost|*.localhost|127.*|[::1]',
  }
}

type Variables = Readonly<Record<string, string | undefined>>

/** Environment variables for programs in any language: use the proxy except for this machine. */
export function proxyVariables(
  inherited: Variables,
  {
    proxyUrl,
    run,
    origins,
  }: { proxyUrl: string; run: Pick<Run, 'connection'>; origins: readonly RoutedOrigin[] },
): Variables {
  const isRerouted = (entry: string) => {
    const name = entry.replace(/^\*?\./, '').replace(/:\d+$/, '')
    return entry === '*' || origins.some(({ host }) => host === name || host.endsWith(`.${name}`))
  }
  const given = [inherited['NO_PROXY'], inherited['no_proxy']].flatMap(
    (value) => value?.split(/[\s,]+/) ?? [],
  )
  const direct = given.filter((entry) => entry !== '' && !isRerouted(entry))
  const sandbox = new URL(run.connection.url).hostname
  const entries = [...new Set([...direct, 'localhost', ...localhostAddresses, sandbox])].join(',')
  return {
    HTTP_PROXY: proxyUrl,
    HTTPS_PROXY: proxyUrl,
    // curl reads this one in lower case only.
    http_proxy: proxyUrl,
    https_proxy: proxyUrl,
    ALL_PROXY: undefined,
    all_proxy: undefined,
    NO_PROXY: entries,
    no_proxy: entries,
  }
}
