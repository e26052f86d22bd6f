import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hostName, isLoopbackHost, otherLoopbackName } from '../../core/loopback.ts'
import { longestHost, shortened } from '../../core/shortened.ts'
import type { Settings } from '../../core/settings.ts'
import { lfsRequestId } from './lfs-error-body.ts'

type NameSettings = Pick<
  Settings,
  'baseUrl' | 'backChannelUrl' | 'interceptedOrigins' | 'allowHosts' | 'allowAddressHosts'
>
type HostSettings = NameSettings & Pick<Settings, 'storageHost'>

/**
 * Checks whether the `Host` of a request is a name of the sandbox. A foreign page can make its own name resolve to loopback
 * (DNS rebinding); the `Host` header still has that name.
 */
export function isKnownHost(settings: NameSettings, host: string | undefined): boolean {
  const name = hostName(host)
  if (name === undefined) return false
  if (isLoopbackHost(name)) return true
  const named = [...rootsOf(settings).map((root) => new URL(root).host), ...settings.allowHosts]
  if (named.some((known) => hostName(known) === name)) return true
  return settings.allowAddressHosts && isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
}

function rootsOf({ baseUrl, backChannelUrl = baseUrl, interceptedOrigins = [] }: NameSettings) {
  return [baseUrl, backChannelUrl, ...interceptedOrigins]
}

/**
 * Returns the root of URLs for a program that uses this host, because it may be unable to reach another one. URLs for a
 * browser, and the issuer, are always under the base URL.
 */
export function rootForPrograms(
  { baseUrl, backChannelUrl }: Pick<Settings, 'baseUrl' | 'backChannelUrl'>,
  host: string | undefined,
): string {
  if (backChannelUrl === undefined) return baseUrl
  const [browsers, programs] = [new URL(baseUrl), new URL(backChannelUrl)]
  const name = hostName(host)
  if (name !== hostName(programs.host)) return baseUrl
  // If both have one name, the port distinguishes them; otherwise a forwarded port changes nothing.
  const isShared = name === hostName(browsers.host)
  return isShared && portOf(host, browsers) === browsers.port ? baseUrl : backChannelUrl
}

/**
 * Returns the root of absolute URLs in responses of the Hub's API: the origin that the request was sent to. Clients compare
 * its host with their own setting, and may be unable to resolve another name of the sandbox.
 * @param request with a host that the guard accepts
 */
function rootOfRequest(
  settings: HostSettings,
  { protocol, headers: { host } }: Pick<FastifyRequest, 'protocol' | 'headers'>,
): string {
  // A proxy that terminates TLS hides the scheme: a configured URL with this host has the right one.
  const configured = rootsOf(settings).find((root) => {
    const { protocol: scheme, origin } = new URL(root)
    return originOf(scheme, host) === origin
  })
  return configured ?? originOf(`${protocol}:`, host) ?? settings.baseUrl
}

/**
 * Returns the root of the storage of large files. On the Hub it is another host: a client sends no token there, and some
 * follow no redirect to it. Where the sandbox has no second name that a client can reach, it is the host of the request.
 */
function storageRootOf({ storageHost }: HostSettings, root: string): string {
  const url = new URL(root)
  const other = storageHost === 'own' ? otherLoopbackName(url.hostname) : undefined
  if (other === undefined) return root
  url.hostname = other
  return url.origin
}

function originOf(protocol: string, host: string | undefined): string | undefined {
  const address = `${protocol}//${host}`
  return URL.canParse(address) ? new URL(address).origin : undefined
}

/** Port in the form of `URL.port`: empty for the default of the scheme. */
function portOf(host: string | undefined, { protocol }: URL): string {
  const address = `${protocol}//${host}`
  return URL.canParse(address) ? new URL(address).port : ''
}

function unknownHostMessage(sent: string): string {
  const host = shortened(sent, longestHost)
  const name = hostName(host) ?? 'NAME'
  return `The sandbox does not answer for the host ${JSON.stringify(host)}. If you reach it by this name on purpose, start it with --allow-host ${name}, or with --back-channel-url http://${hostName(host) === undefined ? name : host} where browsers reach it by another.`
}

/** Checks whether a request was sent to the real Hub and redirected here. */
function isIntercepted({ interceptedOrigins = [] }: HostSettings, host: string | undefined) {
  if (interceptedOrigins.length === 0) return false
  const name = hostName(host)
  return interceptedOrigins.some((origin) => hostName(new URL(origin).host) === name)
}

function ownAddressMessage(host: string | undefined): string {
  return `The sandbox stands in for ${host}, which has no /_sandbox: its dashboard and control API are where it listens (HUB_SANDBOX_URL).`
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Root of the absolute URLs in a response of the hub's API, without a trailing slash. */
    readonly root: string
    /** Root of the URLs of the storage of large files, without a trailing slash. */
    readonly storageRoot: string
  }
}

export function registerHostGuard(app: FastifyInstance, settings: HostSettings): void {
  /** Roots of the latest request: most programs use one name. */
  let latest: { host: string | undefined; root: string; storageRoot: string } | undefined
  const rootsFor = (request: FastifyRequest) => {
    const { host } = request.headers
    if (latest === undefined || latest.host !== host) {
      const root = rootOfRequest(settings, request)
      latest = { host, root, storageRoot: storageRootOf(settings, root) }
    }
    return latest
  }
  app.decorateRequest('root', {
    getter() {
      return rootsFor(this).root
    },
  })
  app.decorateRequest('storageRoot', {
    getter() {
      return rootsFor(this).storageRoot
    },
  })
  /** Last accepted host: most programs use one name. */
  let known: string | undefined
  app.addHook('onRequest', (request, reply, done) => {
    const { host } = request.headers
    // By its route, which does not depend on the spelling of the URL.
    if (isIntercepted(settings, host) && request.routeOptions.url?.startsWith('/_sandbox')) {
      reply.code(403).send({ error: 'forbidden_host', message: ownAddressMessage(host) })
      return
    }
    if (host !== undefined && (host === known || isKnownHost(settings, host))) {
      known = host
      return done()
    }
    if (host === undefined) {
      // RFC 9112 §3.2
      reply.code(400).send({
        error: 'missing_host',
        message: 'The request has no Host header.',
        ...lfsRequestId(request, reply),
      })
      return
    }
    reply.code(403).send({
      error: 'forbidden_host',
      message: unknownHostMessage(host),
      ...lfsRequestId(request, reply),
    })
  })
}
