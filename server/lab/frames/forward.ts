import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { linkVia } from '../../core/delivery-marks.ts'
import { setTimeout } from '../../core/timers.ts'
import { openExchange, openRequest } from '../../web/outgoing/open-exchange.ts'
import { classifyNetworkError } from '../../web/outgoing/network-errors.ts'
import { hostOf, resolveTarget, type TargetPolicy } from '../../web/outgoing/target-policy.ts'
import { isLoopbackHost } from '../../core/loopback.ts'
import { responseOn, sendText } from './frame-server.ts'
import { insertScript } from './insert-script.ts'

/** An app may stream for as long as its page is open. */
const streamMs = 24 * 3_600_000
const connectMs = 10_000

export interface Forwarding {
  readonly target: URL
  readonly policy: TargetPolicy
  readonly scheme: 'http' | 'https'
  /** `Cookie` header for the app; `undefined` = none. */
  readonly cookie: string | undefined
  /** Script for the HTML pages of the app; `undefined` = none. */
  readonly script?: string | undefined
  /**
   * Called with the head of the app's response.
   * @returns `Set-Cookie` lines for the browser
   */
  readonly onHead: (response: IncomingMessage) => readonly string[]
}

/** Headers of one connection, which no proxy forwards (RFC 9110 §7.6.1). */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Forwards a request with its body as it arrives, and the response as the app sends it. */
export async function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  forwarding: Forwarding,
): Promise<void> {
  const { target, policy, script, onHead } = forwarding
  const exchange = openExchange(
    {
      url: target.origin,
      path: request.url ?? '/',
      method: request.method ?? 'GET',
      headers: headersForApp(request, forwarding),
      body: request,
      deadlineMs: streamMs,
      connectTimeoutMs: connectMs,
      acceptSelfSigned: isLoopbackHost(hostOf(target)),
    },
    policy,
    {
      onHead(incoming) {
        const cookies = onHead(incoming)
        if (incoming.statusCode === 101) {
          sendText(response, 502, 'The app switched to a protocol that nobody asked for.')
          return
        }
        const inserted = isPage(incoming) ? script : undefined
        response.writeHead(
          incoming.statusCode ?? 502,
          incoming.statusMessage,
          headersForBrowser(incoming, cookies, inserted === undefined ? [] : ofBody),
        )
        // Events of a stream must not wait for the first byte of its body.
        response.flushHeaders()
        const isChanged = inserted !== undefined && request.method !== 'HEAD'
        const body = isChanged ? incoming.pipe(insertScript(inserted)) : incoming
        body.pipe(response)
      },
    },
  )
  response.on('close', () => exchange.abort(new Error('the browser closed the connection')))
  try {
    await exchange.done
  } catch (error) {
    sendText(response, 502, unreachable(target, error))
  }
}

/** Forwards a request for a WebSocket, and then both directions unchanged. */
export async function forwardUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  forwarding: Forwarding,
): Promise<void> {
  const { target, policy, onHead } = forwarding
  const fail = (error: unknown) =>
    sendText(responseOn(request, socket), 502, unreachable(target, error))
  let addresses
  try {
    addresses = await resolveTarget(target, policy)
  } catch (error) {
    return fail(error)
  }
  const outgoing = openRequest(new URL(target.origin), addresses, {
    url: target.origin,
    path: request.url ?? '/',
    method: 'GET',
    headers: {
      ...headersForApp(request, forwarding),
      connection: 'Upgrade',
      upgrade: 'websocket',
    },
    deadlineMs: streamMs,
    acceptSelfSigned: isLoopbackHost(hostOf(target)),
  })
  let isOver = false
  const timer = setTimeout(() => outgoing.destroy(new Error('no response within 10 s')), connectMs)
  socket.on('close', () => outgoing.destroy())
  outgoing.on('error', (error) => {
    if (!isOver) fail(error)
    isOver = true
  })
  outgoing.on('close', () => timer.close())
  outgoing.on('response', (incoming) => {
    isOver = true
    const response = responseOn(request, socket)
    response.writeHead(incoming.statusCode ?? 502, headersForBrowser(incoming, onHead(incoming)))
    incoming.pipe(response)
  })
  outgoing.on('upgrade', (incoming, appSocket, appHead) => {
    isOver = true
    timer.close()
    const lines = headersForBrowser(incoming, onHead(incoming))
    const headers = ['Connection', 'Upgrade', 'Upgrade', 'websocket', ...lines]
    const text = [`HTTP/1.1 101 Switching Protocols`]
    for (let at = 0; at < headers.length; at += 2) text.push(`${headers[at]}: ${headers[at + 1]}`)
    socket.write(Buffer.concat([Buffer.from(`${text.join('\r\n')}\r\n\r\n`, 'latin1'), appHead]))
    appSocket.on('error', () => socket.destroy())
    appSocket.on('close', () => socket.destroy())
    socket.on('close', () => appSocket.destroy())
    appSocket.write(head)
    appSocket.pipe(socket)
    socket.pipe(appSocket)
  })
  outgoing.end()
}

