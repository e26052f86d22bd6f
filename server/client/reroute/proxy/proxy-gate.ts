import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { rootCertificates } from 'node:tls'
import { kindOfAddress } from '../../../web/outgoing/address.ts'
import {
  BlockedTargetError,
  lookupAmong,
  resolveTarget,
  type TargetAddress,
  type TargetPolicy,
} from '../../../web/outgoing/target-policy.ts'
import { hasTooManyHeaderLines, tooManyHeaderLines } from '../../../core/header-lines.ts'
import type { RoutedOrigin } from '../../../core/routed-origins.ts'
import type { ConnectTarget } from '../routes.ts'
import { type Passage, passageTo, isControlPath } from './proxy-addresses.ts'
import {
  forward,
  forwardUpgrade,
  join,
  notIntercepted,
  refuseRequest,
  refuseSocket,
  type Rewritten,
  type Upstream,
} from './proxy-forward.ts'

/** Idle timeout of a connection. */
export const idleMs = 300_000
/** Timeout for a request head, a TLS handshake and a new connection. */
export const openingMs = 15_000

export interface ProxyOptions {
  /** Origins routed to the sandbox. */
  readonly origins: readonly RoutedOrigin[]
  /** URL at which the sandbox listens. */
  readonly sandbox: URL
  /** PEM of the certificate of an HTTPS sandbox. */
  readonly ca?: string
  /** Certificate for the hosts of the origins, PEM. */
  readonly certificate: { readonly key: string; readonly cert: string }
  readonly allowNetwork: boolean
  /** Resolves a host name; used only with `allowNetwork`. */
  readonly resolve: TargetPolicy['resolve']
  /** Called with the reason why a request is not routed. */
  readonly onRefused?: (sentence: string) => void
}

/** Routes and forwards requests. */
export class Gate {
  readonly ownPorts: number[]
  readonly #options: ProxyOptions
  readonly #sandbox: Upstream
  readonly #others = new http.Agent({ keepAlive: false })
  readonly #policy: TargetPolicy
  readonly #originOf: (socket: Socket) => string | undefined

