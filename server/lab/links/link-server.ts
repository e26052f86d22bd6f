import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { headerLimit } from '../../core/header-limit.ts'
import {
  countHeaderLines,
  hasTooManyHeaderLines,
  tooManyHeaderLines,
} from '../../core/header-lines.ts'
import { linkVia } from '../../core/delivery-marks.ts'
import { isLocalhost, isLoopbackAuthority } from '../../core/loopback.ts'
import { openExchange } from '../../web/outgoing/open-exchange.ts'
import { classifyNetworkError } from '../../web/outgoing/network-errors.ts'
import type { TargetPolicy } from '../../web/outgoing/target-policy.ts'

/** Address on which links listen. */
export const linkAddress = '127.0.0.1'

/** Server of one link. */
export interface LinkServer {
  readonly port: number
  /** Also aborts requests in progress. */
  close(): Promise<void>
}

export type LinkHandler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Listens on a loopback address.
 * @param port 0 = any free port
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function openLinkServer(
  port: number,
  handle: LinkHandler,
  onError: (error: Error) => void,
): Promise<LinkServer> {
  const server = countHeaderLines(
    http.createServer(headerLimit, (request, response) => {
      if (hasTooManyHeaderLines(request)) answer(response, 431, tooManyHeaderLines)
      else handle(request, response)
    }),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, linkAddress, resolve)
  })
  server.on('error', onError)
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

export interface AnsweredLink {
  readonly target?: string
  readonly hosted: boolean
  readonly isOver: boolean
}

/** Responds to a request of a link: an error when it has expired, a sample receiver, or the response of its target. */
export function answerCall(
  { target, hosted, isOver }: AnsweredLink,
  request: IncomingMessage,
  response: ServerResponse,
  { policy, deadlineMs }: { policy: TargetPolicy; deadlineMs: number },
): void {
  if (isOver) {
    const why = hosted ? 'stopped after 48 h without a request' : 'expired after 72 h'
    answer(response, hosted ? 503 : 410, `This link has ${why}.`)
  } else if (target === undefined) receive(request, response)
  else {
    forward(target, request, response, policy, deadlineMs).catch((error: unknown) => {
      const { message } = classifyNetworkError(error)
      answer(response, 502, `The receiver behind this link cannot be reached: ${message}`)
    })
  }
}

/** Refuses unknown host names, to prevent DNS rebinding. @returns whether the request was refused */
export function refuseStrangeHost(request: IncomingMessage, response: ServerResponse): boolean {
  if (isLoopbackAuthority(request.headers.host)) return false
  answer(response, 403, 'This link only accepts loopback host names.')
  return true
}

/** Headers for responses of the link itself; a response of the receiver is forwarded unchanged. */
const ownHeaders = { 'X-Content-Type-Options': 'nosniff' }

/** Sample receiver: reads the whole request and responds with 200. */
function receive(request: IncomingMessage, response: ServerResponse): void {
  request.on('end', () => {
    response
      .writeHead(200, { ...ownHeaders, 'Content-Type': 'application/json' })
      .end('{"processed":true}\n')
  })
  request.resume()
}

function withOwnVia(via: string | undefined): string {
  return via === undefined ? linkVia : `${via}, ${linkVia}`
}

/** Forwards a request with a new host and a `Via` header, and the response unchanged. */
async function forward(
  to: string,
  request: IncomingMessage,
  response: ServerResponse,
  policy: TargetPolicy,
  deadlineMs: number,
): Promise<void> {
  const target = new URL(to)
  const exchange = openExchange(
    {
      url: target,
      path: pathBelow(target, request.url ?? '/'),
      method: request.method ?? 'GET',
      headers: { ...request.headers, host: target.host, via: withOwnVia(request.headers.via) },
      body: request,
      deadlineMs,
    },
    policy,
    {
      onHead: (incoming) => {
        if (incoming.statusCode === 101) {
          answer(
            response,
            502,
            'The receiver behind this link switched to a protocol other than HTTP.',
          )
          return
        }
        response.writeHead(incoming.statusCode ?? 502, incoming.rawHeaders)
        incoming.pipe(response)
      },
    },
  )
  // The client has closed the connection, so the response of the receiver is not needed.
  response.on('close', () => exchange.abort(new Error('the client closed the connection')))
  await exchange.done
}

/** Joins the path of the request to that of the target, and their queries, such as `?secret=` in the URL of a webhook. */
function pathBelow({ pathname, search }: URL, called: string): string {
  const [path = '', ...asked] = called.split('?')
  const below = path === '/' ? pathname : pathname.replace(/\/$/, '') + path
  const queries = [search.slice(1), asked.join('?')].filter((query) => query !== '')
  return queries.length === 0 ? below : `${below}?${queries.join('&')}`
}

/** Returns whether links accept this host name or address. */
export function isNameOfLinks(hostname: string): boolean {
  return hostname === linkAddress || isLocalhost(hostname)
}

function answer(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response
    .writeHead(status, { ...ownHeaders, 'Content-Type': 'text/plain; charset=utf-8' })
    .end(`${message}\n`)
}