/**
 * Headers of a request for the app. It keeps the host that the browser used, as the Hub's proxy does, since apps build
 * their redirect URIs from it.
 */
function headersForApp(
  request: IncomingMessage,
  { cookie, scheme, script }: Pick<Forwarding, 'cookie' | 'scheme' | 'script'>,
): OutgoingHttpHeaders {
  const { headers } = request
  const dropped = droppedOf(headers.connection)
  const kept = Object.entries(headers).filter(
    ([name]) => !dropped.has(name) && name !== 'cookie' && name !== 'expect',
  )
  const { via, host } = headers
  return {
    ...Object.fromEntries(kept),
    // Without it Node would send the body of a GET unframed, as the beginning of another request.
    ...(headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }),
    ...(cookie === undefined ? {} : { cookie }),
    // A script cannot be inserted into a compressed page.
    ...(script === undefined ? {} : { 'accept-encoding': 'identity' }),
    host,
    via: via === undefined ? linkVia : `${via}, ${linkVia}`,
    'x-forwarded-for': request.socket.remoteAddress ?? '127.0.0.1',
    'x-forwarded-host': host,
    'x-forwarded-proto': scheme,
  }
}

/** Headers that describe a body byte for byte: wrong for a changed one. */
const ofBody = [
  'accept-ranges',
  'content-digest',
  'content-length',
  'content-md5',
  'digest',
  'etag',
  'last-modified',
  'repr-digest',
]

/** Checks for a whole HTML page that can be changed. */
function isPage({ statusCode = 0, headers }: IncomingMessage): boolean {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers
  const isWhole = ![204, 205, 206, 304].includes(statusCode)
  return isWhole && /^text\/html\s*(?:;|$)/i.test(type) && encoding.toLowerCase() === 'identity'
}

/** Names and values in turn, as the app sent them, with other `Set-Cookie` lines. */
function headersForBrowser(
  { rawHeaders, headers }: IncomingMessage,
  cookies: readonly string[],
  withheld: readonly string[] = [],
): string[] {
  const dropped = new Set([...droppedOf(headers.connection), ...withheld])
  const lines: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    const key = name.toLowerCase()
    if (!dropped.has(key) && key !== 'set-cookie') lines.push(name, value)
  }
  return [...lines, ...cookies.flatMap((line) => ['Set-Cookie', line])]
}

/** Headers that are not forwarded, with those that `Connection` names. */
function droppedOf(connection: string | undefined): ReadonlySet<string> {
  if (connection === undefined) return hopByHop
  const named = connection.split(',').map((name) => name.trim().toLowerCase())
  // A body without its length would be read as the beginning of another request.
  return new Set([...hopByHop, ...named.filter((name) => name !== 'content-length')])
}

function unreachable(target: URL, error: unknown): string {
  const { message } = classifyNetworkError(error)
  return `The app at ${target.origin} cannot be reached: ${message}`
}