  /** @param originOf returns the origin of the tunnel of a connection */
  constructor(options: ProxyOptions, originOf: (socket: Socket) => string | undefined) {
    this.#options = options
    this.#originOf = originOf
    const { sandbox, ca, allowNetwork, resolve } = options
    const isSecure = sandbox.protocol === 'https:'
    const trust = ca === undefined ? {} : { ca: [...rootCertificates, ca] }
    const agent = isSecure
      ? new https.Agent({ keepAlive: true, ...trust })
      : new http.Agent({ keepAlive: true })
    // Its certificate is for its own name, not for the requested one.
    this.#sandbox = {
      url: sandbox,
      agent,
      connection: isSecure ? { servername: sandbox.hostname } : {},
    }
    this.ownPorts = [Number(sandbox.port) || (isSecure ? 443 : 80)]
    this.#policy = { allowNetwork, resolve, ownPorts: () => this.ownPorts }
  }

  passageTo(target: ConnectTarget): Passage {
    const { origins, allowNetwork, onRefused } = this.#options
    const passage = passageTo({ origins, allowNetwork, ownPorts: this.ownPorts }, target)
    if (passage.kind === 'nowhere') onRefused?.(passage.why)
    return passage
  }

  /** Handles a request within a tunnel to the hub. */
  serveHub(request: IncomingMessage, response: ServerResponse): void {
    if (hasTooManyHeaderLines(request)) return refuseRequest(response, 431, tooManyHeaderLines)
    const asked = this.#askedWithin(request)
    if ('refusal' in asked) return refuseRequest(response, 403, asked.refusal)
    forward(this.#sandbox, request, response, asked)
  }

  upgradeHub(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const asked = this.#askedWithin(request)
    if ('refusal' in asked) return refuseSocket(socket, 403, asked.refusal)
    forwardUpgrade(this.#sandbox, request, socket, { ...asked, head })
  }

  /** Handles a request with an absolute URL, as plain HTTP through a proxy has (RFC 9112 §3.2.2). */
  servePlain(request: IncomingMessage, response: ServerResponse): void {
    if (hasTooManyHeaderLines(request)) return refuseRequest(response, 431, tooManyHeaderLines)
    const url = absoluteUrl(request.url)
    if (url === undefined) {
      return refuseRequest(response, 400, 'This is a proxy: send an absolute URL or CONNECT.')
    }
    const target = { host: url.hostname.replace(/^\[|\]$/g, ''), port: portOf(url) }
    const passage = this.passageTo(target)
    if (passage.kind === 'nowhere') return refuseRequest(response, 403, passage.why, notIntercepted)
    const path = `${url.pathname}${url.search}`
    if (passage.kind === 'sandbox') {
      if (isControlPath(path)) return refuseRequest(response, 403, controlSentence)
      return forward(this.#sandbox, request, response, { path, host: url.host })
    }
    if (url.protocol !== 'http:') {
      return refuseRequest(response, 400, 'Requests to https URLs require a tunnel (CONNECT).')
    }
    this.#resolve(url, passage)
      .then((addresses) => {
        const upstream = {
          url,
          agent: this.#others,
          connection: { lookup: lookupAmong(addresses) },
        }
        forward(upstream, request, response, { path, host: url.host })
      })
      .catch((error: unknown) => {
        refuseRequest(response, statusOf(error), sentenceOf(error))
      })
  }

  /** Forwards the bytes of a connection to another host unchanged. */
  async tunnel(
    target: ConnectTarget,
    passage: Passage,
    client: { socket: Socket; head: Buffer },
  ): Promise<void> {
    try {
      await this.#openTunnel(target, passage, client)
    } catch (error) {
      refuseSocket(client.socket, statusOf(error), sentenceOf(error))
    }
  }

  async #openTunnel(
    { host, port }: ConnectTarget,
    passage: Passage,
    { socket, head }: { socket: Socket; head: Buffer },
  ): Promise<void> {
    const name = host.includes(':') ? `[${host}]` : host
    const addresses = await this.#resolve(new URL(`http://${name}:${port}`), passage)
    const upstream = connect({ host, port, lookup: lookupAmong(addresses), timeout: openingMs })
    // The client may have disconnected meanwhile.
    socket.once('close', () => upstream.destroy())
    await new Promise<void>((resolve, reject) => {
      upstream.once('error', reject).once('connect', resolve)
      upstream.once('timeout', () => upstream.destroy(new Error('no connection in time')))
      upstream.once('close', () => reject(new Error('closed')))
    })
    for (const side of [upstream, socket]) side.setTimeout(idleMs, () => side.destroy())
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    upstream.write(head)
    join(socket, upstream)
  }

  /** Resolves once: the result could change between the check and the connection. */
  async #resolve(url: URL, { kind }: Passage): Promise<readonly TargetAddress[]> {
    const addresses = await resolveTarget(url, this.#policy)
    const isOfThisMachine = addresses.some(({ address }) => kindOfAddress(address) === 'loopback')
    if (kind === 'loopback' || !isOfThisMachine) return addresses
    throw new BlockedTargetError(
      `${url.hostname} resolves to this machine, but is not one of its names`,
    )
  }

  /**
   * Returns path and host of a request within a tunnel. A tunnel is for one origin: a request may name another one in its target, which
   * takes precedence, or in its `Host` header.
   * @see RFC 9112 §3.2.2
   */
  #askedWithin({ url = '/', headers, socket }: IncomingMessage): Rewritten | { refusal: string } {
    if (!url.startsWith('/')) return this.#absoluteWithin(url, socket)
    const { host = '' } = headers
    const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host
    const plain = name.replace(/^\[|\]$/g, '').replace(/\.$/, '')
    if (!this.#options.origins.some((origin) => origin.host === plain)) {
      return { refusal: `${host || 'A request without Host'} is not intercepted.` }
    }
    return isControlPath(url) ? { refusal: controlSentence } : { path: url }
  }

  #absoluteWithin(text: string, socket: Socket): Rewritten | { refusal: string } {
    const url = absoluteUrl(text)
    const own = this.#originOf(socket)
    if (url === undefined || url.origin !== own) {
      const refusal = `A request in this tunnel must have a path or a URL of ${own} as its target.`
      return { refusal }
    }
    const path = `${url.pathname}${url.search}`
    return isControlPath(path) ? { refusal: controlSentence } : { path, host: url.host }
  }

  close(): void {
    this.#sandbox.agent.destroy()
    this.#others.destroy()
  }
}

const controlSentence =
  'The Hub has no /_sandbox: use the URL of the sandbox (HUB_SANDBOX_URL) for dashboard and control API.'

function absoluteUrl(text = ''): URL | undefined {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

function statusOf(error: unknown): number {
  return error instanceof BlockedTargetError ? 403 : 502
}

function sentenceOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return error instanceof BlockedTargetError
    ? `${message}.`
    : `It cannot be reached (${code ?? message}).`
}
